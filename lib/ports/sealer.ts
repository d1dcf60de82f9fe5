/**
 * Keeps secrets that have to be readable again. What was sealed for one `place` does not open for another, so a row's
 * secret is worthless in a row of somebody else's.
 */
export type Sealer = {
  seal(text: string, place: string): string;
  /** undefined: sealed for another place or with another key, or changed since. */
  open(sealed: string, place: string): string | undefined;
};
