const SYLLABLES =
  'ba be bi bo ca ce co cu da de di do fa fe ga go ha ke ki la le li lo ma me mi mo na ne no pa po ra re ri ro sa se so ta te ti to va ve wa za'.split(
    ' ',
  );
const VOCABULARY = 20_000;

/** Sentences of made words, some frequent and many rare as in real text; the same for the same seed. */
export function madeText(seed: number, length: number): string {
  const random = randomFrom(seed);
  let text = '';
  for (let count = 1; text.length < length; count++)
    text += sentence(random) + (count % 6 === 0 ? '\n\n' : ' ');
  return text;
}

export function madeSentence(seed: number): string {
  return sentence(randomFrom(seed));
}

function sentence(random: () => number): string {
  const words = Array.from({ length: 6 + Math.floor(random() * 12) }, () =>
    word(Math.floor(random() ** 3 * VOCABULARY)),
  );
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function word(index: number): string {
  let text = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    text += SYLLABLES[rest % SYLLABLES.length] ?? '';
  return text;
}

function randomFrom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e37_79b1) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}
