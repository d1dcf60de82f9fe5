import type { CallOutcome } from '#db/schema/calls.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import { TALKED } from '../testing.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';
import type { AnalyzedCall, Disposition, Sentiment } from './facts.ts';

/** One labelled call of the folder transcripts: what was said, what really happened, and what an analysis shall say of it. */
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

export type Line = [speaker: 'agent' | 'human', text: string];
/** A call of a few lines that was simply held, but for what `outcome` says. */
export function call(
  lines: Line[],
  outcome: Partial<CallOutcome> = {},
  customTags: AnalyzedCall['customTags'] = [],
): AnalyzedCall {
  const turns = lines.map(([speaker, text]) => ({ speaker, text }));
  return { direction: 'OUTBOUND', outcome: { ...talked, ...outcome }, turns, customTags };
}
/** A language model that answers always the same and remembers what it was asked; an error is thrown. */
export function model(
  answer: unknown,
): LanguageModel & { asked: { instructions: string; input: string; schema: unknown }[] } {
  const asked: { instructions: string; input: string; schema: unknown }[] = [];
  return {
    model: 'fake',
    asked,
    async *respond() {},
    async completeJson(request) {
      asked.push(request);
      if (answer instanceof Error) throw answer;
      return { value: answer, usage: { inputTokens: 500, outputTokens: 50 } };
    },
  };
}

export const OPENING: Line = ['agent', 'Hello, this is the dentist about your check-up.'];
