import { describe, expect, it } from 'vitest';
import { isBackchannelIn } from './backchannels.ts';
import { knownLanguage, LANGUAGES, spokenLanguage } from './catalog.ts';
import { fillIn, type Language } from './language.ts';

type Lines = { [name: string]: string | readonly string[] | Lines };

/** Every line of a language by its path: `closing.failed`. */
function linesOf(lines: Lines, path = ''): [string, string][] {
  return Object.entries(lines).flatMap(([name, line]): [string, string][] => {
    if (typeof line === 'string') return [[`${path}${name}`, line]];
    return Array.isArray(line) ? [] : linesOf(line as Lines, `${path}${name}.`);
  });
}
const placeholdersOf = (line: string) => (line.match(/\{\w+\}/g) ?? []).sort();
const english = new Map(linesOf(LANGUAGES.en));
const SINGLE_WORDS = /^(?:spelling|between|person)/;

describe('the lines of the languages', () => {
  it('are there for at least twelve', () => {
    expect(Object.keys(LANGUAGES).length).toBeGreaterThanOrEqual(12);
  });

  it.each(Object.entries(LANGUAGES))(
    '%s has every line, finished and with the places of the English one',
    (_, language) => {
      const lines = linesOf(language);
      expect(lines.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
      for (const [path, line] of lines) {
        expect(placeholdersOf(line), path).toEqual(placeholdersOf(english.get(path) ?? ''));
        expect(line, path).toMatch(SINGLE_WORDS.test(path) ? /^\S.*\S$|^\p{L}$/u : /^[\p{L}¿{].*[.?!]$/u);
      }
      // A line that was forgotten would still be the English one.
      const sameAsEnglish = lines.filter(
        ([path, line]) => !SINGLE_WORDS.test(path) && line === english.get(path),
      );
      expect(language === LANGUAGES.en ? [] : sameAsEnglish).toEqual([]);
    },
  );

  it('are found by the first part of a code, and are English for any other', () => {
    expect(knownLanguage('de-AT')).toBe(LANGUAGES.de);
    expect(knownLanguage('no')).toBe(LANGUAGES.nb);
    expect(knownLanguage('zh')).toBeUndefined();
    expect(spokenLanguage('zh-CN')).toEqual({ code: 'en', lines: LANGUAGES.en });
    expect(spokenLanguage('de-AT').code).toBe('de-AT');
    expect(spokenLanguage('de-1x-y').code).toBe('de');
    expect(spokenLanguage(null).lines).toBe(LANGUAGES.en);
  });

  it('take values as they are', () => {
    expect(fillIn('Hello {name}, this is {persona}.', { name: '{persona}', persona: 'Mia' })).toBe(
      'Hello {persona}, this is Mia.',
    );
  });
});

describe('back-channels', () => {
  const cases: [keyof typeof LANGUAGES, string[], string[]][] = [
    [
      'en',
      ['uh-huh', 'Okay.', 'yeah, right', 'mm-hmm', 'I see', 'Mmmm'],
      ['no', 'stop', 'okay but wait', 'yesterday', ''],
    ],
    ['de', ['Ja, genau.', 'Ach so!', 'jaaa', 'Mhm'], ['nein', 'ja aber', 'Moment']],
    ['fr', ['D’accord.', 'Oui, oui', 'ah bon', 'très bien'], ['non', 'oui mais', 'attendez']],
    ['es', ['Sí, claro', 'vale', 'ajá'], ['no', 'espere', 'sí pero']],
    ['pl', ['no tak', 'Rozumiem.'], ['nie', 'chwileczkę']],
    ['tr', ['Evet, tamam', 'hı hı'], ['hayır', 'bir dakika']],
  ];
  it.each(cases)('in %s are told from words', (code, signs, words) => {
    const language: Language = LANGUAGES[code];
    expect(signs.filter((sign) => !isBackchannelIn(language, sign))).toEqual([]);
    expect(words.filter((word) => isBackchannelIn(language, word))).toEqual([]);
  });
});
