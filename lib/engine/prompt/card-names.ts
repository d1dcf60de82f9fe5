import {
  hideAbbreviations,
  showAbbreviations,
  SUFFIX_PATTERN,
  TITLE_PATTERN,
} from '#lib/text/abbreviations.ts';

/**
 * Finds the two names of a voice card in a prompt, by the ways people write them. Patterns are tried in the order of
 * how surely they mean it; docs/prompts.md lists them.
 */

// One part of a person's name: Mia, O'Neill, Anne-Marie. Names do not go on in the next line.
const WORD = String.raw`\p{Lu}[\p{L}\p{M}]{0,30}(?:['’-]\p{L}[\p{L}\p{M}]{0,30}){0,3}`;
const GAP = String.raw`[^\S\n]+`;
const TITLE = String.raw`(?:${TITLE_PATTERN}\.(?:-${TITLE_PATTERN}\.)?)`;
const PERSON = String.raw`(?:(?:${TITLE}|(?:Dr|Mr|Mrs|Ms|Frau|Herr|Señora?|Mme|Prof|M)\.?)${GAP}){0,4}${WORD}(?:${GAP}(?:(?:von|van|de|del|da|di)${GAP})?${WORD}){0,2}(?!['’]?[\p{L}\p{M}])`;
// Business names carry digits, ampersands, dots inside and small words between their parts.
const PART = String.raw`(?:\p{Lu}|\d)[\p{L}\p{M}\p{N}'’.&+-]{0,40}(?<![.'’-])|[a-z]\p{Lu}[\p{L}\p{N}]{0,40}`;
/** One letter for a name, as in "J. P. Harris". */
const INITIAL = String.raw`\p{Lu}\.`;
const LINK = String.raw`(?:${TITLE}|${INITIAL}|hl\.|&|\+|and|und|et|y|of|the|de|del|la|le|für|for|am|an|der|des|du|zum|zur)`;
const LEGAL_FORM = String.raw`${SUFFIX_PATTERN}\.`;
const ENDS_IN_LEGAL_FORM = new RegExp(`(?<!\\p{L})${LEGAL_FORM}$`, 'u');
const BUSINESS = String.raw`(?:(?:${TITLE}|${INITIAL})${GAP}(?:&${GAP})?){0,4}(?:${PART})(?:${GAP}(?:&${GAP})?${LEGAL_FORM}|${GAP}(?:${LINK}${GAP}){0,5}(?:${PART})){0,6}`;

const YOU_ARE = String.raw`(?:[Yy]ou(?: a|['’])re|YOU ARE|[Dd]u bist|[Ss]ie sind|[Ee]res|[Uu]sted es|[Tt]u es|[Vv]ous êtes)`;
const NAME_IS = String.raw`(?:[Yy]our (?:\p{L}+ )?name(?: is|['’]s| will be| shall be| should be)|[Yy]ou(?: are|['’]re) (?:called|named)|[Yy]ou go by|[Dd]ein Name (?:ist|lautet)|[Ii]hr Name (?:ist|lautet)|[Dd]u hei(?:ß|ss)t|[Ss]ie hei(?:ß|ss)en|[Tt]e llamas|[Ss]e llama|[Tt]u nombre es|[Ss]u nombre es|[Tt]u t['’]appelles|[Vv]ous vous appelez|[Tt]on nom est|[Vv]otre nom est)`;
const NAMED = String.raw`(?:named|called|name of|goes by|whose name is|[Ii]ntroduces? (?:yourself|itself) as|[Aa]ct as|[Ss]peak as|namens|mit dem Namen|stell(?:e|en Sie)? dich als|llamad[ao]|nommée?|appelée?)`;
const SAYS_NAME = String.raw`(?:[Mm]y name(?: is|['’]s)|[Tt]his is|I am|I['’]m|[Ii]t['’]s|[Mm]ein Name ist|[Hh]ier ist|[Hh]ier spricht|[Ii]ch bin|[Mm]e llamo|[Ss]oy|[Ll]e habla|[Hh]abla|[Jj]e m['’]appelle|[Ii]ci|[Jj]e suis)`;

/** Capitalised words that begin a role, not a name. */
const NO_PERSON =
  /^(?:the|a|an|ai|an ai|virtual|receptionist|assistant|agent|customer|support|sales|front|phone|voice|representative|english|german|french|spanish|ein|eine|der|die|das|un|una|une|le|la|not|now|here|calling|speaking|responsible|helpful|friendly)\b|^(?:dr|mr|mrs|ms|frau|herr)$/i;
