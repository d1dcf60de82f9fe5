/** Words of a tag's description that say nothing about what the tag is for. */
const COMMON = new Set(
  `a about after again all also an and any are as ask asked asking asks at be because been before being but by call called
   caller calling calls can client contact contacted conversation could customer customers did do does done during each else
   ever every for from gave get give given gives had has have having he her him his how human i if in into is it its just let
   like made make makes may me mention mentioned mentioning mentions might more must my need needed needs no not of on one or
   other our out over patient people person phone please raise raised request requested requesting requests said say saying
   says she should so some somebody someone something speak spoke talk talked talking tell that the their them then there these
   they this those to told told too up use used user want wanted wanting wants was we were what when where whether which who
   will wish wished with would you your`.split(/\s+/),
);

/**
 * Whether the telling words of a tag's description all occur in what the person said (word stems, any order). A
 * description without telling words never matches: the keyless analyzer does not guess.
 */
export function descriptionOccurs(description: string, humanText: string): boolean {
  const wanted = stems(description).filter((stem) => stem.telling);
  if (wanted.length === 0) return false;
  const said = new Set(stems(humanText).map((stem) => stem.value));
  return wanted.every((stem) => said.has(stem.value));
}

function stems(text: string): { value: string; telling: boolean }[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => ({ value: stemOf(word), telling: !COMMON.has(word) && word.length > 1 }));
}

/** Enough to make "invoices", "invoiced" and "invoicing" one word; no dictionary. */
function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const stem = word.length > 4 ? word.replace(/(ing|ed|es|s)$/, '') : word.replace(/s$/, '');
  return stem.length > 3 ? stem.replace(/e$/, '') : stem;
}
