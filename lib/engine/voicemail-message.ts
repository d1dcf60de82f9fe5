import type { CallPlan } from '#lib/engine/plan.ts';
import { findPurpose } from './brain/local/purpose.ts';
import { splitSentences } from './brain/sentences.ts';
import { languageCode } from './languages/catalog.ts';
import { fillIn } from './languages/language.ts';

/** What is left on a voicemail: the opening without its questions, what the call was about, a goodbye. */
export function voicemailMessage(plan: CallPlan): string {
  const { code, lines } = plan.language;
  // What a call is about is read from English prompts alone.
  const purpose = languageCode(code) === 'en' ? findPurpose(plan.prompt.body, plan.variables) : undefined;
  const reason = purpose ? `I am calling ${purpose}.` : lines.voicemail.missed;
  return [...introductionOf(plan), reason, lines.voicemail.callBack].join(' ');
}

/** Who is speaking, in sentences: the opening without its questions, which nobody would hear the answer to. */
export function introductionOf(plan: CallPlan): string[] {
  const { opening, card } = plan.prompt;
  const { code, lines } = plan.language;
  const statements = splitSentences(opening, code).filter((sentence) => !/[?？]["'”»]*$/.test(sentence));
  if (statements.length > 0) return statements;
  const { named, unnamed } = lines.voicemail.introduction;
  return [
    fillIn(card.personaName ? named : unnamed, {
      persona: card.personaName ?? '',
      business: card.businessName,
    }),
  ];
}