const NO_BUSINESS =
  /^(?:the|le|la|el|der|die|das)$|^(?:ai|you|your|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|english|german|french|spanish|montag|dienstag|mittwoch|donnerstag|freitag|always|never|if|when|please|do|ask|appointment|appointments|inbound|outbound|customer|customers|callers?|phone|faq|i|we)(?:\s|$)/i;

const pattern = (source: string) => new RegExp(source, 'u');

const PERSON_PATTERNS = [
  pattern(
    String.raw`(?:^|\n)[^\S\n]*(?:[Pp]ersona|[Nn]ame|(?:[Aa]gent|[Aa]ssistant|[Pp]ersona|[Vv]oice)(?:['’]s)? [Nn]ame)\s*[:：]\s*["“„]?(${PERSON})`,
  ),
  pattern(String.raw`${NAME_IS}(?:\s*:)?\s+["“„'‘]?(${PERSON})`),
  pattern(
    String.raw`${YOU_ARE}\s+["“„'‘]?(${PERSON})["”“'’]?(?=\s*(?:[,.;:!?(–—-]|\n|$|(?:from|the|an?|and|at|of|with|calling|who|your|our|working|in|on|here|speaking|für|von|bei|aus|und|die|der|das|eine?|vom|de|la|el|l['’]|une?|du|chez|en)\b))`,
  ),
  pattern(String.raw`${NAMED}\s+["“„'‘]?(${PERSON})`),
];
/** A name written small after words that can only mean a name. */
const SMALL_NAME =
  /\b(?:you are(?=\s+\p{Ll}+, (?:the|an?|our)?\s*(?:\p{Ll}+ ){0,2}(?:receptionist|assistant|agent|host)\b)|your (?:\p{L}+ )?name is|dein name ist|ihr name ist|du heißt)\s+["“„'‘]?(\p{Ll}[\p{L}-]{1,30})(?=\s*(?:[,.;!?"”]|\n|$|and\b|from\b))/iu;
const SAID_PERSON = [
  pattern(String.raw`${SAYS_NAME}\s+(${PERSON})`),
  pattern(String.raw`(?:^|[,.!?]\s+)(${PERSON})\s+(?:speaking|here|am Apparat|al habla|à l['’]appareil)`),
  pattern(String.raw`(?:at|of|from|for|bei|von|calling)\s+${BUSINESS},\s+(${PERSON})\s+speaking`),
];

/** The name the assistant gives; `opening` is the line the prompt spells out, where it has one. */
export function findPersonaName(text: string, opening: string | undefined): string | undefined {
  const written = firstMatch(PERSON_PATTERNS, text, isPerson);
  if (written !== undefined) return written;
  const small = SMALL_NAME.exec(text)?.[1];
  if (small !== undefined && isPerson(small)) return small.charAt(0).toUpperCase() + small.slice(1);
  return opening === undefined ? undefined : firstMatch(SAID_PERSON, opening, isPerson);
}

const ROLE = String.raw`(?:[Rr]eceptionist|[Aa]ssistant|[Aa]gent|[Rr]epresentative|[Cc]oordinator|[Ss]cheduler|[Hh]ost(?:ess)?|[Oo]perator|[Ss]ecretary|[Cc]oncierge|[Ss]pecialist|[Ff]ront [Dd]esk|[Dd]esk|[Tt]eam|[Ss]taff|[Vv]oice|[Ll]ine|[Rr]ezeptionist(?:in)?|[Aa]ssisten(?:t|tin|z)|\p{L}{0,20}[Aa]ssistent(?:in)?|\p{L}{0,20}[Mm]itarbeiter(?:in)?|[Ee]mpfang(?:skraft|sdame)?|[Ss]timme|[Rr]ecepcionista|[Aa]sistente|[Rr]éceptionniste|[Aa]ssistante?)`;
const ARTICLE = String.raw`(?:the\s+|der\s+|die\s+|das\s+|dem\s+|den\s+|des\s+|la\s+|el\s+|le\s+|les\s+)?`;
const AT = String.raw`(?:at|for|from|with|of|on behalf of|bei|beim|für|von|vom|der|des|im|in der|de|del|para|en|chez|pour|du)`;
const QUOTED = String.raw`["“„«]([^"”“»\n]{2,80})["”“»]`;

