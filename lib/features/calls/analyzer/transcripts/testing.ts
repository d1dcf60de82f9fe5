import { TALKED } from '../../testing.ts';
import { neverConnected } from '../../running/wrap-up.ts';
import type { AnalyzedCall, Disposition, Sentiment } from '../facts.ts';

/** One labelled call of this folder: what was said, what really happened, and what an analysis shall say of it. */
export type LabelledCall = {
  name: string;
  direction: 'INBOUND' | 'OUTBOUND';
  /** Facts that differ from a conversation that was simply held; an appointment and a callback as they were spoken. */
  facts?: {
    connected?: false;
    appointment?: string;
    callback?: string;
    transferredTo?: string;
    voicemail?: 'message_left' | 'no_message';
    answeredBy?: 'human' | 'machine';
    endedBy?: 'human' | 'agent' | 'limit';
  };
  customTags?: { name: string; description: string }[];
  /** Lines like the API's transcript: `Agent: …` and `Human: …`. */
  transcript: string;
  /** Words that the summary without a model must hold. */
  summary?: string[];
  expected: { disposition: Disposition; tags: string[]; sentiment: Sentiment };
};

const { recording: _, ...talked } = TALKED;

/** The call as the analyzer gets it. */
export function callFrom({ direction, facts = {}, customTags = [], transcript }: LabelledCall): AnalyzedCall {
  const { appointment, callback, connected, ...others } = facts;
  const turns = transcript
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      speaker: line.startsWith('Agent: ') ? ('agent' as const) : ('human' as const),
      text: line.slice(line.indexOf(': ') + 2),
    }));
  const outcome =
    connected === false
      ? neverConnected('busy', 'The line was busy.')
      : {
          ...talked,
          ...others,
          appointment: appointment
            ? { startsAt: '2026-03-12T16:00:00.000Z', timeZone: 'UTC', spoken: appointment }
            : null,
          callback: callback ? { spoken: callback } : null,
        };
  return { direction, outcome, turns, customTags };
}
