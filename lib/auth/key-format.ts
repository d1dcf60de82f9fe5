import { createHash } from 'node:crypto';

export const KEY_PREFIX = 'cw_live_';
const RANDOM_BYTES = 32;
const CHECKSUM_CHARACTERS = 6;
const PATTERN = /^cw_live_([\w-]{43})([\w-]{6})$/;

/** A new key: prefix, 32 random bytes and a checksum, so that scanners know it and a typing error is seen. */
export function formatKey(secret: (sizeBytes: number) => string): string {
  const random = secret(RANDOM_BYTES);
  return `${KEY_PREFIX}${random}${checksum(random)}`;
}

/** Whether the text looks like a generated key, or the beginning of one. Keys of a provision file may be any text. */
export function hasChecksum(key: string): boolean {
  return key.startsWith(KEY_PREFIX);
}

export function isIntact(key: string): boolean {
  const match = PATTERN.exec(key);
  return match?.[1] !== undefined && checksum(match[1]) === match[2];
}

function checksum(random: string): string {
  return createHash('sha256')
    .update(KEY_PREFIX)
    .update(random)
    .digest('base64url')
    .slice(0, CHECKSUM_CHARACTERS);
}
