/**
 * Small operations on text that stay linear whatever it contains: prompts are as long as 100,000 characters, and an
 * expression such as `/\s+$/` takes seconds on a run of blanks that long.
 */

/** One line, the breaks as single blanks. */
export function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** Without the trailing characters that `characters` contains. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Runs of blanks and empty lines shortened, for whoever looks for patterns in it. */
export function compact(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd().replace(/[^\S\n]{4,}/g, '   '))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}
