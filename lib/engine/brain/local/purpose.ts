import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';

/** Verbs with which a prompt says what a call is for; what begins with another verb is an instruction on manners. */
const PURPOSE_VERBS =
  'remind|confirm|ask|invite|offer|inform|tell|follow up|check|schedule|book|arrange|reschedule|introduce|present|present|let|notify|update|thank|collect|find out|conduct|discuss|welcome|verify|sell|promote|announce|survey|set up|help|explain|make|get|see|qualify|call|gather|reactivate|win|congratulate|share|learn|cancel|move|renew|talk';
const VERB_START = new RegExp(`^(?:politely |kindly |briefly |please )?((?:${PURPOSE_VERBS})\\b.*)$`, 'i');
const STATED =
  /\b(?:your|the|our|this call's|main|primary)\s+(?:main |primary |only |overall |key )?(?:goal|purpose|task|job|objective|mission|aim|reason)(?:\s+(?:of|for|on|in|with)\s+(?:this|the|each|every|your)\s+(?:outbound )?(?:call|conversation|phone call))?\s*(?:is|:)\s*(?:to\s+)?(.+)$/i;
const CALLING =
  /\b(?:you are|you're|you will be|we are|i am)\s+(?:\w+ ){0,2}?calling\b.{0,80}?\b(to|about|because|regarding)\s+(.+)$/i;
const CALL_TO =
  /\b(?:you )?call(?:s|ing)?\s+(?:the |our |a |an )?[\w' ]{1,40}?\s+(to|about|because|regarding)\s+(.+)$/i;
const LABELLED =
  /^(?:goal|purpose|objective|task|reason(?: for (?:the )?call)?|mission|aim|topic)\s*[:–-]\s*(?:to\s+)?(.+)$/i;
const GOAL_HEADING =
  /^\s{0,3}(?:#{1,6}\s*|\*\*)\s*(?:the |your |main |call )*(?:goal|purpose|objective|task|reason|mission|aim)s?\b[^\n]*$/im;
const NEVER_SPOKEN =
  /\b(?:never|always|do not|don't|must not|must|should not|avoid|prompt|instruction|assistant|caller id|transcript|tool|tone)\b/i;
/** Imperatives about how to talk begin with the same verbs as the purpose does. */
const MANNERS =
  /^(?:ask (?:one|only|a single|short|simple|open|questions)|ask .* at a time|let (?:them|the \w+) (?:finish|speak|talk)|make sure|get to the point|help the \w+ feel|check (?:that|whether you)|thank (?:them|the \w+) and)\b|\bat a time\b/i;
const MAX_CHARACTERS = 220;

/**
 * What the call is for, as the agent says it: `remind you about your appointment on Tuesday`. Found in the prompt's
 * own words by what prompts usually say ("Your goal is to …", "You are calling to …", a heading "Goal"); instructions
 * are never read aloud. Undefined where the prompt states no purpose.
 */
export function findPurpose(body: string, variables: Record<string, string>): string | undefined {
  const underHeading = body.match(GOAL_HEADING);
  if (underHeading?.index !== undefined) {
    const after = body.slice(underHeading.index + underHeading[0].length);
    const first = splitSentences(toSentenceLines(after))[0];
    const spoken =
      first &&
      asPurpose(first.replace(/^(?:your|the) (?:goal|purpose|task|job) is (?:to )?/i, ''), variables);
    if (spoken) return spoken;
  }
  const sentences = splitSentences(toSentenceLines(body));
  for (const pattern of [STATED, LABELLED]) {
    for (const sentence of sentences) {
      const spoken = asPurpose(sentence.match(pattern)?.[1], variables);
      if (spoken) return spoken;
    }
  }
  for (const pattern of [CALLING, CALL_TO]) {
    for (const sentence of sentences) {
      const match = sentence.match(pattern);
      const spoken =
        match?.[1]?.toLowerCase() === 'to' ? asPurpose(match[2], variables) : asTopic(match?.[2], variables);
      if (spoken) return spoken;
    }
  }
  for (const sentence of sentences) {
    if (MANNERS.test(sentence)) continue;
    const spoken = asPurpose(sentence, variables);
    if (spoken) return spoken;
  }
  return undefined;
}

function toSentenceLines(text: string): string {
  return text
    .split('\n')
    .map((line) => toSpokenText(line))
    .join('\n');
}

function asPurpose(text: string | undefined, variables: Record<string, string>): string | undefined {
  const verbPhrase = text?.trim().match(VERB_START)?.[1];
  if (!verbPhrase || NEVER_SPOKEN.test(verbPhrase)) return undefined;
  const clause = tidy(verbPhrase);
  return addressToPerson(clause.charAt(0).toLowerCase() + clause.slice(1), variables);
}

function asTopic(text: string | undefined, variables: Record<string, string>): string | undefined {
  if (!text || NEVER_SPOKEN.test(text)) return undefined;
  return `talk to you about ${addressToPerson(tidy(text), variables)}`;
}

/** One clause: without the "if they agree …" that follows it, and short enough to be listened to. */
function tidy(text: string): string {
  let clause =
    text.split(
      /;|\s+[–—-]\s+|\. |,?\s+(?:if they|if the (?:customer|caller|person|patient|client)|and then|then ask|unless|so that you)\b/i,
    )[0] ?? text;
  clause = clause.replace(/[.!?:,\s]+$/, '').trim();
  if (clause.length <= MAX_CHARACTERS) return clause;
  const cut = clause.slice(0, MAX_CHARACTERS);
  return cut
    .slice(0, Math.max(cut.lastIndexOf(', '), cut.lastIndexOf(' and '), cut.lastIndexOf(' ')))
    .replace(/[,\s]+$/, '');
}

const PERSON =
  '(?:customers?|clients?|patients?|callers?|persons?|people|leads?|prospects?|recipients?|users?|contacts?|members?|guests?|subscribers?|tenants?|applicants?|candidates?|homeowners?)';
const NAME_VARIABLES =
  /^(?:first_?name|name|full_?name|customer(?:_?name)?|patient(?:_?name)?|client(?:_?name)?|contact(?:_?name)?|lead(?:_?name)?|recipient(?:_?name)?)$/i;

/** The prompt speaks to the agent about a person; said on the call, "you" is that person and the agent is "we". */
function addressToPerson(clause: string, variables: Record<string, string>): string {
  const names = Object.entries(variables)
    .filter(([name, value]) => NAME_VARIABLES.test(name) && value.trim().length > 1)
    .map(([, value]) => escapeForPattern(value.trim()));
  const who =
    names.length > 0
      ? `(?:${names.join('|')}|(?:the |our |this |each |every |a |an )?(?:existing |new |potential |current |former )?${PERSON})`
      : `(?:the |our |this |each |every |a |an )?(?:existing |new |potential |current |former )?${PERSON}`;
  return clause
    .replace(/\byourself\b/gi, 'myself')
    .replace(/\byours?\b/gi, 'our')
    .replace(/\byou\b/gi, 'we')
    .replace(new RegExp(`\\b${who}['’]s?(?=\\s)`, 'gi'), 'your')
    .replace(new RegExp(`\\b${who}(?![\\w'’])`, 'gi'), 'you')
    .replace(/\b(?:their|his)\b/gi, 'your')
    .replace(
      /\bher\b(?=\s+(?!(?:an?|the|some|any|another|this|that|our|my|to|about|of|if|whether|for|at|on|in|and|or|with|what|when|how|again|back)\b)\w)/gi,
      'your',
    )
    .replace(/\b(?:them|him|her)\b/gi, 'you')
    .replace(/\b(?:they are|he is|she is|they're|he's|she's)\b/gi, 'you are')
    .replace(/\b(?:they have|he has|she has)\b/gi, 'you have')
    .replace(/\b(?:they|he|she)\b/gi, 'you')
    .replace(/\byou is\b/gi, 'you are')
    .replace(/\byou was\b/gi, 'you were')
    .replace(/\byou has\b/gi, 'you have')
    .replace(/\s+/g, ' ')
    .trim();
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
