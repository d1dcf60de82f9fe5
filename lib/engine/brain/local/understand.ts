import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { sentimentOfEnglish } from '#lib/text/english.ts';
import type { Emergency } from '#lib/text/emergencies.ts';
import { createCueTable, toCueText } from './cues.ts';
import sayings from './data/sayings.json' with { type: 'json' };
import { knowsWord, likeliestAct, readMeanings } from './meaning.ts';

/** A row of `data/sayings.json`: what people say, and what the agent does about it. */
export type Saying = {
  act: string;
  /** How it is said; `not` says where it means something else. */
  cues: string[];
  not?: string[];
  /** Whole utterances that have to be understood so: the tests read them. */
  examples?: string[];
  /** The agent's lines (`data/lines.json`), in order. */
  say?: string[];
  /** One of `acts.ts`, after the lines. */
  do?: string;
  /** Hang up afterwards, for this reason. */
  end?: string;
  /** What the agent asked with its lines. */
  await?: string;
  /** The question asked before stays open. */
  keep?: boolean;
  /** Where the agent has just asked one of these, the words are the answer and not this act. */
  unlessAwaiting?: string[];
  /** What differs when the person called us. */
  inbound?: { say: string[]; await?: string };
};

/** A part of an utterance that says one thing. */
export type Clause = { text: string; isQuestion: boolean };

export type Understanding = {
  heard: string;
  clauses: Clause[];
  /** What was meant, the most important first: the order of the table. */
  acts: Saying[];
  /** Those of them that only the examples tell. */
  guessed: ReadonlySet<Saying>;
  has(act: string): boolean;
  isQuestion: boolean;
  /** How likely it asks for a fact, 0 to 1, whatever words it has in common with an act. */
  asksFact: number;
  /** Strong words without a complaint that the table knows. */
  isBitter: boolean;
};

const TABLE: readonly Saying[] = sayings;
/** "And", "but" and the like begin a new clause where somebody or a question follows. */
const CLAUSE_BORDER =
  /(?:[,;]\s*|\s+)(?:and|but|so|also|plus|because|or)(?:\s+(?:also|then|maybe))?\s+(?=(?:i|we|can|could|do|does|did|how|what|when|where|which|who|is|are|my|would|will|have)\b)|,\s*(?=(?:can|could|do|does|how|what|when|where|is there|are there|are you)\b)|\s+(?=(?:could we|can we|how about|what about)\b)/gi;
/** Speech has no punctuation: a question also begins where these words follow on a statement of some length. */
const QUESTION_BORDER =
  /\s+(?=(?:how (?:much|long|many|do|does|can|late|early|often|far)|what (?:is|are|time|do|does|would|will|did)|where (?:is|are|do|can|exactly)|when (?:is|are|do|does|can|will)|who (?:is|does|do|will|can|are)|can (?:i|you)|do (?:i|you)|is (?:there|that|this)|are (?:there|you))\b)/i;
/** What goes on with these words is one question: "tell me when …", "what if … do I …". */
const GOES_ON =
  /\b(?:what|which|when|where|who|how|why|if|whether)\b|\b(?:and|but|or|so|to|me|us|know|wonder|wondering|ask|see|say|tell|about|just|sure|is|are|that|not|please)$/i;

/** "I got fired two weeks ago how much time do I have" says two things. */
function splitBeforeQuestion(text: string): string[] {
  const at = text.search(QUESTION_BORDER);
  const [before, after] = [text.slice(0, at), text.slice(at).trim()];
  const isTwo = at > 0 && before.split(' ').length >= 3 && !GOES_ON.test(before);
  return isTwo ? [before, after] : [text];
}

