import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';
import { findStatedGoal, say } from './purpose.ts';

const HELPS_WITH =
  /^(?:.{0,40}\b)?(?:help|helps|assist|assists|support|supports|deal|deals)\s+(?:(?:callers?|customers?|people|patients?|clients?|guests?|users?|you|them)\s+)?(?:with|in|on)\s+(.+)$/i;
/** What a description says an agent does ("Books visits and answers questions"), as the agent says it of itself. */
const THIRD_PERSON: Record<string, string> = Object.fromEntries(
  'answer book take give provide collect confirm handle remind call schedule support inform explain offer sell arrange manage transfer route greet connect ask help check note make accept cancel move process organize find tell'
    .split(' ')
    .map((verb) => [/(?:s|x|ch|sh)$/.test(verb) ? `${verb}es` : `${verb}s`, verb]),
);
const VERB_IN_ROW = new RegExp(
  `(^|\\b(?:and|or)\\s+|,\\s+)(${Object.keys(THIRD_PERSON).join('|')})\\b`,
  'gi',
);
const IS_NOUNS = /^(?!(?:you|your|it|he|she|they|we|this|that|never|always|do|if|when|only)\b)[^.]{3,160}$/i;

/**
 * What the agent helps with, as a sentence of its own, from the card's scope or what the prompt states as its task;
 * undefined where neither says it in a way that can be spoken.
 */
export function speakScope(
  scope: string | null,
  body: string,
  variables: Record<string, string>,
): string | undefined {
  return fromText(scope ?? '', variables) ?? fromGoal(body, variables);
}

function fromText(scope: string, variables: Record<string, string>): string | undefined {
  for (const sentence of splitSentences(toSpokenText(scope))) {
    const plain = sentence.replace(/[.!]+$/, '');
    const subject = plain.match(HELPS_WITH)?.[1];
    if (subject) return `I can help you with ${say(subject, variables)}.`;
    const verbs = plain.replace(/^(?:this |the )?(?:agent|assistant)\s+/i, '');
    if (THIRD_PERSON[verbs.split(' ')[0]?.toLowerCase() ?? '']) {
      const spoken = verbs.replace(
        VERB_IN_ROW,
        (_, before: string, verb: string) => `${before}${THIRD_PERSON[verb.toLowerCase()] ?? verb}`,
      );
      return `I can ${say(spoken, variables)}.`;
    }
    const goal = fromGoal(sentence, variables);
    if (goal) return goal;
    if (IS_NOUNS.test(plain) && plain.split(' ').length <= 16)
      return `I can help you with ${say(plain, variables)}.`;
  }
  return undefined;
}

function fromGoal(text: string, variables: Record<string, string>): string | undefined {
  const goal =
    findStatedGoal(text) ?? text.match(/\b(?:your|the) (?:task|job|role) is to (answer [^.\n]+)/i)?.[1];
  return goal && `I can ${say(goal, variables).replace(/\b(and|or) to (?=\w)/g, '$1 ')}.`;
}
