import { isAppError } from '#lib/errors.ts';
import { createSoftEdges } from '#lib/media/fade.ts';
import { truncateAtPlayout } from '#lib/media/heard-text.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { isFatal, providerFailureOf } from '#lib/ports/provider-failure.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';

/** After a failure the provider is left alone for so long: a call keeps one voice, and nobody waits again. */
const REST_MS = { passing: 20_000, fatal: 300_000 };
/** Of speech that broke off, to find the word at which to go on. */
const MS_PER_CHARACTER = 65;

/**
 * A provider's voices and the local ones, told apart by their ids. What the provider fails to say, the first local voice
 * says, from the word on at which it broke off; in another language than English, which is all that the local voices
 * speak, the failure stays one. `onFailed` hears of each failure.
 */
export function createSpeechWithFallback({
  provider,
  local,
  clock,
  onFailed,
}: {
  provider: SpeechSynthesizer;
  local: SpeechSynthesizer;
  clock: Pick<Clock, 'now'>;
  onFailed(error: unknown): void;
}): SpeechSynthesizer {
  let restsUntil = 0;
  let lastReason = '';

  async function* fallBack(request: Parameters<SpeechSynthesizer['synthesize']>[0], reason: string) {
    request.onFallback?.(reason);
    yield* local.synthesize({ ...request, voiceId: null });
  }

  async function* synthesize(request: Parameters<SpeechSynthesizer['synthesize']>[0]) {
    const { text, voiceId, language, signal } = request;
    if (local.voices.some((voice) => voice.id === voiceId)) return yield* local.synthesize(request);
    const canFallBack = language === null || /^en\b/i.test(language);
    if (canFallBack && clock.now().getTime() < restsUntil) return yield* fallBack(request, lastReason);
    let spokenMs = 0;
    // It may break off in the middle of a wave.
    const edges = createSoftEdges();
    try {
      for await (const chunk of provider.synthesize(request)) {
        spokenMs += chunk.samples.length / SAMPLES_PER_MS;
        yield { ...chunk, samples: edges.push(chunk.samples) };
      }
      yield { samples: edges.end() };
    } catch (error) {
      if (signal?.aborted || !isAppError(error)) throw error;
      onFailed(error);
      restsUntil =
        clock.now().getTime() + (isFatal(providerFailureOf(error).kind) ? REST_MS.fatal : REST_MS.passing);
      lastReason = error.message;
      if (!canFallBack) throw error;
      yield { samples: edges.end() };
      const rest = truncateAtPlayout(text, spokenMs, Math.max(spokenMs + 1, text.length * MS_PER_CHARACTER));
      yield* fallBack({ ...request, text: rest.unheard }, lastReason);
    }
  }

  return { voices: [...provider.voices, ...local.voices], synthesize };
}
