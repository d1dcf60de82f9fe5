/** Flite copies its text into fixed buffers per utterance; shorter pieces also keep one job short. */
const MAX_PIECE_CHARACTERS = 400;

const SPOKEN_SYMBOLS: readonly [RegExp, string][] = [
  [/[‘’‚‛]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/[‐‑‒–—―]/g, ', '],
  [/…/g, '. '],
  [/€\s?(\d[\d.,]*)/g, '$1 euros'],
  [/£\s?(\d[\d.,]*)/g, '$1 pounds'],
  [/&/g, ' and '],
  [/@/g, ' at '],
  [/°\s?C\b/g, ' degrees Celsius'],
  [/ß/g, 'ss'],
  [/[æÆ]/g, 'ae'],
  [/[øØ]/g, 'o'],
  [/[łŁ]/g, 'l'],
];

/**
 * What an English voice that knows ASCII only can say of a text: quotes and dashes plain, accents dropped, emoji and
 * other scripts left out. Split into pieces at sentence or word borders. Nothing sayable gives no pieces.
 */
export function splitSpeakable(text: string): string[] {
  let plain = text;
  for (const [pattern, replacement] of SPOKEN_SYMBOLS) plain = plain.replace(pattern, replacement);
  plain = spellPhoneNumbers(plain)
    .normalize('NFKD')
    .replace(/[^\x20-\x7e\n]/g, (character) => (/\p{M}/u.test(character) ? '' : ' '))
    .replace(/\s+/g, ' ')
    .trim();
  if (!/[a-z0-9]/i.test(plain)) return [];
  return cutIntoPieces(plain);
}

/** "+15550100001" would be read as a number in the billions: said digit by digit, in groups. */
function spellPhoneNumbers(text: string): string {
  return text.replace(/\+?\d{7,15}\b/g, (number) => {
    const digits = number.replace('+', '');
    return (digits.match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? [digits])
      .map((group) => group.split('').join(' '))
      .join(', ');
  });
}

function cutIntoPieces(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > MAX_PIECE_CHARACTERS) {
    const window = rest.slice(0, MAX_PIECE_CHARACTERS);
    const sentenceEnd = Math.max(
      window.lastIndexOf('. '),
      window.lastIndexOf('! '),
      window.lastIndexOf('? '),
    );
    const border = sentenceEnd > 80 ? sentenceEnd + 1 : window.lastIndexOf(' ');
    const cut = border > 0 ? border : MAX_PIECE_CHARACTERS;
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}
