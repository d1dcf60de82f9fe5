import type { SpokenWord } from '#lib/ports/speech.ts';

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

/**
 * The same by the times of the words, as the synthesizer told them; of a text whose words are not all known yet, those
 * that are known.
 */
export function truncateAtWord(
  text: string,
  words: readonly SpokenWord[],
  heardMs: number,
): { heard: string; unheard: string } {
  let cut = 0;
  for (const word of words) {
    if (word.endMs > heardMs) break;
    const at = text.toLowerCase().indexOf(word.text.toLowerCase(), cut);
    // Numbers and the like are written otherwise than they are spoken: the next word that is found includes them.
    if (at !== -1) cut = at + word.text.length;
  }
  // What follows a word without a space belongs to it: a full stop, a quotation mark.
  const end = cut === 0 ? 0 : cut + (/^\S*/.exec(text.slice(cut))?.[0].length ?? 0);
  return { heard: text.slice(0, end), unheard: text.slice(end).trimStart() };
}

/** Milliseconds per letter before a voice was heard. */
const USUAL_MS_PER_LETTER = 55;

/** How fast a voice speaks, learnt from what it has said: how long a text takes whose speech is not all there yet. */
export function createSpeechRate() {
  let letters = 0;
  let totalMs = 0;
  return {
    learn(text: string, spokenMs: number): void {
      letters += weighText(text);
      totalMs += spokenMs;
    },
    estimateMs: (text: string) =>
      weighText(text) * (totalMs > 0 && letters > 0 ? totalMs / letters : USUAL_MS_PER_LETTER),
  };
}

function weighText(text: string): number {
  return (text.match(/\S+/g) ?? []).reduce((total, word) => total + weigh(word), 0);
}

function weigh(word: string): number {
  const pause = /[.!?:]["')]*$/.test(word)
    ? PAUSE_LETTERS.stop
    : /[,;]$/.test(word)
      ? PAUSE_LETTERS.comma
      : 0;
  return word.length + 1 + pause;
}
