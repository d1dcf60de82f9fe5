import type { Clock } from '#lib/ports/clock.ts';
import type { SpeechStretch, Transcriber } from '#lib/ports/transcription.ts';

/** For so long a model that failed is asked only after the other one: nobody waits for it with each sentence. */
const SHUN_MS = 60_000;

/**
 * Two models that hear each stretch of speech. The first is asked, and the second where it fails or is late, about the same
 * stretch; `second` is one that costs nothing until it is asked (requests). After a failure of the first they change places
 * for a minute.
 */
export function createTranscriberWithFallback({
  first,
  second,
  clock,
}: {
  first: Transcriber;
  second: Transcriber;
  clock: Pick<Clock, 'now'>;
}): Transcriber {
  const shunnedUntilMs = new Map<Transcriber, number>();
  const isShunned = (model: Transcriber) => (shunnedUntilMs.get(model) ?? 0) > clock.now().getTime();
  const shun = (model: Transcriber) => void shunnedUntilMs.set(model, clock.now().getTime() + SHUN_MS);
  const isMissing = (model: Transcriber) => model.isMissing?.() === true;

  /** Asks one, and remembers what came of it. */
  async function ask(model: Transcriber, stretch: SpeechStretch, signal: AbortSignal) {
    try {
      const words = await stretch.transcribe(signal);
      shunnedUntilMs.delete(model);
      return words;
    } catch (error) {
      if (!signal.aborted) shun(model);
      throw error;
    }
  }

  return {
    model: first.model,
    isMissing: () => isMissing(first) && isMissing(second),
    async find() {
      await Promise.all([first.find?.(), second.find?.()]);
    },
    open(listening) {
      const streams = new Map([first, second].map((model) => [model, model.open(listening)]));
      return {
        begin(onInterim): SpeechStretch {
          const heard = [first, second].flatMap((model) => {
            const stretch = streams.get(model)?.begin(model === first ? onInterim : () => undefined);
            return stretch ? [{ model, stretch }] : [];
          });
          const isLast = (model: Transcriber) => isMissing(model) || isShunned(model);
          const [asked, other] = heard.toSorted(
            (one, another) => Number(isLast(one.model)) - Number(isLast(another.model)),
          );
          if (!asked || !other) throw new Error('Both models hear each stretch');
          let isUnanswered = false;
          return {
            model: asked.model.model,
            write: (samples) => heard.forEach(({ stretch }) => stretch.write(samples)),
            async transcribe(signal) {
              isUnanswered = true;
              const words = await ask(asked.model, asked.stretch, signal);
              isUnanswered = false;
              return words;
            },
            other: {
              model: other.model.model,
              transcribe(signal) {
                // Somebody has waited for the words long enough to ask elsewhere.
                if (isUnanswered) shun(asked.model);
                return ask(other.model, other.stretch, signal);
              },
            },
            end: () => heard.forEach(({ stretch }) => stretch.end()),
          };
        },
      };
    },
  };
}