const QUESTION_CUES = [
  '^ hi|hello|hey|okay|ok|yes|yeah|well|so|and|but|um|uh|uhm|er|sure|great|thanks|thank|you|actually|sorry|please|just|quick? hi|hello|hey|okay|ok|yes|yeah|well|so|and|but|um|uh|sure|sorry|please|question? what|when|where|which|who|whose|why|how|till|until|by|any|do|does|did|is|are|was|can|could|will|would|should|may|might|must|have|has|got|am',
  '^ what|when|where|which|who|whose|why|how|till|until|any|do|does|did|are|is|can|could|will|would|should|may|might|must|have|has|got',
  'to|from|on|in|at|by which|what',
  'like|want|need to know|ask|find',
  'i|we be? wonder|wondering',
  'tell me',
  'do you know',
  'have a question about',
  'is|are there',
  'do|does you|they',
];
const QUESTION = createCueTable([{ value: true, cues: QUESTION_CUES }]);
const BITTER = -0.6;
/** How likely an act has to be by the examples alone; as an answer to a question, most words are no act. */
const LIKELY = 0.55;
const VERY_LIKELY = 0.85;
/** Questions for facts that nobody has thought of are taken for these. */
const OF_FACTS = new Set(['ask_presence', 'ask_scope', 'ask_source', 'off_topic', 'ask_ai']);
const NONE = { act: '', probability: 0, asksFact: 0 };
const INTERJECTIONS =
  /^(?:(?:yes|yeah|yep|no|nope|ok|okay|well|oh|um|uh|so|hi|hello|hey|thanks|sorry|actually|sure|and|but|please)[,.!]? +)+(?=\S+ \S)/i;
/** "No, that's fine" is a no, "yes, no problem" is none. */
const BEGINS_WITH_NO = /^\W*(?:(?:oh|well|um|uh|sorry|actually|ah)\W+)?(?:no|nope|nah|not)\b/i;
const BEGINS_WITH_YES = /^\W*(?:(?:oh|well|um|uh|ah)\W+)?(?:yes|yeah|yep|yup|sure|of course)\b/i;

type Meaning = { saying: Saying; isDenial: boolean };

const isNamed = (cue: string) => cue.includes('{name}');
const tableOf = (read: (cues: readonly string[]) => string[]) =>
  createCueTable<Meaning>(
    TABLE.flatMap((saying) => [
      { value: { saying, isDenial: false }, cues: read(saying.cues) },
      { value: { saying, isDenial: true }, cues: read(saying.not ?? []) },
    ]),
  );
const COMMON = tableOf((cues) => cues.filter((cue) => !isNamed(cue)));

/** Said beside something else, these are manners. */
export const MANNERS = new Set('yes no thanks greeting acknowledge doing_well'.split(' '));
/** A question with these words may want to know something: "Is it free to move an appointment?" */
export const MAY_BE_FACT = new Set(
  'cancel move book callback language ask_human already no_longer decline hardship'.split(' '),
);

/** Whether the table alone understood a text. */
function isDecided(meant: readonly Saying[], heard: string): boolean {
  const isShort = heard.split(' ').length <= 2 && meant.length > 0;
  return isShort || meant.some(({ act }) => !MANNERS.has(act) && !MAY_BE_FACT.has(act));
}

