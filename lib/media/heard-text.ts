/** A pause at a comma or a full stop takes about as long as this many letters. */
const PAUSE_LETTERS = { comma: 3, stop: 6 };

/**
 * The part of `text` that was audible after `heardMs` of its `totalMs`: whole words only, since half a word was not
 * understood. Words take time by their letters and the pauses after them.
 */
export function truncateAtPlayout(
  text: string,
  heardMs: number,
  totalMs: number,
): { heard: string; unheard: string } {
  if (heardMs >= totalMs) return { heard: text, unheard: '' };
  const words = [...text.matchAll(/\S+/g)].map((match) => ({
    end: match.index + match[0].length,
    weight: weigh(match[0]),
  }));
  const totalWeight = words.reduce((total, word) => total + word.weight, 0);
  const heardWeight = totalMs === 0 ? 0 : (heardMs / totalMs) * totalWeight;
  let passed = 0;
  let cut = 0;
  for (const word of words) {
    passed += word.weight;
    if (passed > heardWeight) break;
    cut = word.end;
  }
  return { heard: text.slice(0, cut), unheard: text.slice(cut).trimStart() };
}

function weigh(word: string): number {
  const pause = /[.!?:]["')]*$/.test(word)
    ? PAUSE_LETTERS.stop
    : /[,;]$/.test(word)
      ? PAUSE_LETTERS.comma
      : 0;
  return word.length + 1 + pause;
}
