import type { ControlEvent } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { createTokenBucket } from '#lib/token-bucket.ts';

/** Faster than anybody writes or presses keys; a number that is pasted or dialled from memory comes at once. */
const INPUTS = { perSecond: 4, burst: 40 };
/** Browsers that recognise speech send the words so far about ten times a second. */
const INTERIMS = { perSecond: 20, burst: 40 };
/** An hour's conversation has some 800 turns and 60,000 characters of a person. */
const MOST_INPUTS = 4_000;
const MOST_CHARACTERS = 400_000;
/** Whoever goes on after so many were dropped is no person. */
const DROPPED = { perSecond: 1, burst: 100 };

/** `skipped`: words so far, which the next ones replace. `dropped`: nobody may act on it. `exceeded`: the call is to be ended. */
export type InputDecision = 'taken' | 'skipped' | 'dropped' | 'exceeded';

/**
 * How much the far end of one call may send besides its sound: keys, typed and recognised words. Each becomes a turn, a
 * line of the journal, a row and tokens of a model, so a call has so many a second and so many in all, whichever carrier
 * brings them.
 */
export function createInputBudget(clock: Pick<CallClock, 'nowMs'>): {
  take(event: ControlEvent): InputDecision;
} {
  const nowMs = () => clock.nowMs();
  const inputs = createTokenBucket({ ...INPUTS, nowMs });
  const interims = createTokenBucket({ ...INTERIMS, nowMs });
  const patience = createTokenBucket({ ...DROPPED, nowMs });
  let inputCount = 0;
  let characters = 0;

  return {
    take(event) {
      if (event.type !== 'digit' && event.type !== 'text') return 'taken';
      if (event.type === 'text' && event.state === 'interim') return interims.take() ? 'taken' : 'skipped';
      if (!inputs.take()) return patience.take() ? 'dropped' : 'exceeded';
      inputCount += 1;
      characters += event.type === 'text' ? event.text.length : 1;
      return inputCount > MOST_INPUTS || characters > MOST_CHARACTERS ? 'exceeded' : 'taken';
    },
  };
}
