import { randomBytes } from 'node:crypto';
import type { Ids } from '#lib/ports/ids.ts';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

export const systemIds: Ids = {
  next: (prefix) => `${prefix}_${timePart()}${randomPart()}`,
  secret: (sizeBytes) => randomBytes(sizeBytes).toString('base64url'),
};

/** Nine base-36 characters of milliseconds: ids made later sort later, which keeps index inserts at the end. */
function timePart(): string {
  return Date.now().toString(36).padStart(9, '0');
}

/** Fifteen characters of randomness (77 bits); 252 = 7 * 36, so the modulo is even. */
function randomPart(): string {
  let out = '';
  while (out.length < 15) {
    for (const byte of randomBytes(24)) {
      if (byte < 252 && out.length < 15) out += ALPHABET.charAt(byte % 36);
    }
  }
  return out;
}