/** Somebody asks for something to be done, and not to know something. */
export const REQUEST =
  /\b(?:can|could|may|might|shall|should|would|will) (?:i|we|you|someone|somebody|they|he|she)\b|\bpossible (?:to|for)\b|\b(?:i|we)(?:'d| would)? (?:like|need|want|have) (?:to|an?)\b|\b(?:i|we) (?:can't|cannot|won't)\b/i;

/** "I am Zoë", "my name is Ana Pérez": a name is no word of another language, and nothing else either. */
const INTRODUCED =
  /\b((?:[Ii] am|[Ii]['’]?m|[Tt]his is|[Ii]t['’]s|[Ii]t is|[Mm]y name(?:['’]s| is)) (?:(?:[Mm]rs?|[Mm]s|[Dd]r|[Ff]rau|[Hh]err|[Ss]eñora?|[Mm]adame)\.? )?)(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(\p{L}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})/gu;

const NAME = "\\p{Lu}[\\p{L}'’-]*(?: \\p{Lu}[\\p{L}'’-]*){0,3}";
/** Nothing but who somebody is: said on a call, it is a greeting. */
const ONLY_INTRODUCED = new RegExp(
  `^(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood (?:morning|afternoon|evening))[,.!]? )?(?:(?:[Ii] am|[Ii]['’]m|[Tt]his is|[Ii]t['’]s|[Ii]t is|[Mm]y (?:sur|last |first )?name(?:['’]s| is)|[Cc]all me|[Yy]ou(?:['’]re| are) (?:speaking|talking) (?:to|with)) (?:(?:Mrs?|Ms|Dr|Frau|Herr)\\.? )?(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|To|I\\b)${NAME}|${NAME} (?:here|speaking))[.!]?$`,
  'u',
);
const CAPITALIZED = /(?<![\p{L}'’-])\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*/gu;
const NO_ENGLISH_LETTER = /(?![A-Za-z])\p{Script=Latin}/u;
const LATIN_WORD = /\p{Script=Latin}{2,}/u;
const OTHER_SCRIPT = /(?=\p{L})\P{Script=Latin}/u;

/** For the examples, to which the letters of a name look like another language. A single word may be no name at all. */
function withoutForeignNames(text: string): string {
  if (!text.trim().includes(' ')) return text;
  return text.replace(CAPITALIZED, (words) => (NO_ENGLISH_LETTER.test(words) ? 'Anna' : words));
}

/** Nothing of it is written as English is. */
function isOtherScript(text: string): boolean {
  return OTHER_SCRIPT.test(text) && !LATIN_WORD.test(text);
}

/** The table with the called person's name in its cues. */
export function createUnderstanding(names: readonly string[]) {
  /** A name that is given is replaced by one that says nothing; the one who was called keeps theirs. */
  function withoutNames(text: string): string {
    return text.replace(INTRODUCED, (whole, says: string, name: string) => {
      const isName = /name/i.test(says) || /^\p{Lu}/u.test(name) || /[^a-z'’-]/i.test(name);
      const isCalled = names.some((each) => name.toLowerCase().includes(each.toLowerCase()));
      return isName && !isCalled ? `${says}Anna` : whole;
    });
  }

  const name = names.map((each) => each.toLowerCase()).join('|');
  const named =
    name === ''
      ? () => []
      : tableOf((cues) => cues.filter(isNamed).map((cue) => cue.replaceAll('{name}', name)));

  function readTable(text: string): Saying[] {
    const meanings = [COMMON, named].flatMap((find) => find(toCueText(text))).map(({ value }) => value);
    const denied = new Set(meanings.flatMap(({ saying, isDenial }) => (isDenial ? [saying] : [])));
    return meanings.map(({ saying }) => saying).filter((saying) => !denied.has(saying));
  }

  async function understand(heard: string, isAnswer = false): Promise<Understanding> {
    const isCalled = names.some((each) => heard.toLowerCase().includes(each.toLowerCase()));
    const isIntroduction = !isAnswer && !isCalled && ONLY_INTRODUCED.test(heard);
    const clauses = isIntroduction ? [{ text: heard, isQuestion: false }] : clausesOf(heard);
    const texts = [...new Set([...clauses.map((clause) => clause.text), heard])];
    const plain = texts.map(withoutNames);
    const read = plain.map(readTable);
    const isClear = isIntroduction || read.every((meant) => isDecided(meant, heard));
    const meanings = isClear
      ? []
      : await readMeanings(plain.map(withoutForeignNames).map(withoutInterjections));
    const likeliest = meanings.map((meaning, index) =>
      knowsWord(texts[index] ?? '') ? likeliestAct(meaning) : NONE,
    );
    const isForeign = !isAnswer && isOtherScript(plain.join(' '));
    const only = isIntroduction ? 'greeting' : isForeign ? 'language' : undefined;
    const acts = new Set(only === undefined ? read.flat() : TABLE.filter(({ act }) => act === only));
    const guessed = new Set<Saying>();
    const isFarewell = [...acts].some(({ act }) => act === 'farewell');
    const isYesOrNo = BEGINS_WITH_YES.test(heard) || BEGINS_WITH_NO.test(heard);
    const needed = isAnswer || (isYesOrNo && heard.split(' ').length < 4) ? VERY_LIKELY : LIKELY;
    for (const [index, meant] of read.entries()) {
      const { act, probability } = likeliest[index] ?? NONE;
      const learned = TABLE.find((saying) => saying.act === act);
      // Of two things said at once, the whole is neither.
      const isOne = clauses.length < 2 || index < clauses.length;
      const isFact = clauses[index]?.isQuestion && OF_FACTS.has(act);
      if (!learned || !isOne || isFarewell || probability < (isFact ? VERY_LIKELY : needed)) continue;
      // The table is seldom wrong, but knows too few words: where it is silent, the examples speak.
      const isSilent = meant.every((saying) => MANNERS.has(saying.act));
      if (!isSilent || (MANNERS.has(act) && meant.length > 0) || acts.has(learned)) continue;
      acts.add(learned);
      guessed.add(learned);
    }
    const unmeant = BEGINS_WITH_NO.test(heard) ? 'yes' : BEGINS_WITH_YES.test(heard) ? 'no' : '';
    const meant = TABLE.filter((saying) => acts.has(saying) && saying.act !== unmeant);
    // "I'm not interested. You are disturbing my lunch" is a refusal, which the table knows, before it is a complaint.
    const ordered = [
      ...meant.filter((each) => !guessed.has(each)),
      ...meant.filter((each) => guessed.has(each)),
    ];
    const has = (act: string) => ordered.some((saying) => saying.act === act);
    const asked = clauses.map((clause, index) => ({
      ...clause,
      isQuestion: isAnswer
        ? clause.isQuestion && (isClear || (likeliest[index]?.asksFact ?? 0) >= 0.2)
        : clause.isQuestion || (likeliest[index]?.asksFact ?? 0) >= LIKELY,
    }));
    return {
      heard,
      clauses: asked,
      acts: ordered,
      guessed,
      has,
      isQuestion: asked.some((clause) => clause.isQuestion),
      asksFact: Math.max(0, ...likeliest.map(({ asksFact }) => asksFact)),
      isBitter: !has('complain') && heard.split(' ').length > 3 && sentimentOfEnglish(heard) <= BITTER,
    };
  }

  return { understand, readTable, withEmergency };
}

/** An emergency in words that neither the table nor the examples know is one all the same. */
function withEmergency(understood: Understanding, { kind }: Emergency): Understanding {
  const name = kind === 'threat' ? 'complain' : 'hurt';
  const isKnown = understood.has('hurt') || understood.has('danger') || understood.has(name);
  const saying = TABLE.find(({ act }) => act === name);
  if (isKnown || !saying) return understood;
  const acts = [saying, ...understood.acts];
  return { ...understood, acts, has: (act) => acts.some((each) => each.act === act) };
}

function withoutInterjections(text: string): string {
  return text.replace(INTERJECTIONS, '');
}

/** The parts of an utterance that each say one thing: sentences, and what is joined with "and" or "but". */
function clausesOf(heard: string): Clause[] {
  return splitSentences(heard.replace(/\b(what|where|when|who|how)s\b/gi, '$1 is'))
    .flatMap((sentence) => sentence.split(CLAUSE_BORDER))
    .flatMap((clause) => splitBeforeQuestion(clause.trim()))
    .map((text) => text.trim())
    .filter((text) => /\p{L}|\d/u.test(text))
    .map((text) => ({ text, isQuestion: text.endsWith('?') || QUESTION(toCueText(text)).length > 0 }));
}
