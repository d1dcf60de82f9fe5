import { createHmac, timingSafeEqual } from 'node:crypto';

export const SHARE_PREFIX = 'share';

/** What stands in a link: the share's id with a signature that only this installation makes. */
export function tokenOf(shareId: string, secret: string): string {
  return `${shareId}.${signatureOf(shareId, secret)}`;
}

/** The share that a token names; undefined where it was not signed by us. Takes as long for every wrong signature. */
export function shareIdOf(token: string, secret: string): string | undefined {
  const [shareId = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !shareId.startsWith(`${SHARE_PREFIX}_`)) return undefined;
  const expected = Buffer.from(signatureOf(shareId, secret));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? shareId : undefined;
}

function signatureOf(shareId: string, secret: string): string {
  return createHmac('sha256', secret).update(`share\n${shareId}`).digest('base64url');
}

export type ShareState = 'open' | 'expired' | 'revoked';

export function shareStateOf(share: { expiresAt: Date; revokedAt: Date | null }, now: Date): ShareState {
  if (share.revokedAt !== null) return 'revoked';
  return share.expiresAt > now ? 'open' : 'expired';
}
