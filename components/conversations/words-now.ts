/** What a side says just now, after its turn `afterSeq`: once there is a later turn of it, these are old words. */
export type WordsAfterTurn = { text: string; afterSeq: number };

/** Words that changed are said after the side's last turn; unchanged ones keep the turn that they followed. */
export function followWords(
  before: WordsAfterTurn | undefined,
  text: string,
  lastSeq: number,
): WordsAfterTurn {
  return before?.text === text ? before : { text, afterSeq: lastSeq };
}

/** The words that are no turn yet. */
export function wordsWithoutTurn(words: WordsAfterTurn | undefined, lastSeq: number): string {
  return words?.afterSeq === lastSeq ? words.text : '';
}
