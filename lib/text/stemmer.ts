/**
 * Takes common endings off, so that "opening", "opens" and "opened" meet. Light on purpose: the same rule on both
 * sides is what counts, and a wrong join costs more than a missed one.
 */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  let root = word;
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(?:ss|x|ch|sh)es$/.test(root)) root = root.slice(0, -2);
  else if (root.endsWith('s') && !/(?:ss|us|is)$/.test(root)) root = root.slice(0, -1);
  if (root.length > 5 && root.endsWith('ing')) root = undouble(root.slice(0, -3));
  else if (root.length > 4 && root.endsWith('ed')) root = undouble(root.slice(0, -2));
  if (root.length > 5 && root.endsWith('ly')) root = root.slice(0, -2);
  if (root.length > 4 && root.endsWith('e')) root = root.slice(0, -1);
  return root;
}

function undouble(root: string): string {
  return /([bdgmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
}
