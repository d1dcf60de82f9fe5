import { withoutTrailing } from './lines.ts';
import { ATOM } from './piece-sentences.ts';

/** Words that greet or thank, after which a name may be there or not: "Hello Ann, …", "Thank you, Ann." */
const GREETING =
  'hello|hi|hey|dear|howdy|good (?:morning|afternoon|evening|day)|welcome(?: back)?|thank you|thanks|sorry|goodbye|bye|hallo|guten (?:tag|morgen|abend)|grüezi|grüß gott|servus|moin|liebe[r]?|willkommen|vielen dank|danke|auf wiederhören|hola|buenos días|buenas (?:tardes|noches)|bienvenid[oa]|gracias|adiós|bonjour|bonsoir|salut|cher|chère|bienvenue|merci|au revoir';
const AFTER_GREETING = new RegExp(`(?:^|[,;–—:"“„«]\\s*)(?:${GREETING})(?: there| again)?$`, 'iu');
const ONLY_GREETING = new RegExp(
  `^(?:${GREETING})(?: there| again| everybody)?(?:[\\s,]|${ATOM})*[.!…]*$`,
  'iu',
);
const TITLE =
  /(?:^|\s)(?:mr|mrs|ms|miss|dr|prof|frau|herrn?|señora?|señorita|sra?|monsieur|madame|mme)\.?\s*$/iu;
const JOINS_ANOTHER = /^\s*(?:and|or|und|oder|y|et|ou)\s|^\s*[&/]/iu;
const ENDS_HERE = /^\s*(?:$|[,;:.!?…)\]–—"”“»])/u;
/** Blanks and the marks of a list item or a quotation: nothing was said yet. */
const NOTHING_SAID = /^[\s\-*+•>"“„«(]*$/u;
/** Longer than a greeting with a title. */
const LOOK_BACK = 60;

/**
 * Whether a sentence is whole without the value that belongs between `before` and `after`, both outlines: the value
 * is an address or an aside, set off as in "Hello {{name}}, …", "…, {{name}}." and "({{day}})". Any other sentence
 * depends on the value.
 */
export function isSetOff(before: string, after: string): boolean {
  if (/^['’]s\b/u.test(after)) return false;
  const last = before.slice(-LOOK_BACK);
  if (/[([]\s*$/u.test(last) && /^\s*[)\]]/u.test(after)) return true;
  // A name in two variables is one address: "Hello {{first}} {{last}}, …".
  const left = withoutTitle(last.replace(new RegExp(`(?:${ATOM}\\s+)+$`, 'u'), '')).trimEnd();
  const right = after.replace(new RegExp(`^(?:\\s+${ATOM})+`, 'u'), '');
  if (isBeginning(left) && before.length <= LOOK_BACK) return /^\s*[,;:–—!]/u.test(right);
  if (AFTER_GREETING.test(left)) return !JOINS_ANOTHER.test(right);
  return ENDS_HERE.test(right) && /[,;–—]$/u.test(left);
}

/** Whether what goes on from here begins its sentence. */
export function isBeginning(before: string): boolean {
  return NOTHING_SAID.test(before);
}

/** Whether a sentence, as an outline, does no more than greet. */
export function isOnlyGreeting(sentence: string): boolean {
  return ONLY_GREETING.test(sentence.trim());
}

function withoutTitle(text: string): string {
  return text.replace(TITLE, (found) => (/^\s/u.test(found) ? found.charAt(0) : ''));
}

/**
 * Joins what stands before and after a value that was not given and that the sentence does not depend on: "Hello
 * {{name}}, this is" becomes "Hello, this is", and "{{name}}, your order" becomes "Your order".
 */
export function closeGap(before: string, after: string): string {
  let left = withoutTitle(before);
  let right = after;
  if (/[([]\s*$/u.test(left) && /^\s*[)\]]/u.test(right)) {
    left = withoutTrailing(withoutTrailing(left, ' \t').slice(0, -1), ' \t');
    right = right.replace(/^\s*[)\]]/u, '');
  }
  const isFirst = isBeginning(left);
  if (/^\s*(?:$|[.!?…)\]"”“»])/u.test(right)) left = withoutTrailing(left, ' \t\n,;:–—');
  else if (/^[\s,;:]/u.test(right)) left = withoutTrailing(left, ' \t');
  if (isFirst || /[,;:–—]$/u.test(left)) right = right.replace(/^\s*[,;:–—!]+/u, '');
  if (isFirst) return left + capitalized(right.trimStart());
  return left + right;
}

export function capitalized(text: string): string {
  return text.replace(/^(\s*)(\p{Ll})/u, (_, blank: string, letter: string) => blank + letter.toUpperCase());
}
