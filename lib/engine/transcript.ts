import type { TurnRecord } from './plan.ts';

const SPEAKER_LABEL = { agent: 'Agent', human: 'Human' } as const;

/** The conversation as text, one line per turn in the order they began: `Agent: …` and `Human: …`. */
export function renderTranscript(
  turns: readonly Pick<TurnRecord, 'seq' | 'speaker' | 'text' | 'startedMs'>[],
): string {
  return turns
    .filter((turn) => turn.text.trim() !== '')
    .toSorted((one, other) => one.startedMs - other.startedMs || one.seq - other.seq)
    .map((turn) => `${SPEAKER_LABEL[turn.speaker]}: ${turn.text.replace(/\s*\n\s*/g, ' ')}`)
    .join('\n');
}
