/** About half a minute of speech: longer than anybody listens without a word of their own. */
const LONG_CHARACTERS = 450;
/** A reply that ends by then is said to its end all the same. */
const TOO_LONG_CHARACTERS = 650;

/**
 * Gives a reply's pieces on, and asks `question` instead of the rest where it would be too long for a call; the model
 * hears of it and goes on when the person wants it to. Whole pieces only.
 */
export async function* limitLength(pieces: AsyncIterable<string>, question: string): AsyncGenerator<string> {
  let characters = 0;
  const held: string[] = [];
  for await (const piece of pieces) {
    characters += piece.length;
    // The first piece is said whatever its length.
    if (characters <= LONG_CHARACTERS || characters === piece.length) {
      yield piece;
      continue;
    }
    held.push(piece);
    if (characters > TOO_LONG_CHARACTERS) {
      yield question;
      return;
    }
  }
  yield* held;
}
