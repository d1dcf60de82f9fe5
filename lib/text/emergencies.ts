import { hideAbbreviations, showAbbreviations } from './abbreviations.ts';
import { EMERGENCY_WORDS } from './emergency-words.ts';

export type Emergency = {
  /** The sentence in which it was told. */
  said: string;
  /** `threat`: whoever speaks threatens somebody. */
  kind: 'hurt' | 'danger' | 'threat';
};

/** The edge of a word: `\b` knows the letters of English alone. */
const EDGE = '(?:(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}])|(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}]))';
const compile = (source: string, flags: string) => new RegExp(source.replaceAll('\\b', EDGE), flags);
const anyOf = (patterns: readonly string[]) =>
  compile(patterns.map((pattern) => `(?<!\\p{L})(?:${pattern})`).join('|'), 'giu');

const COMPILED = Object.values(EMERGENCY_WORDS).map(({ hurt, danger, not, notAfter, own }) => ({
  tells: [
    { kind: 'danger' as const, pattern: anyOf(danger) },
    { kind: 'hurt' as const, pattern: anyOf(hurt) },
  ],
  not: compile(`${not}(?:\\s+[\\p{L}'’]+){0,3}\\s*$`, 'iu'),
  notAfter: notAfter === undefined ? undefined : compile(`^\\s*${notAfter}`, 'iu'),
  own: compile(own, 'iu'),
}));
const THREATENS =
  /\b(?:i(?:'ll| will| am going to|'m going to|'m gonna| swear)|we(?:'ll| will))\b.*\b(?:kill|murder|shoot|stab|hurt|beat|burn|blow|harm)\b|\bich (?:\p{L}+ )?bring\p{L}* .*\bum\b|\bte voy a\b|\bje vais (?:te|vous)\b/iu;

/** Enough of a clause before a match to see whether it is denied there. */
const LOOK_BACK = 40;
const MAX_READ = 4_000;

/**
 * Where somebody tells of pain, danger, bleeding, fire, gas or a threat; undefined where nobody does. Nothing says reliably
 * which language a text is in, so it is read in all of them.
 */
export function findEmergency(text: string): Emergency | undefined {
  const sentences = hideAbbreviations(text.slice(0, MAX_READ))
    .split(/(?<=[.!?…\n])\s+/)
    .map((sentence) => showAbbreviations(sentence).trim());
  for (const said of sentences) {
    const kinds = clausesOf(said.replaceAll('’', "'")).flatMap(kindsOf);
    if (kinds.length === 0) continue;
    const kind = THREATENS.test(said) ? 'threat' : kinds.includes('danger') ? 'danger' : 'hurt';
    return { said, kind };
  }
  return undefined;
}

function clausesOf(sentence: string): string[] {
  return sentence.split(
    /(?<=[,;:–—])\s+|\s+(?=(?:but|and|aber|und|mais|pero|ma|mas|maar|ale|men|mutta|ama)\s)/iu,
  );
}

function kindsOf(clause: string): ('danger' | 'hurt')[] {
  return COMPILED.flatMap(({ tells, not, notAfter, own }) => {
    // "Does it hurt?" asks about a treatment.
    if (clause.trimEnd().endsWith('?') && !own.test(clause)) return [];
    const isMeant = (match: RegExpExecArray) =>
      !not.test(clause.slice(Math.max(0, match.index - LOOK_BACK), match.index)) &&
      !notAfter?.test(clause.slice(match.index + match[0].length));
    return tells.filter(({ pattern }) => [...clause.matchAll(pattern)].some(isMeant)).map(({ kind }) => kind);
  });
}
