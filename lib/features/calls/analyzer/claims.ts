import { normalized } from './acts.ts';
import {
  type Analysis,
  type AnalyzedCall,
  type Disposition,
  dispositionFromFacts,
  FACT_ONLY_TAGS,
  type Findings,
  tagsFromFacts,
} from './facts.ts';
import type { ModelAnswer } from './model.ts';
import { inOrder } from './rules.ts';
import { emergencySentence } from './summary.ts';

/**
 * A model's answer with every claim checked. A booking needs the tool or a day and time that both sides agreed on; a
 * transfer and a voicemail are facts; every other tag needs the rules to agree or a quote that really stands in the
 * transcript. What is not shown is left out, and a summary that tells of it gives way to the one made of the facts.
 * What the agent could not answer or promised is added where the model missed it.
 */
export function checkedAnalysis(
  call: AnalyzedCall,
  found: Findings,
  { answer, byRules }: { answer: ModelAnswer; byRules: Analysis },
): Analysis {
  const claimed = new Set(answer.tags);
  const shown = [...claimed].filter((tag) => isShown(tag, call, { found, answer, byRules }));
  const isCallback = shown.includes('callback_scheduled') || found.callback;
  const disposition =
    dispositionFromFacts(call.outcome) ?? checkedDisposition(answer.disposition, found, isCallback);
  const tags = new Set([...tagsFromFacts(call.outcome), ...shown]);
  if (found.actionNeeded) tags.add('action_needed');
  if (disposition === 'APPOINTMENT_BOOKED') tags.add('appointment_booked');
  if (disposition === 'SCHEDULED_CALLBACK') tags.add('callback_scheduled');
  // A definite appointment makes the vaguer callback wrong, unless it was really taken down.
  if (tags.has('appointment_booked') && !call.outcome.callback) tags.delete('callback_scheduled');
  const isHonest = isSummaryShown(answer.summary, tags, call);
  return {
    summary: isHonest ? withEmergency(answer.summary, found) : byRules.summary,
    sentiment: answer.sentiment,
    tags: inOrder([...tags], found),
    disposition,
  };
}

/** A model may leave it out, or tell it last. */
function withEmergency(summary: string, found: Findings): string {
  const first = emergencySentence(found);
  return first === undefined ? summary : `${first} ${summary}`;
}

function checkedDisposition(claimed: Disposition, found: Findings, isCallback: boolean): Disposition {
  // Nothing was abandoned where both talked; the rules know that of every call that reaches a model.
  if (claimed === 'APPOINTMENT_BOOKED' && found.agreed !== undefined) return 'APPOINTMENT_BOOKED';
  if (isCallback && claimed !== 'COMPLETED') return 'SCHEDULED_CALLBACK';
  return 'COMPLETED';
}

type Shown = { found: Findings; answer: ModelAnswer; byRules: Analysis };

function isShown(tag: string, call: AnalyzedCall, { found, answer, byRules }: Shown): boolean {
  if (FACT_ONLY_TAGS.has(tag)) return false;
  if (tag === 'appointment_booked') return found.agreed !== undefined;
  const isCustom = call.customTags.some(({ name }) => name === tag);
  if (!isCustom && !WORD_TAGS.has(tag)) return false;
  if (byRules.tags.includes(tag)) return true;
  return answer.evidence.some((each) => each.tag === tag && isQuoted(each.quote, tag, found));
}

const WORD_TAGS: ReadonlySet<string> = new Set(['callback_scheduled', 'not_interested', 'action_needed']);
const MIN_QUOTE_CHARACTERS = 6;

/** Said word for word, by the person unless it is about what the agent left open. */
function isQuoted(quoted: string, tag: string, found: Findings): boolean {
  const wanted = lettersOf(quoted);
  if (wanted.length < MIN_QUOTE_CHARACTERS) return false;
  return found.turns.some(
    ({ speaker, text }) =>
      (speaker === 'human' || tag === 'action_needed') && lettersOf(text).includes(wanted),
  );
}

function lettersOf(text: string): string {
  return normalized(text)
    .replace(/^(?:human|agent): /, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** What a summary may only tell when the call has the tag for it. */
const TOLD: readonly { tag: string; pattern: RegExp }[] = [
  {
    tag: 'appointment_booked',
    pattern:
      /\b(?:(?:appointment|visit|table|viewing|meeting|slot|it) (?:was|has been|is|got) (?:successfully )?(?:booked|scheduled|made|confirmed|set|agreed|reserved)|(?:booked|scheduled|reserved|made|agreed (?:on|to)|confirmed|set up) (?:an?|the|their|his|her) (?:\w+ ){0,3}(?:appointment|visit|table|viewing|meeting|slot))\b/i,
  },
  {
    tag: 'transferred',
    pattern: /\b(?:was|were|been|got|and) (?:transferred|handed over|connected|put through)\b/i,
  },
  { tag: 'voicemail', pattern: /\b(?:left a (?:voice )?message|voice ?mail|answering machine)\b/i },
];
const DENIED =
  /\b(?:not|no|never|could not|couldn't|without|neither|failed|unable|existing|nobody|wanted|asked)\b/i;

function isSummaryShown(summary: string, tags: ReadonlySet<string>, call: AnalyzedCall): boolean {
  return TOLD.every(({ tag, pattern }) => {
    if (tags.has(tag) || (tag === 'appointment_booked' && call.outcome.appointment)) return true;
    return summary
      .split(/(?<=[.!?])\s+/)
      .every((sentence) => !pattern.test(sentence) || DENIED.test(sentence));
  });
}
