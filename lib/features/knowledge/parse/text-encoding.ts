import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { UnreadableDocument } from './unreadable.ts';

const SIGNATURES: { bytes: number[]; is: string }[] = [
  { bytes: [0x25, 0x50, 0x44, 0x46, 0x2d], is: 'a PDF' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], is: 'a zip archive or an Office document' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], is: 'an old Office document' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], is: 'a PNG image' },
  { bytes: [0xff, 0xd8, 0xff], is: 'a JPEG image' },
  { bytes: [0x47, 0x49, 0x46, 0x38], is: 'a GIF image' },
  { bytes: [0x1f, 0x8b], is: 'a gzip archive' },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], is: 'a program' },
  { bytes: [0x7b, 0x5c, 0x72, 0x74, 0x66], is: 'an RTF document' },
];

/** What the first bytes give a file away as; undefined for text. */
export function signatureOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find((signature) => signature.bytes.every((byte, index) => bytes[index] === byte))?.is;
}

const PIECE_BYTES = 256 * 1024;
const WESTERN = 'windows-1252';

/** Decodes a text file piece by piece: BOM, strict UTF-8, UTF-16, an older encoding. NUL bytes mean that it is no text. */
export function* decodedPieces(bytes: Buffer): Generator<string> {
  const encoding = encodingOf(bytes);
  const decoder = new TextDecoder(encoding, { fatal: encoding.startsWith('utf-') });
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const last = at + PIECE_BYTES >= bytes.length;
    const piece = decode(decoder, bytes.subarray(at, at + PIECE_BYTES), last);
    if (piece.includes('\u0000')) throw binary();
    yield piece;
  }
}

export function decodeWhole(bytes: Buffer): string {
  return [...decodedPieces(bytes)].join('');
}

function decode(decoder: TextDecoder, bytes: Buffer, last: boolean): string {
  try {
    return decoder.decode(bytes, { stream: !last });
  } catch {
    throw new UnreadableDocument(
      'The text is damaged: it is not valid in its own encoding. Save it as UTF-8 and upload it again.',
    );
  }
}

function encodingOf(bytes: Buffer): string {
  const signature = signatureOf(bytes);
  if (signature)
    throw new UnreadableDocument(
      `The content is ${signature}, not text. Give the file its right ending, or save it as text.`,
    );
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.includes(0)) return utf16WithoutMark(bytes);
  if (isUtf8(bytes)) return 'utf-8';
  if (bytes.subarray(0, PIECE_BYTES).some(isControl)) throw binary();
  return olderEncoding(bytes);
}

/** Enough for a guess; a guess of less than this is none (0 to 100). */
const SAMPLE_BYTES = 16 * 1024;
const LEAST_CONFIDENCE = 20;

/** The encoding from before Unicode that the first letters beyond ASCII speak for; without one, that of Western Europe. */
function olderEncoding(bytes: Buffer): string {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, first - SAMPLE_BYTES / 2);
  const [best] = chardet.analyse(bytes.subarray(start, start + SAMPLE_BYTES));
  const guess = best && best.confidence >= LEAST_CONFIDENCE ? best.name : WESTERN;
  const isOlder = !guess.startsWith('UTF-') && guess !== 'ASCII';
  const encoding = isOlder && isDecodable(guess) ? guess : WESTERN;
  if (new TextDecoder(encoding).encoding === WESTERN && bytes.subarray(0, PIECE_BYTES).some(isFree))
    throw binary();
  return encoding;
}

function isDecodable(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** Western text in UTF-16 has a zero in nearly every second byte, and never two in a row. */
function utf16WithoutMark(bytes: Buffer): string {
  const sample = bytes.subarray(0, 8_192 & ~1);
  let even = 0;
  let odd = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    if (sample[at] === 0) even += 1;
    if (sample[at + 1] === 0) odd += 1;
  }
  const pairs = sample.length / 2;
  if (bytes.length % 2 === 0 && odd > pairs * 0.6 && even === 0) return 'utf-16le';
  if (bytes.length % 2 === 0 && even > pairs * 0.6 && odd === 0) return 'utf-16be';
  throw binary();
}

/** Control characters that no text file holds. */
function isControl(byte: number): boolean {
  return byte < 0x20 && ![0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a].includes(byte);
}

/** The five bytes that Windows-1252 leaves free. */
function isFree(byte: number): boolean {
  return [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte);
}

function binary(): UnreadableDocument {
  return new UnreadableDocument(
    'The file is not text (it holds binary data). Upload a text file in UTF-8, or give the file its right ending.',
  );
}
