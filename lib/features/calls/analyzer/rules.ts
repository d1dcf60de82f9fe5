import { descriptionOccurs } from './custom-tags.ts';
import {
  type Analysis,
  type AnalyzedCall,
  type Disposition,
  dispositionFromFacts,
  type Findings,
  humanTurns,
  type Sentiment,
  tagsFromFacts,
} from './facts.ts';
import { asksForCallback, asksForHuman, declines, isOnlyGreeting, moodOf } from './phrases.ts';
import { summarize } from './summary.ts';

/** The analysis without a language model (docs/analyzer.md). Pure: the same call always gives the same answer. */
export function analyzeByRules(call: AnalyzedCall): Analysis {
  if (!call.outcome.connected) return { summary: null, sentiment: 'N_A', tags: [], disposition: 'FAILED' };
  const found = findingsOf(call);
  const tags = [...new Set([...tagsFromFacts(call.outcome), ...tagsFromWords(call, found)])];
  return {
    summary: summarize(call, found),
    sentiment: sentimentOf(call),
    tags,
    disposition: dispositionOf(call, found),
  };
}

export function findingsOf(call: AnalyzedCall): Findings {
  const said = humanTurns(call);
  const talked = said.some((text) => !isOnlyGreeting(text));
  return {
    declined: said.some(declines),
    askedForHuman: said.some(asksForHuman),
    askedForCallback: said.some(asksForCallback),
    abandoned: call.outcome.voicemail === null && call.outcome.transferredTo === null && !talked,
  };
}

function tagsFromWords(call: AnalyzedCall, found: Findings): string[] {
  if (call.outcome.voicemail) return [];
  const tags: string[] = [];
  const settled = call.outcome.appointment !== null || call.outcome.transferredTo !== null;
  if (found.askedForCallback && !settled) tags.push('callback_scheduled');
  if (found.declined && !settled) tags.push('not_interested');
  if (found.askedForHuman && call.outcome.transferredTo === null) tags.push('action_needed');
  const humanText = humanTurns(call).join('\n');
  const custom = call.customTags.filter((tag) => descriptionOccurs(tag.description, humanText));
  return [...tags, ...custom.map((tag) => tag.name)];
}

function dispositionOf(call: AnalyzedCall, found: Findings): Disposition {
  const decided = dispositionFromFacts(call.outcome);
  if (decided) return decided;
  if (found.abandoned) return 'ABANDONED';
  return found.askedForCallback ? 'SCHEDULED_CALLBACK' : 'COMPLETED';
}

/** N_A where no person said anything that has a mood: voicemail, silence, "hello?" and a hang-up. */
function sentimentOf(call: AnalyzedCall): Sentiment {
  const said = humanTurns(call);
  if (call.outcome.voicemail || !said.some((text) => !isOnlyGreeting(text))) return 'N_A';
  const mood = said.reduce((sum, text) => sum + moodOf(text), 0);
  if (mood < 0) return 'NEGATIVE';
  return mood > 0 ? 'POSITIVE' : 'NEUTRAL';
}
