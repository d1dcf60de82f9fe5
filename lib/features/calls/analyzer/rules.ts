import { saysYes } from './acts.ts';
import { descriptionFits, preparedSaid } from './custom-tags.ts';
import {
  type Analysis,
  type AnalyzedCall,
  type Disposition,
  dispositionFromFacts,
  type Findings,
  type Sentiment,
  tagsFromFacts,
} from './facts.ts';
import { sentimentOf } from './sentiment.ts';
import { summarize } from './summary.ts';

/** The analysis without a language model (docs/analyzer.md). Pure: the same call always gives the same answer. */
export function analyzeByRules(call: AnalyzedCall, found: Findings): Analysis {
  if (!call.outcome.connected) return { summary: null, sentiment: 'N_A', tags: [], disposition: 'FAILED' };
  return {
    summary: summarize(call, found),
    sentiment: sentimentOfCall(call, found),
    tags: inOrder([...tagsFromFacts(call.outcome), ...tagsFromWords(call, found)], found),
    disposition: dispositionOf(call, found),
  };
}

/** Each once; an emergency is what somebody has to see first. */
export function inOrder(tags: readonly string[], { emergency }: Pick<Findings, 'emergency'>): string[] {
  const isFirst = emergency !== undefined && tags.includes('action_needed');
  return [...new Set(isFirst ? ['action_needed', ...tags] : tags)];
}

/** The tags that the words give, system tags first. */
function tagsFromWords(call: AnalyzedCall, found: Findings): string[] {
  if (call.outcome.voicemail) return [];
  if (found.machine !== null)
    return [found.machine === 'message_left' ? 'voicemail' : 'voicemail_no_message'];
  const tags: string[] = [];
  if (found.agreed !== undefined) tags.push('appointment_booked');
  if (found.callback) tags.push('callback_scheduled');
  if (found.declined) tags.push('not_interested');
  if (found.actionNeeded) tags.push('action_needed');
  return [...tags, ...customTags(call, found)];
}

function customTags(call: AnalyzedCall, found: Findings): string[] {
  if (call.customTags.length === 0) return [];
  const said = preparedSaid(found.turns, saysYes);
  return call.customTags
    .filter(({ description }) => descriptionFits(description, said))
    .map(({ name }) => name);
}

export function dispositionOf(call: AnalyzedCall, found: Findings): Disposition {
  const decided = dispositionFromFacts(call.outcome);
  if (decided) return decided;
  if (found.machine !== null) return 'VOICEMAIL';
  if (found.abandoned) return 'ABANDONED';
  if (found.agreed !== undefined) return 'APPOINTMENT_BOOKED';
  return found.callback ? 'SCHEDULED_CALLBACK' : 'COMPLETED';
}

/** N_A where no person said anything that has a sentiment: voicemail, silence, "hello?" and a hang-up. */
function sentimentOfCall(call: AnalyzedCall, found: Findings): Sentiment {
  if (call.outcome.voicemail !== null || found.machine !== null) return 'N_A';
  return sentimentOf(found.turns.filter(({ speaker }) => speaker === 'human').map(({ text }) => text));
}