const BUSINESS_PATTERNS = [
  pattern(
    String.raw`(?:^|\n)[^\S\n]*(?:[Bb]usiness|[Cc]ompany|[Oo]rgani[sz]ation|[Pp]ractice|[Cc]linic|[Rr]estaurant|[Hh]otel|[Ff]irma|[Uu]nternehmen|[Pp]raxis|[Ee]mpresa|[Ee]ntreprise)(?: [Nn]ame)?\s*[:：]\s*["“„]?([^\n"”“,;(]{2,100})`,
  ),
  pattern(
    String.raw`(?:${ROLE}|[Ww]ork(?:s|ing)?|[Ee]mployed|[Cc]alling|[Aa]rbeitest|[Aa]rbeiten|[Tt]rabajas|[Tt]ravaill\p{L}+|${YOU_ARE}[^.\n]{0,60}?)\s+(?:at|for|of|from|bei|für|von|de|para|chez|pour)\s+(?:an?\s+[^.\n"“„«]{2,40}\s(?:called|named)\s+)?${QUOTED}`,
  ),
  pattern(String.raw`${ROLE}\s+${AT}\s+${ARTICLE}(${BUSINESS})`),
  pattern(
    String.raw`(?:[Ww]ork(?:s|ing)?|[Ee]mployed|[Aa]rbeitest|[Aa]rbeiten|[Tt]rabajas?|[Tt]ravailles?|[Tt]ravaillez)\s+(?:as\s+[^.\n]{0,60}?\s+)?(?:at|for|by|with|für|bei|beim|para|en|pour|chez)\s+${ARTICLE}(${BUSINESS})`,
  ),
  pattern(
    String.raw`(?:on behalf of|in the name of|im Namen|im Auftrag|de parte de|au nom de)\s+(?:von\s+)?${ARTICLE}(${BUSINESS})`,
  ),
  pattern(
    String.raw`(?:${YOU_ARE}|${NAME_IS}|${NAMED})[^.!?\n]{0,80}?\s(?:from|at|with|of|for|bei|beim|von|vom|für|de|del|du|chez)\s+${ARTICLE}(${BUSINESS})`,
  ),
  pattern(
    String.raw`[Yy]ou(?: a|['’])re\s+calling\s+[^.!?\n]{0,80}?(?:from|for|on behalf of)\s+${ARTICLE}(${BUSINESS})`,
  ),
  pattern(String.raw`\b(?:[Rr]epresent(?:ing|s)?|[Rr]epräsentier\p{L}+)\s+${ARTICLE}(${BUSINESS})`),
  pattern(
    String.raw`${YOU_ARE}\s+(?:the\s+|an?\s+)?(?:\p{Ll}+\s+){0,2}(${BUSINESS}?)(?:['’]s)?\s+(?:(?:virtual|AI|phone|voice|friendly|automated)\s+){0,3}(?:receptionist|assistant|agent|front desk|representative|host|operator)`,
  ),
  pattern(
    String.raw`(?:[Aa]nswer(?:s|ing)?|[Hh]andle|[Tt]ake|[Tt]aking)\s+(?:the\s+)?(?:phones?|calls|inbound calls|telephone)\s+(?:at|for|of)\s+${ARTICLE}(${BUSINESS})`,
  ),
  pattern(String.raw`(?:^|\n)[^\S\n]*(?:[Aa]bout|[Üü]ber)\s+(?:[Tt]he\s+)?(${BUSINESS})\s*(?:[:：]|\n|$)`),
];
const SAID_BUSINESS = [
  pattern(
    String.raw`(?:[Tt]hank you for calling|[Tt]hanks for calling|[Ww]elcome to|[Yy]ou(?:['’]ve| have) reached|[Cc]alling from|[Cc]alling for|[Cc]alling on behalf of|[Aa]nruf bei|[Ww]illkommen (?:bei|beim|in der|im)|[Gg]racias por llamar a|[Bb]ienvenid[oa]s? a|[Mm]erci d['’]appeler|[Bb]ienvenue (?:chez|à|au))\s+${ARTICLE}(${BUSINESS})`,
  ),
  pattern(
    String.raw`${SAYS_NAME}\s+${PERSON}\s*,?\s+(?:calling\s+)?(?:from|at|with|of|for|bei|von|vom|de|chez)\s+${ARTICLE}(${BUSINESS})`,
  ),
  pattern(
    String.raw`(?:^|[,.!?]\s+)(${BUSINESS}),\s+(?:this is|${PERSON}\s+speaking|you(?:['’]re| are) speaking)`,
  ),
];

