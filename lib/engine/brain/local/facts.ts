import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import { asksNothing, findAnswer, namesSubject } from './answer.ts';
import { DAYS, topicOf } from './concepts.ts';
import { type OpeningHours, readOpeningHours, speakOpeningHours } from './opening-hours.ts';
import { readPassages } from './passages.ts';
import { findSpokenMoment } from './spoken-moment.ts';
import type { Situation } from './situation.ts';

/** What a question leaves open has to be found nearly whole. */
const SURE = 0.8;
const INSTRUCTION =
  /\b(?:you|your|never|always|don't|do not|must|should|if|when|callers?|customers?|the person|agent|assistant|say|ask|tell|keep|be|speak|use|offer|respond|answer|politely|goal|task|greeting|greet|remind|somebody|someone)\b/i;

/** The answer from the documents, else from what the prompt states. "How much is it?" asks about what was spoken of. */
export async function lookUp(
  situation: Situation,
  spoken: string,
  within?: string,
): Promise<string | undefined> {
  const { memory, plan } = situation;
  const asked = withoutName(spoken, plan.prompt.card.businessName);
  const hours = within === undefined ? await answerHours(situation, asked) : undefined;
  if (hours !== undefined) return hours;
  const own = promptFacts(plan, memory.purpose);
  if (namesSubject(asked)) {
    const texts = await knowledgeTexts(situation, asked);
    const answer = findAnswer(asked, texts, { within }) ?? findAnswer(asked, [own], { within });
    if (answer !== undefined) memory.subject = asked;
    return answer;
  }
  // "How much is it?" is about the call itself or about what was spoken of, and nothing else.
  const question = `${asked} ${situation.heard === spoken ? memory.subject : situation.heard}`;
  const isOutbound = plan.direction === 'OUTBOUND';
  const ofCall = isOutbound ? findAnswer(asked, [own]) : undefined;
  if (ofCall !== undefined || asksNothing(asked)) return ofCall;
  const texts = await knowledgeTexts(situation, question);
  return findAnswer(question, texts, { within, minScore: SURE }) ?? findAnswer(question, [own], { within });
}

/** In the City Library, "a library card" is a card. A question that consists of the name keeps it. */
function withoutName(question: string, businessName: string): string {
  const words = businessName.match(/\p{L}{4,}/gu) ?? [];
  const left = words.reduce((text, word) => text.replace(new RegExp(`\\b${word}\\b`, 'gi'), ''), question);
  return topicOf(left).concepts.size === 0 ? question : left.replace(/\s+/g, ' ').trim();
}

/** Beside these, a question for the opening hours is about nothing else. */
const OF_HOURS = new Set([
  'open',
  'time',
  'hour',
  'today',
  'tomorrow',
  'morn',
  'afternoon',
  'even',
  'day',
  'week',
  'weekday',
  ...DAYS,
]);

/** "How late are you open on Friday?" from the opening hours as they were understood, for the days that were asked about. */
async function answerHours(situation: Situation, asked: string): Promise<string | undefined> {
  const { concepts } = topicOf(asked);
  const isAbout = [...concepts].every(([concept, weight]) => OF_HOURS.has(concept) || weight < 0.5);
  if (!concepts.has('open') || !isAbout) return undefined;
  const hours = await openingHours(situation);
  if (!hours) return undefined;
  const named = DAYS.flatMap((day, index) => (concepts.has(day) ? [index] : []));
  const { plan } = situation;
  const date = findSpokenMoment(asked, plan.startedAt, plan.timeZone)?.date;
  const days = named.length > 0 || !date ? named : [new Date(`${date}T00:00:00Z`).getUTCDay()];
  const isOpen = days.every((day) => (hours[day] ?? []).length > 0);
  if (days.length > 0 && isOpen) return speakOpeningHours(hours, days);
  return [...(days.length === 0 ? [] : [speakOpeningHours(hours, days)]), speakOpeningHours(hours)].join(' ');
}

/** From the prompt, else from the documents; looked up once. */
export async function openingHours(situation: Situation): Promise<OpeningHours | null> {
  const { memory, plan } = situation;
  if (memory.openingHours !== undefined) return memory.openingHours;
  const read = (texts: readonly string[]) => readOpeningHours(texts.flatMap(readPassages));
  memory.openingHours =
    read([promptFacts(plan)]) ?? read(await knowledgeTexts(situation, 'What are the opening hours?')) ?? null;
  return memory.openingHours;
}

/** What the documents say about `query`; nothing where the agent may not look it up. */
export async function knowledgeTexts({ has, useTool }: Situation, query: string): Promise<string[]> {
  if (!has('search_knowledge')) return [];
  const { results } = await useTool('search_knowledge', { query: query.slice(0, 500) });
  if (!Array.isArray(results)) return [];
  return results.flatMap((hit: unknown) =>
    typeof hit === 'object' && hit !== null && 'text' in hit && typeof hit.text === 'string'
      ? [hit.text]
      : [],
  );
}

/** What the prompt states as facts ("We are open from nine to five."), without what it tells the agent to do. */
export function promptFacts(plan: CallPlan, purpose?: string): string {
  const facts = plan.prompt.body
    .split('\n')
    .flatMap((row) =>
      /^\s{0,3}#/.test(row)
        ? [row]
        : splitSentences(toSpokenText(row)).filter(
            (sentence) => !INSTRUCTION.test(sentence) && sentence.split(' ').length >= 3,
          ),
    );
  const variables = Object.entries(plan.variables)
    .filter(([name, value]) => name !== 'question' && value.trim() !== '' && value.length < 200)
    .map(([name, value]) => `The ${inWords(name)} is ${value}.`);
  const opening = splitSentences(plan.prompt.opening).filter((sentence) => !sentence.endsWith('?'));
  const called = purpose === undefined ? [] : [`I am calling ${purpose}.`];
  return [...opening, ...called, '', ...facts, '', ...variables].join('\n');
}

/** `dueDate`, `due_date`: "due date". */
function inWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}
