import { type Analysis, type AnalyzedCall, dispositionFromFacts, tagsFromFacts } from './facts.ts';

/** The analysis of a call on which only keys were understood: nothing is known of what the person said. */
export function analyzeRecordedMessage({ direction, outcome }: AnalyzedCall): Analysis {
  const person = direction === 'INBOUND' ? 'The caller' : 'The person';
  const isLeft = outcome.recordedMessage === 'left';
  return {
    summary: `No transcription is set up, so nobody could understand what was said. ${person} ${end(isLeft, outcome.transferredTo !== null)}`,
    sentiment: 'N_A',
    tags: [...tagsFromFacts(outcome), ...(isLeft ? ['action_needed'] : [])],
    disposition: dispositionFromFacts(outcome) ?? (isLeft ? 'COMPLETED' : 'ABANDONED'),
  };
}

function end(isLeft: boolean, isTransferred: boolean): string {
  if (isTransferred) return 'pressed a key and was handed over to a human.';
  return isLeft ? 'left a recorded message that somebody should listen to.' : 'left no message.';
}