/** The business the assistant speaks for. */
export function findBusinessName(
  text: string,
  opening: string | undefined,
  personaName: string | null,
): string | undefined {
  const accepts = (name: string) => isBusiness(name) && name !== personaName;
  return (
    firstMatch(BUSINESS_PATTERNS, text, accepts) ??
    (opening === undefined ? undefined : firstMatch(SAID_BUSINESS, opening, accepts))
  );
}

/** The first acceptable match of the first pattern that has one: a rejected word must not hide a name after it. */
function firstMatch(
  patterns: readonly RegExp[],
  text: string,
  accepts: (name: string) => boolean,
): string | undefined {
  for (const one of patterns) {
    for (const match of text.matchAll(new RegExp(one, 'gu'))) {
      const found = match[1] === undefined ? undefined : untilSentenceEnd(match[1].trim());
      if (found === undefined) continue;
      const end = match.index + match[0].lastIndexOf(found) + found.length;
      const name = withoutPossessive(found, text.slice(end, end + 40));
      if (accepts(name)) return name;
    }
  }
  return undefined;
}

/** "Praxis Dr. Lind. Hours" names Praxis Dr. Lind; the full stop of "Acme Inc." stays. */
function untilSentenceEnd(name: string): string {
  const first = hideAbbreviations(name).split(/(?<=\.)\s+/)[0] ?? '';
  const shown = showAbbreviations(first);
  return ENDS_IN_LEGAL_FORM.test(shown) ? shown : shown.replace(/\.$/, '').trimEnd();
}

/** "Alpha Dental's front desk" names Alpha Dental; "the host of Luigi's" names Luigi's. */
function withoutPossessive(name: string, after: string): string {
  const ownsSomething = /^\s+(?!(?:and|in|on|who|that|where|to|for|at|near|with|by|or)\b)\p{Ll}/u.test(after);
  return ownsSomething ? name.replace(/['’]s$/u, '') : name;
}

function isPerson(name: string): boolean {
  return name.length >= 2 && !NO_PERSON.test(name);
}

function isBusiness(name: string): boolean {
  return name.length >= 2 && !NO_BUSINESS.test(name) && !name.includes('{{');
}

export type Names = { personaName: string | null; businessName: string | null };

/**
 * A line that was written with the names `from`, with the names `to` in their place; null where it gives a name and
 * `to` has none. Names that the line itself gives ("this is …") count as `from` where that name changes.
 */
export function withNames(line: string, from: Names, to: Names): string | null {
  const personaName = findPersonaName('', line) ?? null;
  const said = { personaName, businessName: findBusinessName('', line, personaName) ?? null };
  return replaceNames(line, [from, said], {
    personaName: from.personaName === to.personaName ? undefined : to.personaName,
    businessName: from.businessName === to.businessName ? undefined : to.businessName,
  });
}

/** A longer text in which the names `from` give way to `to`, where there are both. */
export function withNamesInText(text: string, from: Names, to: Names): string {
  const changed = (field: keyof Names) => (from[field] === to[field] ? undefined : (to[field] ?? undefined));
  const now = { personaName: changed('personaName'), businessName: changed('businessName') };
  return replaceNames(text, [from], now) ?? text;
}

/** `now`: undefined where the name stays. */
function replaceNames(
  text: string,
  olds: readonly Names[],
  now: { [Field in keyof Names]: string | null | undefined },
): string | null {
  const changes = (['personaName', 'businessName'] as const).flatMap((field) =>
    olds.flatMap((names) => {
      const [old, next] = [names[field], now[field]];
      const isThere = old !== null && next !== undefined && new RegExp(wholeWord(old), 'u').test(text);
      return isThere ? [[old, next] as const] : [];
    }),
  );
  if (changes.length === 0) return text;
  if (changes.some(([, next]) => next === null)) return null;
  const nextOf = new Map(changes);
  // All at once, the longest first: a new name may hold an old one, and may stand there already.
  const kept = [...nextOf.values()].filter((name) => name !== null);
  const longestFirst = [...nextOf.keys(), ...kept].toSorted((a, b) => b.length - a.length);
  return text.replace(
    new RegExp(longestFirst.map(wholeWord).join('|'), 'gu'),
    (old) => nextOf.get(old) ?? old,
  );
}

/** Not inside a longer word, and not as the name of a variable. */
function wholeWord(name: string): string {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&');
  return String.raw`(?<!\{\{\s{0,3})(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])`;
}
