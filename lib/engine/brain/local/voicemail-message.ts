import { splitSentences } from '#lib/engine/brain/sentences.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import { findPurpose } from './purpose.ts';

/** What is left on a voicemail: the opening without its questions, what the call was about, a goodbye. */
export function voicemailMessage(plan: CallPlan): string {
  const { opening, body, card } = plan.prompt;
  const statements = splitSentences(opening).filter((sentence) => !sentence.endsWith('?'));
  const who = card.personaName
    ? `this is ${card.personaName} from ${card.businessName}`
    : `this is ${card.businessName}`;
  const introduction = statements.length > 0 ? statements : [`Hello, ${who}.`];
  const purpose = findPurpose(body, plan.variables);
  const reason = purpose ? `I am calling ${purpose}.` : 'I am sorry that I missed you.';
  return [
    ...introduction,
    reason,
    'Please call us back at this number at any time. Thank you, and goodbye.',
  ].join(' ');
}
