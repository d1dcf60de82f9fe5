import { z } from 'zod';
import {
  RESULT_LIMITS,
  type Result,
  type ResultField,
  type ResultQuote,
} from '#lib/features/agents/results/rules.ts';
import { saysNo } from '../acts.ts';
import type { ReadCall, ReadTurn } from './conversation.ts';
import { numbersIn } from './numbers.ts';
import { datesIn, lettersOf, printable, readClaimed } from './values.ts';

/** What a model says that a field's value is, and the words that it rests on. */
export const claim = z.object({
  name: z.string(),
  value: z.string().nullable(),
  quotes: z.array(z.object({ turn: z.int(), words: z.string() })),
});
export type Claim = z.output<typeof claim>;

const MOST_QUOTES = 3;
/** Words so short stand everywhere: they count in the turn that was named alone. */
const MIN_FOUND_ANYWHERE = 6;

const DROPPED = {
  type: 'What the model found is not of this type.',
  quote: 'What the model found rests on words that nobody said.',
  denied: 'What the model found was said by the agent alone, and not accepted.',
  words: 'What the model found is not what the words say that it named.',
} as const;

/**
 * One claim of a model, checked: the value is of the field's type, its words stand in the transcript, and they do not say
 * another number or day. Else the field stays empty, with the reason.
 */
export function checkedResult(
  field: ResultField,
  claim: Claim,
  { call, turns }: { call: ReadCall; turns: readonly ReadTurn[] },
): Result {
  const { name, type, question } = field;
  const left = (dropped: string): Result => ({ name, type, question, value: null, quotes: [], dropped });
  const value = readClaimed(field, claim.value ?? '');
  if (value === undefined || value === null) return left(DROPPED.type);
  const quotes = claim.quotes.slice(0, MOST_QUOTES).flatMap((quote) => quoted(quote, turns));
  if (quotes.length === 0) return left(DROPPED.quote);
  const isOwn = quotes.some(({ speaker }) => speaker === 'human');
  if (!isOwn && (type === 'yes_no' || quotes.every(({ seq }) => isDenied(seq, turns))))
    return left(DROPPED.denied);
  const words = quotes.map(({ text }) => text).join('\n');
  if (!agrees(field, value, words, call)) return left(DROPPED.words);
  const held = type === 'text' && !isInWords(String(value), words) ? printable(words) : value;
  return { name, type, question, value: held, quotes };
}

function quoted({ turn: seq, words }: Claim['quotes'][number], turns: readonly ReadTurn[]): ResultQuote[] {
  const wanted = lettersOf(words);
  if (wanted === '') return [];
  const holds = ({ text }: ReadTurn) => ` ${lettersOf(text)} `.includes(` ${wanted} `);
  const named = turns.find((turn) => turn.seq === seq && holds(turn));
  const found = named ?? (wanted.length < MIN_FOUND_ANYWHERE ? undefined : turns.find(holds));
  if (!found) return [];
  const text = printable(words, RESULT_LIMITS.quote);
  return [{ seq: found.seq, speaker: found.speaker, text }];
}

/** What the agent said, and the person said no to. */
function isDenied(seq: number, turns: readonly ReadTurn[]): boolean {
  const at = turns.findIndex((turn) => turn.seq === seq);
  const answer = turns.slice(at + 1).find(({ speaker }) => speaker === 'human');
  return answer !== undefined && saysNo(answer.text);
}

/** Where numbers or days are read in the words, the value is one of them. Other languages write them otherwise. */
function agrees(field: ResultField, value: Result['value'], words: string, call: ReadCall): boolean {
  if (field.type === 'number') {
    const said = numbersIn(words).map((number) => number.value);
    return said.length === 0 || said.some((number) => number === value);
  }
  if (field.type === 'date') {
    const ahead = datesIn({ question: '' }, words, call.place);
    const said = [...ahead, ...datesIn({ question: 'when was it' }, words, call.place)];
    return said.length === 0 || said.some((day) => day === value);
  }
  return true;
}

/** At least half of the longer words of a text stand in what was said; a text of short words alone, as it is. */
function isInWords(text: string, words: string): boolean {
  const said = ` ${lettersOf(words)} `;
  const own = lettersOf(text).split(' ');
  const long = own.filter((word) => word.length > 3);
  if (long.length === 0) return said.includes(` ${own.join(' ')} `);
  return long.filter((word) => said.includes(` ${word.slice(0, -1)}`)).length * 2 >= long.length;
}
