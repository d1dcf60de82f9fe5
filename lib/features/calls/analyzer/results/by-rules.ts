import {
  RESULT_LIMITS,
  type Result,
  type ResultField,
  type ResultQuote,
} from '#lib/features/agents/results/rules.ts';
import { toLocalTime } from '#lib/engine/zoned-time.ts';
import { findSpokenMoment } from '#lib/engine/brain/local/spoken-moment.ts';
import { lastQuestion, TITLE_PATTERN } from '#lib/text/abbreviations.ts';
import { readEnglish } from '#lib/text/english.ts';
import { humanActs, isOnlyGreeting, normalized, saysNo, saysYes } from '../acts.ts';
import { SAME_THING, tellingIn } from '../custom-tags.ts';
import type { ReadCall, ReadTurn } from './conversation.ts';
import { printable, valueIn } from './values.ts';

/** Rules read so few ways of saying something that what they do not find may well have been said. */
const NOT_READ = 'This could not be read without a language model.';

type Found = Pick<Result, 'value' | 'quotes'>;
/** A field with the word stems that a question about it has. */
type Wanted = { field: ResultField; stems: string[]; isName: boolean };
type Exchange = { asked: ReadTurn; question: string; answer: ReadTurn };

/**
 * What a conversation yielded, without a language model, in English: the answer to a question of the agent that is about
 * the field, or what the person said about it unasked. Where that gives no value of its type, or several, it stays empty.
 */
export function resultsByRules(
  fields: readonly ResultField[],
  call: ReadCall,
  turns: readonly ReadTurn[],
): Result[] {
  const wanted = fields.map(wantedOf);
  const exchanges = exchangesIn(turns);
  const askedAbout = exchanges.map(({ question }) => bestOf(wanted, question));
  const sentences = turns.flatMap((turn) =>
    turn.speaker === 'human' ? readEnglish(turn.text).map(({ text }) => ({ turn, text })) : [],
  );
  return wanted.map((each) => {
    const { name, type, question } = each.field;
    const answers = exchanges.filter((_, index) => askedAbout[index]?.includes(each));
    const found =
      answers.map((exchange) => answered(each, exchange, call)).findLast((value) => value !== undefined) ??
      booked(each, call, turns) ??
      sentences.map((sentence) => volunteered(each, sentence, call)).findLast((value) => value !== undefined);
    return found
      ? { name, type, question, ...found }
      : { name, type, question, value: null, quotes: [], dropped: NOT_READ };
  });
}

/** What a question asks for, and not what it asks about. */
const ASKS_FOR = new Set(['day', 'date', 'time', 'kind', 'type', 'sort', 'number', 'amount']);

function wantedOf(field: ResultField): Wanted {
  const isName = /\bname\b/i.test(field.question) || /(?:^|_)name$/.test(field.name);
  const telling = tellingIn(field.question).flatMap(({ stem }) =>
    /^\w/.test(stem) && !ASKS_FOR.has(stem) ? [stem] : [],
  );
  // To the library "name" is a word that tells nothing.
  const stems = isName ? [...telling, 'name'] : telling;
  return { field, stems: [...new Set(stems)], isName };
}

/** Each question of the agent with what the person said to it. */
function exchangesIn(turns: readonly ReadTurn[]): Exchange[] {
  return turns.flatMap((answer, index) => {
    const asked = turns[index - 1];
    if (answer.speaker !== 'human' || asked?.speaker !== 'agent') return [];
    const question = lastQuestion(asked.text);
    return question === undefined ? [] : [{ asked, question, answer }];
  });
}

/** The fields that a question is about: those most of whose telling words it has, and no other more. */
function bestOf(wanted: readonly Wanted[], question: string): Wanted[] {
  const scores = scoresOf(wanted, question);
  const best = Math.max(0, ...scores);
  return best < 0.5 ? [] : wanted.filter((_, index) => scores[index] === best);
}

function scoresOf(wanted: readonly Wanted[], text: string): number[] {
  const said = stemsIn(text);
  return wanted.map(({ stems }) =>
    stems.length === 0 ? 0 : stems.filter((stem) => isAmong(stem, said)).length / stems.length,
  );
}

function stemsIn(text: string): Set<string> {
  return new Set(readEnglish(text).flatMap(({ words }) => words.map(({ stem }) => stem)));
}

function isAmong(stem: string, said: ReadonlySet<string>): boolean {
  const names = SAME_THING.find((group) => group.includes(stem)) ?? [stem];
  return names.some((name) => said.has(name));
}

