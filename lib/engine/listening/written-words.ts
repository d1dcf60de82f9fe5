import type { ControlEvent, SpeechEvent } from '#lib/ports/carrier.ts';
import { createTurnEnd } from './turn-end.ts';

/** A browser is sure of its words about so long after the last of them: that much of the silence is over. */
const RECOGNISED_LATE_MS = 300;
/** Still, the next words may be on their way. */
const SHORTEST_MS = 150;

export type WrittenWords = {
  take(event: Extract<ControlEvent, { type: 'text' }>): void;
  /** The agent's words as they are heard: its question says how an answer is given. */
  agentSaid(text: string): void;
};

/** Makes of words that were typed, or recognised at the far end, what listening makes of sound. */
export function createWrittenWords(options: {
  language: string | null;
  onEvent(event: SpeechEvent): void;
}): WrittenWords {
  const { onEvent } = options;
  const turnEnd = createTurnEnd(options);
  let startedAtMs: number | undefined;
  let endedAtMs: number | undefined;

  function begin(atMs: number): void {
    if (startedAtMs !== undefined) return;
    startedAtMs = atMs;
    if (endedAtMs !== undefined) turnEnd.wentOnAfter(atMs - endedAtMs);
    onEvent({ type: 'speech_started', atMs });
  }

  return {
    take({ text, state, atMs }) {
      if (state === 'interim') {
        begin(atMs);
        return onEvent({ type: 'interim', atMs, text });
      }
      if (startedAtMs !== undefined) onEvent({ type: 'speech_stopped', atMs });
      // Whoever sends a text has said what they had to say; whoever speaks may go on.
      const endOfTurnMs =
        state === 'typed' ? 0 : Math.max(SHORTEST_MS, turnEnd.waitMs(text) - RECOGNISED_LATE_MS);
      onEvent({ type: 'utterance', text, startedAtMs: startedAtMs ?? atMs, endedAtMs: atMs, endOfTurnMs });
      startedAtMs = undefined;
      endedAtMs = state === 'typed' ? undefined : atMs;
    },
    agentSaid(text) {
      turnEnd.agentSaid(text);
      // A silence before the agent's words is no pause of the person.
      endedAtMs = undefined;
    },
  };
}
