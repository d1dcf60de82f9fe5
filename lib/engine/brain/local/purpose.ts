import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';
import { addressToPerson, namesOf } from './address-to-person.ts';

/** Verbs with which a prompt says what a call is for; what begins with another verb is an instruction on manners. */
const PURPOSE_VERBS =
  'remind|confirm|ask|invite|offer|inform|tell|follow up|check|schedule|book|arrange|reschedule|introduce|present|let|notify|update|thank|collect|find out|conduct|discuss|welcome|verify|sell|promote|announce|survey|set up|explain|qualify|gather|reactivate|win|congratulate|share|learn|cancel|move|renew|talk|request|review';
const IMPERATIVE = new RegExp(`^(?:politely |kindly |briefly |please )?(?:${PURPOSE_VERBS})\\b`, 'i');
/** "Your task is to be polite" states no purpose. */
const MANNER_VERBS =
  /^(?:be|act|speak|sound|follow|keep|use|stay|remain|behave|pretend|respond|answer|listen|greet|introduce yourself|say hello|open with|qualify|make sure|ensure|convince|persuade|represent|play)\b/i;
const STATED =
  /\b(?:your|the|our|this call's|main|primary)\s+(?:main |primary |only |overall |key )?(?:goal|purpose|task|job|role|objective|mission|aim|reason)(?:\s+(?:of|for|on|in|with)\s+(?:this|the|each|every|your)\s+(?:outbound )?(?:call|conversation|phone call))?\s*(?:is|:)\s*(?:to\s+)?(.+)$/i;
const CALLING =
  /\b(?:you are|you're|you will be|we are|i am)\s+(?:\w+ ){0,2}?calling\b.{0,80}?\b(to|about|because|regarding)\s+(.+)$/i;
const CALL_TO =
  /\b(?:you )?call(?:s|ing)?\s+(?!(?:\w+ ){1,2}back\b)(?:the |our |a |an )?[\w'. ]{1,40}?,?\s+(to|about|because|regarding)\s+(.+)$/i;
const CALL_AND = /\bcall(?:s)?\s+(?:the |our )?[\w' ]{1,40}?\s+and\s+(.+)$/i;
const LABELLED =
  /^(?:goal|purpose|objective|task|reason|mission|aim|topic)(?: (?:of|for) (?:the |this |your )?call)?\s*[:–-]\s*(?:to\s+)?(.+)$/i;
const GOAL_HEADING =
  /^\s{0,3}(?:#{1,6}\s*|\*\*)\s*(?:the |your |main |call )*(?:goal|purpose|objective|task|reason|mission|aim)s?\b[^\n]*$/im;
const NEVER_SPOKEN =
  /\b(?:never|always|do not|don't|must not|must|should not|avoid|prompt|instruction|assistant|caller id|transcript|tool|tone)\b/i;
/** Imperatives about how to talk begin with the same verbs as the purpose does. */
const MANNERS =
  /^(?:ask (?:one|only|a single|short|simple|open|questions)|let (?:them|the \w+) (?:finish|speak|talk)|check (?:that|whether you)|thank (?:them|the \w+) and|offer to call back)\b|\bat a time\b/i;
/** What follows is for the agent, not for the person. */
const ASIDE =
  /;|\s+[–—-]\s+|,?\s+(?:if they|if the (?:customer|caller|person|patient|client)|and then|then ask|unless|so that you)\b/i;
const MAX_CHARACTERS = 220;

/**
 * What the call is for, as it follows on "I am calling": `to remind you about your appointment`, `about your invoice`.
 * Found in the prompt's own words by what prompts usually say ("Your goal is to …", "You are calling to …", a heading
 * "Goal"); instructions are never read aloud. Undefined where the prompt states no purpose.
 */
export function findPurpose(body: string, variables: Record<string, string>): string | undefined {
  const goal = findStatedGoal(body);
  if (goal?.startsWith('that ')) return `because ${say(goal.slice('that '.length), variables)}`;
  if (goal) return `to ${say(goal, variables).replace(/^get you to /, 'ask whether you would like to ')}`;
  const sentences = sentencesOf(body);
  for (const pattern of [CALLING, CALL_TO]) {
    for (const sentence of sentences) {
      const [, preposition = '', rest = ''] = sentence.match(pattern) ?? [];
      const isSpeakable = rest !== '' && !NEVER_SPOKEN.test(rest) && !MANNER_VERBS.test(rest);
      if (isSpeakable)
        return `${preposition.toLowerCase().replace('regarding', 'about')} ${say(rest, variables)}`;
    }
  }
  const orders = sentences.map((sentence) => sentence.match(CALL_AND)?.[1] ?? sentence);
  const imperative = orders.find(
    (sentence) => IMPERATIVE.test(sentence) && !MANNERS.test(sentence) && !NEVER_SPOKEN.test(sentence),
  );
  if (imperative) return `to ${say(imperative, variables)}`;
  // "The bill of Mr Castellano has not been paid." is why he is called.
  const names = namesOf(variables);
  const told = sentences.find(
    (sentence) =>
      names.some((name) => sentence.includes(name)) &&
      !/\b(?:you|your|call)\b/i.test(sentence) &&
      !NEVER_SPOKEN.test(sentence),
  );
  return told && `because ${say(told, variables)}`;
}

/** The goal that a prompt states outright, in its own words, beginning with a verb. */
export function findStatedGoal(text: string): string | undefined {
  const heading = text.match(GOAL_HEADING);
  const section = heading ? text.slice((heading.index ?? 0) + heading[0].length).split(/\n\s{0,3}#/)[0] : '';
  const below = sentencesOf(section ?? '').map((sentence) => sentence.match(STATED)?.[1] ?? sentence);
  const sentences = sentencesOf(text);
  const stated = [STATED, LABELLED].flatMap((pattern) =>
    sentences.flatMap((sentence) => sentence.match(pattern)?.[1] ?? []),
  );
  return [...below, ...stated].find(isGoal);
}

function isGoal(goal: string): boolean {
  const isPhrase = /^\p{L}/u.test(goal) && !/^(?:the|an?|you|it|we|if|when|yes|no)\b/i.test(goal);
  return isPhrase && !NEVER_SPOKEN.test(goal) && !MANNER_VERBS.test(goal) && !MANNERS.test(goal);
}

function sentencesOf(text: string): string[] {
  return text.split('\n').flatMap((row) => splitSentences(toSpokenText(row)));
}

/** One clause of the prompt as it is said to the person: without asides, and short enough to be listened to. */
export function say(text: string, variables: Record<string, string>): string {
  const clause = (text.split(ASIDE)[0] ?? text).replace(/[.!?:,\s]+$/, '').trim();
  const spoken = addressToPerson(startSmall(clause), variables);
  if (spoken.length <= MAX_CHARACTERS) return spoken;
  const cut = spoken.slice(0, MAX_CHARACTERS);
  return cut.slice(0, Math.max(cut.lastIndexOf(', '), cut.lastIndexOf(' '))).replace(/[,\s]+$/, '');
}

/** In the middle of a sentence; names and abbreviations keep their capitals. */
function startSmall(clause: string): string {
  return /^\p{Lu}\p{Ll}/u.test(clause) ? clause.charAt(0).toLowerCase() + clause.slice(1) : clause;
}