const UNKNOWN =
  /\b(?:(?:do not|don't|not) (?:know|remember|sure|certain)|no idea|not sure|i'm not certain|can't (?:say|tell|remember)|rather not say|none of your|why do you (?:ask|need|want))\b/;

function answered(wanted: Wanted, { asked, question, answer }: Exchange, call: ReadCall): Found | undefined {
  if (UNKNOWN.test(normalized(answer.text)) || isOnlyGreetingOf(wanted, answer.text)) return undefined;
  const own = readAnswer(wanted, answer.text, call);
  if (own !== undefined) return { value: own, quotes: [quoteOf(answer)] };
  // "So that is four people?" – "Yes."
  if (wanted.field.type === 'yes_no' || !saysYes(answer.text)) return undefined;
  const confirmed = wanted.isName ? nameIn(question) : readConfirmed(wanted.field, question, call);
  return confirmed === undefined
    ? undefined
    : { value: confirmed, quotes: [quoteOf(asked), quoteOf(answer)] };
}

/** "Yes?" says that somebody is there; to a question that wants a yes or a no, "Yes." is an answer. */
function isOnlyGreetingOf({ field }: Wanted, text: string): boolean {
  return field.type !== 'yes_no' && !saysYes(text) && isOnlyGreeting(text);
}

function readAnswer({ field, isName }: Wanted, text: string, call: ReadCall): Found['value'] | undefined {
  if (field.type !== 'text') return valueIn(field, text, call.place);
  if (isName) return nameIn(text) ?? bareName(text);
  if (/\be-?mail\b/i.test(field.question)) return /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(text)?.[0];
  const isAnswer = !text.trim().endsWith('?') && !isBare(text) && !humanActs(text).has('asksForHuman');
  return isAnswer ? printable(text) : undefined;
}

/** "Yes, please." to "May I ask your address?" says nothing yet. */
function isBare(text: string): boolean {
  return (saysYes(text) || saysNo(text)) && stemsIn(text).size < 4;
}

function readConfirmed(field: ResultField, question: string, call: ReadCall): Found['value'] | undefined {
  return field.type === 'text' ? undefined : valueIn(field, question, call.place);
}

const NAME = `(?:(?:Miss|Mr|Mrs|Ms|Dr|${TITLE_PATTERN}\\.) ){0,3}\\p{Lu}[\\p{L}'’-]+(?: (?:(?:van|von|de|der|den|la|le|di|da|bin) )*\\p{Lu}[\\p{L}'’-]+){0,3}`;
const INTRODUCED = new RegExp(
  `\\b(?:[Mm]y (?:full )?name is|[Mm]y name['’]s|[Nn]ame is|[Tt]his is|[Ii]t['’]s|[Ii]t is|I am|I['’]m|(?:speak|speaking|talk|talking) (?:to|with)) (${NAME})(?=[ .,!?]|$)`,
  'u',
);
const BARE_NAME = new RegExp(`^(?:(?:[Yy]es|[Ss]ure|[Oo]h|[Ww]ell|[Oo]f course)[,.] )?(${NAME})[.!]?$`, 'u');
const NO_NAME =
  /^(?:There|Thanks|Thank|Yes|Yeah|No|Nope|This|That|How|What|Who|Why|We|You|I|It|The|And|Is|A|An|Just|Not|Good|Sure|Your|Okay|Ok|Hello|Hi|Hey|Well|Please|Sorry|Maybe|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b/;

function nameIn(text: string): string | undefined {
  const name = INTRODUCED.exec(text)?.[1];
  return name === undefined || NO_NAME.test(name) ? undefined : name;
}

function bareName(text: string): string | undefined {
  const name = BARE_NAME.exec(text.trim())?.[1];
  return name === undefined || NO_NAME.test(name) ? undefined : name;
}

const ABOUT_BOOKING = new Set(['appoint', 'appointment', 'book', 'visit', 'slot']);

/** The day of an appointment that was really made on the call, with the words that named it. */
function booked({ field, stems }: Wanted, call: ReadCall, turns: readonly ReadTurn[]): Found | undefined {
  const made = call.outcome.appointment;
  if (field.type !== 'date' || !made || !stems.some((stem) => ABOUT_BOOKING.has(stem))) return undefined;
  const value = toLocalTime(new Date(made.startsAt), made.timeZone).slice(0, 10);
  const named = turns.filter(
    ({ text }) => findSpokenMoment(text, call.place.at, made.timeZone)?.date === value,
  );
  const turn = named.findLast(({ speaker }) => speaker === 'human') ?? named.at(-1);
  return turn === undefined ? undefined : { value, quotes: [quoteOf(turn)] };
}

const WISH =
  /\b(?:want|need|like|looking for|interested in|prefer|rather have|choose|take|go (?:for|with)|calling (?:about|for|because)|book|order)\b/i;

/** What the person said of their own accord: a name, or a value in a sentence that is about the field. */
function volunteered(
  wanted: Wanted,
  { turn, text }: { turn: ReadTurn; text: string },
  call: ReadCall,
): Found | undefined {
  const { field, isName, stems } = wanted;
  if (text.trim().endsWith('?') && field.type !== 'choice') return undefined;
  const quotes = [quoteOf({ ...turn, text })];
  if (isName && field.type === 'text') {
    // Whose name is asked for must not be another one's: the company's, the dog's.
    const name = stems.every((stem) => NAME_STEMS.has(stem)) ? nameIn(text) : undefined;
    return name === undefined ? undefined : { value: name, quotes };
  }
  if (field.type === 'text' || field.type === 'yes_no') return undefined;
  // The day of an appointment that somebody names alone is a wish, or the one that it is moved from.
  if (field.type === 'date' && stems.some((stem) => ABOUT_BOOKING.has(stem))) return undefined;
  const value = valueIn(field, text, call.place);
  if (value === undefined) return undefined;
  const isAbout = (scoresOf([wanted], text)[0] ?? 0) >= 0.5;
  const counted =
    field.type === 'number' ? /\bhow many (?:\w+ )?(\w{4,})/i.exec(field.question)?.[1] : undefined;
  const isMeant =
    counted === undefined
      ? isAbout || (field.type === 'choice' && WISH.test(text))
      : isCounted(counted, text);
  return isMeant ? { value, quotes } : undefined;
}

const NAME_STEMS = new Set(['name', 'full', 'first', 'last', 'surnam', 'famili']);

/** "Four people": to a question of how many there are, the number stands before them. */
function isCounted(counted: string, text: string): boolean {
  return new RegExp(`\\b(?:\\d+|[a-z]+) (?:\\w+ )?${counted}\\b`, 'i').test(text);
}

function quoteOf({ seq, speaker, text }: ReadTurn): ResultQuote {
  return { seq, speaker, text: printable(text, RESULT_LIMITS.quote) };
}
