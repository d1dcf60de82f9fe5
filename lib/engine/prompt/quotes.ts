/** Quotation marks as people type them, opening to closing. Marks that look alike on both sides come last. */
const PAIRS: readonly (readonly [string, readonly string[]])[] = [
  ['„', ['“', '”', '"']],
  ['“', ['”', '"']],
  ['«', ['»']],
  ['»', ['«']],
  ['‚', ['‘', '’']],
  ['‘', ['’']],
  ['”', ['”']],
  ['"', ['"']],
  ['`', ['`']],
  ["'", ["'"]],
];

export type Quote = { text: string; start: number; end: number };

/** The first quoted text that begins at or after `from` and before `until`; quotes inside `{{…}}` do not count. */
export function findQuote(text: string, from: number, until = text.length): Quote | undefined {
  for (let at = from; at < until; at += 1) {
    const pair = PAIRS.find(([open]) => open === text.charAt(at));
    if (!pair || !opensQuote(text, at)) continue;
    const end = endOfQuote(text, at + 1, pair[1]);
    if (end === undefined) continue;
    const inside = text.slice(at + 1, end).trim();
    if (inside !== '') return { text: inside, start: at, end: end + 1 };
  }
  return undefined;
}

/** Takes away one pair of quotation marks around the whole text. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  const quote = findQuote(trimmed, 0, 1);
  return quote && /^[.\s]*$/.test(trimmed.slice(quote.end)) ? quote.text : trimmed;
}

/** An apostrophe inside a word is no quotation mark. */
function opensQuote(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  return before === '' || !/[\p{L}\p{N}]/u.test(before);
}

function endOfQuote(text: string, from: number, closers: readonly string[]): number | undefined {
  let braces = 0;
  // A quote that runs on and on is an apostrophe or a typing mistake.
  const limit = Math.min(text.length, from + 1000);
  for (let at = from; at < limit; at += 1) {
    if (text.startsWith('{{', at)) braces += 1;
    else if (text.startsWith('}}', at)) braces = Math.max(0, braces - 1);
    if (braces > 0 || !closers.includes(text.charAt(at))) continue;
    const isApostrophe = /['’]/.test(text.charAt(at)) && /\p{L}/u.test(text.charAt(at + 1));
    if (!isApostrophe) return at;
  }
  return undefined;
}
