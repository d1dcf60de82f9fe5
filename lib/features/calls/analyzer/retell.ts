import { readEnglish } from '#lib/text/english.ts';
import { hideAbbreviations, HIDDEN_STOP, showAbbreviations, TITLE_PATTERN } from '#lib/text/abbreviations.ts';
import { normalized } from './acts.ts';

/** Names of both sides as the transcript gives them; undefined where it gives none. */
export type Names = { agent: string | undefined; person: string | undefined };

type Turn = { speaker: 'agent' | 'human'; text: string };

const NAME = "\\p{Lu}[\\p{L}'’-]+";
const TITLE = `(?:Miss|Mr|Mrs|Ms|Dr|Herr|Frau|${TITLE_PATTERN}${HIDDEN_STOP}) `;
const PERSON = `(?:${TITLE}){0,3}${NAME}(?: ${NAME})?`;
const INTRODUCED = new RegExp(
  `\\b(?:[Tt]his is|[Mm]y name is|I am|I'm) ((?:${TITLE}){0,3}${NAME})(?: (?:from|of|with|at|calling for) ([^.,!?]{2,60}?))?(?= about| calling| and|[.,!?]|$)`,
  'u',
);
const GREETED = new RegExp(
  `\\b(?:Hello|Hi|Hey|Dear|[Gg]ood (?:morning|afternoon|evening)),? (${PERSON})[,.!?]`,
  'u',
);
const ASKED_FOR = new RegExp(`\\b(?:speak|talk) (?:to|with) (${PERSON})`, 'u');
const OWN_NAME = new RegExp(
  `\\b(?:[Mm]y name is|[Mm]y name's|[Tt]his is|[Ii]t's) (${PERSON})(?=[ .,!?]|$)`,
  'u',
);
/** Capitals at the start of a sentence that are no names. */
const NO_NAME =
  /^(?:There|Thanks|Thank|Yes|No|This|That|How|What|We|You|I|It|The|And|Is|A|An|Just|Not|Good|Sure|Your|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b/;

/** Who spoke, read from how they introduce and address each other. */
export function namesIn(said: readonly Turn[]): Names {
  const turns = said.map((turn) => ({ ...turn, text: hideAbbreviations(turn.text) }));
  const agentText = turns
    .filter(({ speaker }) => speaker === 'agent')
    .map(({ text }) => text)
    .join(' ');
  const opening = turns.find(({ speaker }) => speaker === 'agent')?.text ?? '';
  const introduced = INTRODUCED.exec(opening);
  const business = introduced?.[2];
  const agent = introduced?.[1] ? `${introduced[1]}${business ? ` from ${business.trim()}` : ''}` : undefined;
  const own = turns
    .filter(({ speaker }) => speaker === 'human')
    .map(({ text }) => OWN_NAME.exec(text)?.[1])
    .find((name) => name !== undefined && !NO_NAME.test(name));
  const greeted = [GREETED.exec(agentText)?.[1], ASKED_FOR.exec(opening)?.[1]].find(
    (name) => name !== undefined && !NO_NAME.test(name),
  );
  const person = own ?? greeted;
  return { agent: agent && showAbbreviations(agent), person: person && showAbbreviations(person) };
}

/** What the agent called about, as the rest of a sentence: "about the appointment on Friday", "to remind them of …". */
export function topicOfOutbound(turns: readonly Turn[], person: string | undefined): string | undefined {
  const said = openingOf(turns).map(hideAbbreviations);
  const wantedPerson = person && hideAbbreviations(person);
  for (const text of said) {
    const called =
      /\b(?:calling|call|phoning|ringing) (?:you )?(to|about|because|regarding|for) ([^.!?]+)/i.exec(text);
    if (called?.[1] && called[2]) {
      const word = called[1].toLowerCase() === 'regarding' ? 'about' : called[1].toLowerCase();
      return `${word} ${ofThem(called[2])}`;
    }
  }
  const about = /\b(?:this is|from) [^.!?]*? about ([^.!?]+)/i.exec(said[0] ?? '')?.[1];
  if (about) return `about ${ofThem(about)}`;
  const wanted = ASKED_FOR.exec(said[0] ?? '')?.[1];
  if (wanted && wanted !== wantedPerson) return `and asked for ${showAbbreviations(wanted)}`;
  const statement = said
    .flatMap((text) => readEnglish(showAbbreviations(text)))
    .map((sentence) => sentence.text)
    .find((sentence) => !PLEASANTRY.test(sentence) && sentence.split(' ').length > 3);
  return statement ? `and said ${quote(statement)}` : undefined;
}

/** What the agent said until the person had heard why: its first turn, and the next where they asked what it is about. */
function openingOf(turns: readonly Turn[]): string[] {
  const first = turns.findIndex(({ speaker }) => speaker === 'agent');
  const [opening, answer, explanation] = turns.slice(first);
  if (first < 0 || !opening) return [];
  const isAsked = answer?.speaker === 'human' && /\b(?:about|who|why|what|help you)\b/i.test(answer.text);
  return isAsked && explanation?.speaker === 'agent' ? [opening.text, explanation.text] : [opening.text];
}

const PLEASANTRY = /\b(?:this is|my name is|moment|minute|good time|how are you|sorry)\b/i;

/** What the person said they want, as the rest of "wanted to"; undefined where it cannot be told in the third person. */
export function wishIn(turns: readonly Turn[]): string | undefined {
  for (const { speaker, text } of turns) {
    if (speaker !== 'human') continue;
    const wish =
      /\b(?:i|we)(?:'d like| would like| want| wanted| need|'d love| have) to (?!know|hear|go|ask|think|check|look|see if|say|be honest|wait|run|leave)([^.!?,;]+)/i.exec(
        hideAbbreviations(text).replaceAll('’', "'"),
      )?.[1];
    if (wish && !/\byou\b|\byour\b/i.test(wish)) return ofThem(wish);
  }
  return undefined;
}

const THIRD_PERSON: readonly (readonly [RegExp, string])[] = [
  [/\b(?:I|you|we) am\b|\b(?:I'm|you're|we're|you are|we are)\b/gi, 'they are'],
  [/\b(?:I've|you've|we've)\b/gi, 'they have'],
  [/\b(?:I'd|you'd|we'd)\b/gi, 'they would'],
  [/\b(?:I'll|you'll|we'll)\b/gi, 'they will'],
  [/\b(?:my|your)\b/gi, 'their'],
  [/\b(?:mine|yours)\b/gi, 'theirs'],
  [
    /\b(of|for|to|with|about|remind|ask|tell|offer|give|send|invite|inform|help|thank|let) (?:me|you)\b/gi,
    '$1 them',
  ],
  [/\b(?:me)\b/gi, 'them'],
  [/\b(?:I|you)\b/g, 'they'],
];

/** Words of one side about itself or to the other, told about the person. */
function ofThem(text: string): string {
  return THIRD_PERSON.reduce(
    (told, [pattern, replacement]) => told.replace(pattern, replacement),
    showAbbreviations(text).trim(),
  ).replace(/\s+/g, ' ');
}

const MAX_QUOTE_CHARACTERS = 160;

export function quote(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim().replaceAll('"', "'");
  const cut =
    plain.length > MAX_QUOTE_CHARACTERS ? `${plain.slice(0, MAX_QUOTE_CHARACTERS - 1).trimEnd()}…` : plain;
  return `"${cut.replace(/[.]$/, '')}"`;
}

/** Whether two sentences are the same but for manners and punctuation. */
export function isSame(one: string, other: string): boolean {
  const plain = (text: string) => normalized(text).replace(/[^\p{L}\p{N} ]/gu, '');
  return plain(one) === plain(other);
}
