import { cs } from './cs.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fi } from './fi.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import type { Language, SpokenLanguage } from './language.ts';
import { nb } from './nb.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { sv } from './sv.ts';
import { tr } from './tr.ts';

/** The languages whose fixed lines come with the service, by the first part of a language code. */
export const LANGUAGES = { cs, da, de, en, es, fi, fr, it, nb, nl, pl, pt, sv, tr } as const satisfies Record<
  string,
  Language
>;

/** Other codes of the same spoken words. */
const ALIASES: Record<string, keyof typeof LANGUAGES> = { no: 'nb', nn: 'nb' };

/** `de` of `de-AT`; `en` where no language is given. */
export function languageCode(language: string | null): string {
  const code = language?.split('-')[0]?.toLowerCase() ?? 'en';
  return ALIASES[code] ?? code;
}

/** The lines of a language that comes with the service; undefined for any other. `language` is a BCP 47 code. */
export function knownLanguage(language: string | null): Language | undefined {
  const code = languageCode(language);
  return isKnown(code) ? LANGUAGES[code] : undefined;
}

/** What looks like a language code need not be one: `de-1x`. */
function isLocale(code: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(code).length > 0;
  } catch {
    return false;
  }
}

function isKnown(code: string): code is keyof typeof LANGUAGES {
  return Object.hasOwn(LANGUAGES, code);
}

/** What a call's fixed lines are said in: the language where it comes with the service, else English. */
export function spokenLanguage(language: string | null): SpokenLanguage {
  const lines = knownLanguage(language);
  if (!lines || language === null) return { code: 'en', lines: LANGUAGES.en };
  return { code: isLocale(language) ? language : languageCode(language), lines };
}
