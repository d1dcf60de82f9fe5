import { findAnswer, namesSubject, type Search } from './answer.ts';
import { isAbout, likeliestTopic, type Meaning, readMeanings } from './meaning.ts';
import { DAYS, type OpeningHours, readOpeningHours, speakOpeningHours } from './opening-hours.ts';
import { readPassages } from './passages.ts';
import { personAsked } from './person-asked.ts';
import { promptFacts } from './prompt-facts.ts';
import { findSpokenMoment } from './spoken-moment.ts';
import type { Situation } from './situation.ts';

/** What a question leaves open has to be found more surely. */
export const SURE = 1.5;
/** What was no question, or asks about "it", seldom has its answer in the documents. */
export const VERY_SURE = 3;

/** "What does it cost?" is about what was spoken of; "who is doing it?" may be about anything. */
const MEASURED = /\b(?:costs?|price|much|long|pay)\b/i;

/** The answer from the documents, else from what the prompt states. "How much is it?" asks about what was spoken of. */
export async function lookUp(
  situation: Situation,
  asked: string,
  wanted: Search = {},
): Promise<string | undefined> {
  const { memory, plan, heard } = situation;
  const mentions = personAsked(asked, plan.prompt.card.businessName);
  const search = { ...wanted, mentions };
  const [meaning] = await readMeanings([asked]);
  if (!meaning) return undefined;
  const hours =
    search.within === undefined && mentions === undefined
      ? await answerHours(situation, asked, meaning)
      : undefined;
  if (hours !== undefined) return hours;
  // Only what leaves open what it asks about can be about the call itself.
  const own = promptFacts(plan, namesSubject(asked) ? undefined : memory.purpose);
  const isOutbound = plan.direction === 'OUTBOUND';
  if (namesSubject(asked)) {
    const answer =
      (isOutbound ? await findAnswer(asked, [own], { ...search, sure: SURE }) : undefined) ??
      (await findAnswer(
        asked,
        await knowledgeTexts(situation, asked),
        isOutbound ? { ...search, sure: SURE } : search,
      )) ??
      (await findAnswer(asked, [own], search)) ??
      (await lookAgain(situation, asked, meaning, search));
    if (answer !== undefined) memory.subject = asked;
    return answer;
  }
  const ofCall = isOutbound ? await findAnswer(asked, [own], search) : undefined;
  if (ofCall !== undefined) return ofCall;
  const question = `${asked} ${heard === asked ? memory.subject : heard}`;
  const texts = await knowledgeTexts(situation, question);
  return (
    (await findAnswer(question, texts, { ...search, sure: MEASURED.test(asked) ? SURE : VERY_SURE })) ??
    findAnswer(question, [own], search)
  );
}

/** The search goes by words; where those of the question find nothing, its topic's may. */
async function lookAgain(
  situation: Situation,
  asked: string,
  meaning: Meaning,
  search: Search,
): Promise<string | undefined> {
  const topic = likeliestTopic(meaning);
  if (topic === undefined) return undefined;
  return findAnswer(asked, await knowledgeTexts(situation, topic), search);
}

/** "How late are you open on Friday?" from the opening hours as they were understood, for the days that were asked about. */
async function answerHours(
  situation: Situation,
  asked: string,
  meaning: Meaning,
): Promise<string | undefined> {
  if (isAbout(meaning, 'hours') < 0.4) return undefined;
  const hours = await openingHours(situation);
  if (!hours) return undefined;
  const named = DAYS.flatMap((day, index) => (asked.toLowerCase().includes(day) ? [index] : []));
  const weekend = /\bweekends?\b/i.test(asked) ? [6, 0] : [];
  const { plan } = situation;
  const date = findSpokenMoment(asked, plan.startedAt, plan.timeZone)?.date;
  const days =
    named.length + weekend.length > 0 || !date
      ? [...named, ...weekend]
      : [new Date(`${date}T00:00:00Z`).getUTCDay()];
  const isOpen = days.every((day) => (hours[day] ?? []).length > 0);
  if (days.length > 0 && isOpen) return speakOpeningHours(hours, days);
  // "On the first Saturday of the month we are open" says more than that Saturdays are closed.
  const told = days.length > 0 ? await findAnswer(asked, await knowledgeTexts(situation, asked)) : undefined;
  if (told && days.some((day) => told.toLowerCase().includes(DAYS[day] ?? ''))) return told;
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
