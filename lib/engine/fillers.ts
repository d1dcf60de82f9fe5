import type { CallClock } from '#lib/ports/clock.ts';
import type { ReplyPiece } from './brain/brain.ts';
import type { Language } from './languages/language.ts';
import { CLEARED } from './timers.ts';

/** Silence of this length after a question makes people ask whether anybody is there. */
const FIRST_FILLER_MS = 1_200;
/** After words of the agent's own it may take longer; said once. */
const SECOND_FILLER_MS = 5_000;

/**
 * Gives a reply's pieces on, and short words in the agent's language while none comes. A piece without words is a sign
 * that some are on their way.
 */
export async function* withFillers(
  pieces: AsyncIterable<ReplyPiece>,
  options: {
    clock: CallClock;
    lines: Language['filler'];
    /** The first one was said a moment ago. */
    isFilled: boolean;
    signal: AbortSignal;
  },
): AsyncGenerator<ReplyPiece> {
  const { clock, lines, isFilled, signal } = options;
  const fillers = [
    ...(isFilled ? [] : [{ text: lines.first, afterMs: FIRST_FILLER_MS }]),
    { text: lines.second, afterMs: SECOND_FILLER_MS },
  ];
  const reader = pieces[Symbol.asyncIterator]();
  try {
    let next = reader.next();
    for (;;) {
      const filler = fillers[0];
      const timer = new AbortController();
      const late = new Promise<'late'>((resolve) => {
        if (!filler) return;
        const anyEnd = AbortSignal.any([signal, timer.signal]);
        clock.sleep(filler.afterMs, anyEnd).then(
          () => resolve('late'),
          () => undefined,
        );
      });
      const step = await Promise.race([next, late]);
      timer.abort(CLEARED);
      if (step === 'late') {
        fillers.shift();
        if (filler) yield filler.text;
        continue;
      }
      if (step.done) return;
      if (step.value !== '') yield step.value;
      // Whoever has begun to speak has no need of the first one.
      if (fillers[0]?.text === lines.first) fillers.shift();
      next = reader.next();
    }
  } finally {
    // Not awaited: whoever makes the pieces may hang.
    reader.return?.().catch(() => undefined);
  }
}
