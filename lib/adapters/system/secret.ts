import { createHmac } from 'node:crypto';

/** A key of its own per purpose, so that a signature made for one is worthless for another. */
export function deriveSecret(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(`callwright:${purpose}`).digest('base64url');
}
