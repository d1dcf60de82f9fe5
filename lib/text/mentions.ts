import { queryTerms, termsOf } from './terms.ts';

/**
 * Whether `text` has all telling words of `phrase`, in whatever form and order. Alternatives stand beside `|`: one of
 * them is enough.
 */
export function mentions(text: string, phrase: string): boolean {
  const terms = new Set(termsOf(text));
  return phrase.split('|').some((alternative) => {
    const wanted = queryTerms(alternative);
    return wanted.length > 0 && wanted.every((term) => terms.has(term));
  });
}
