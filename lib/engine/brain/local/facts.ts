import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import { findAnswer, namesSubject } from './answer.ts';
import type { Situation } from './situation.ts';

const INSTRUCTION =
  /\b(?:you|your|never|always|don't|do not|must|should|if|when|callers?|customers?|the person|agent|assistant|say|ask|tell|keep|be|speak|use|offer|respond|answer|politely|goal|task|greeting|greet|remind|somebody|someone)\b/i;

/** The answer from the documents, else from what the prompt states. "How much is it?" asks about what was spoken of. */
export async function lookUp(
  situation: Situation,
  asked: string,
  within?: string,
): Promise<string | undefined> {
  const { memory } = situation;
  const question = namesSubject(asked) ? asked : `${asked} ${memory.subject}`;
  const texts = await knowledgeTexts(situation, question);
  const answer =
    findAnswer(question, texts, within) ?? findAnswer(question, [promptFacts(situation.plan)], within);
  if (answer !== undefined && question === asked) memory.subject = asked;
  return answer;
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
export function promptFacts(plan: CallPlan): string {
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
  return [...opening, '', ...facts, '', ...variables].join('\n');
}

/** `dueDate`, `due_date`: "due date". */
function inWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}
