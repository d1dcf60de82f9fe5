import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Sealer } from '#lib/ports/sealer.ts';
import { deriveSecret } from './secret.ts';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a key of its own, derived from AUTH_SECRET; the place is authenticated with the text. */
export function createSealer(authSecret: string): Sealer {
  const key = Buffer.from(deriveSecret(authSecret, 'sealed secrets'), 'base64url');
  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${sealed.toString('base64url')}`;
    },
    open(sealed, place) {
      const [version, body = ''] = sealed.split('.');
      const bytes = Buffer.from(body, 'base64url');
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      }).setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
