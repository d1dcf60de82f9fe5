import type { CallPlan } from '#lib/engine/plan.ts';
import { findPurpose } from './brain/local/purpose.ts';
import { splitSentences } from './brain/sentences.ts';
import { languageCode } from './languages/catalog.ts';
import { fillIn } from './languages/language.ts';

/** What is left on a voicemail: the opening without its questions, what the call was about, a goodbye. */
export function voicemailMessage(plan: CallPlan): string {
  const { opening, body, card } = plan.prompt;
  const { code, lines } = plan.language;
  const statements = splitSentences(opening, code).filter((sentence) => !/[?？]["'”»]*$/.test(sentence));
  const { named, unnamed } = lines.voicemail.introduction;
  const names = { persona: card.personaName ?? '', business: card.businessName };
  const introduction =
    statements.length > 0 ? statements : [fillIn(card.personaName ? named : unnamed, names)];
  // What a call is about is read from English prompts alone.
  const purpose = languageCode(code) === 'en' ? findPurpose(body, plan.variables) : undefined;
  const reason = purpose ? `I am calling ${purpose}.` : lines.voicemail.missed;
  return [...introduction, reason, lines.voicemail.callBack].join(' ');
}
