import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';
import { addressToPerson } from './address-to-person.ts';

/** One question that the prompt wants asked, in its order. */
export type Step = {
  /** `slot`: the day and time, which the agent asks for in its own way. */
  kind: 'question' | 'slot';
  /** As it is asked. */
  ask: string;
  /** Asked only after this answer to the question before. */
  after: 'yes' | 'no' | undefined;
};

const ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;
const CONDITION = /^(?:if|when|in case)\b([^,:]*)[,:]\s*(?:then\s+)?/i;
const ON_YES =
  /^\s*(?:so|yes|they (?:do|are|have|did|can|will)|(?:he|she) (?:does|is|has|did|can|will)|the answer is yes)\s*$/i;
const ON_NO =
  /^\s*(?:not|no|they (?:do not|don't|are not|aren't|have not|haven't)|(?:he|she) (?:does not|doesn't|is not|isn't|has not|hasn't)|the answer is no)\s*$/i;
const ORDER =
  /^(?:(?:please|then|first|next|finally|also|always|politely|afterwards|you)\s*,?\s+)*(?:ask(?: (?:them|him|her|you|the \w+|callers?))?|find out|get|collect|take|note(?: down)?|clarify|determine|agree(?: with (?:them|the \w+))?)\s+(?:for |on |about )?(.+)$/i;
/** "Ask one question at a time" is about manners, "take a message" is another tool's business. */
const NO_STEP =
  /\b(?:at a time|one question|open questions|short questions|message|permission|politely|to speak|if they have time|never|do not|don't)\b/i;
const DAY_AND_TIME =
  /\b(?:day|date|time|slot|when)\b.*\b(?:time|day|date|visit|come|appointment|suits?|works?)\b|^(?:the |a )?(?:day|date|time|slot)\b|^(?:day and time|when (?:they|you) (?:can|could|want to|would like to) (?:come|visit|arrive|bring|be there|stop by|drop)|which day)/i;
const WH =
  /^(?:(?:under|at|on|in|for|with|to|from|by) )?(?:what|which|who|whose|when|where|why|how|whether|if)\b/i;

const ASKS =
  /^(?:(?:then|first|next|always|please|also),? )*ask (?:(?:them|the \w+|callers?) )?(?:for (?:the|their|how)|whether|if|how|which|what|at what|when|where)\b/i;
/** "When somebody wants a room, ask …" tells no more than that the questions belong to what is booked. */
const WANTED =
  /^\s*(?:somebody|someone|a caller|callers?|they|people|the caller|a customer|a guest|a patient)\s+(?:wants?|needs?|asks? for|would like|books?|calls? to book)\b/i;

/** The questions of a prompt: items of its lists, and sentences that tell to ask something before booking. */
export function readSteps(body: string, variables: Record<string, string>): Step[] {
  const steps: Step[] = [];
  for (const line of body.split('\n')) {
    const isItem = ITEM.test(line);
    const plain = toSpokenText(line);
    if (plain === '' || /^\s{0,3}#/.test(line)) continue;
    const sentences = isItem
      ? [plain]
      : splitSentences(plain.replace(/(?:: |(?<=\bask\b.*), (?:and (?:then )?)?)(?=ask\b)/gi, '. '));
    for (const sentence of sentences) {
      const step = readStep(sentence, isItem, variables);
      if (step && !steps.some((known) => known.ask === step.ask)) steps.push(step);
    }
  }
  return steps;
}

function readStep(sentence: string, isItem: boolean, variables: Record<string, string>): Step | undefined {
  const [prefix, condition = ''] = sentence.match(CONDITION) ?? [];
  const after = ON_YES.test(condition) ? 'yes' : ON_NO.test(condition) ? 'no' : undefined;
  // What else a prompt makes depend on something, only a language model can follow.
  if (prefix !== undefined && !after && !WANTED.test(condition)) return undefined;
  const said = prefix === undefined ? sentence : sentence.slice(prefix.length);
  const quoted = said.match(/["“]([^"”]{3,200}\?)["”]/)?.[1];
  if (quoted && (isItem || /\bask\b/i.test(said))) return { kind: 'question', ask: quoted, after };
  if (isItem && said.endsWith('?')) return { kind: 'question', ask: said, after };
  const what = said.match(ORDER)?.[1]?.replace(/[.!;]+$/, '');
  if (what === undefined || NO_STEP.test(said)) return undefined;
  const isOrdered = isItem || after !== undefined || /\bbefore\b/i.test(what) || ASKS.test(said);
  if (!isOrdered) return undefined;
  const wanted = addressToPerson(
    (
      what.split(
        /\s+before (?=you|we|\w+ing\b|the|any)|[,;]\s+|\s+and (?:repeat|book|note|confirm|then)\b/i,
      )[0] ?? what
    ).replace(/["“”]/g, ''),
    variables,
  );
  if (DAY_AND_TIME.test(wanted)) return { kind: 'slot', ask: '', after };
  return {
    kind: 'question',
    ask: WH.test(wanted) ? `May I ask ${wanted}?` : `Could you tell me ${withArticle(wanted)}?`,
    after,
  };
}

function withArticle(noun: string): string {
  return /^(?:the|a|an|your|our|any|all|some|how|his|her)\b/i.test(noun) ? noun : `your ${noun}`;
}
