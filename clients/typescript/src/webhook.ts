import type { WebhookPayload } from './generated/types.gen.ts';

/** The header of a webhook that holds its signature; Node and most frameworks write names of headers small. */
export const SIGNATURE_HEADER = 'x-webhook-signature';

/**
 * Whether a webhook comes from the service: its signature is the lowercase hexadecimal HMAC-SHA256 of the body's bytes,
 * keyed with the whole secret of the workspace. `body` is the body as it came, before any parsing.
 */
export async function isSignedWebhook(webhook: {
  body: Uint8Array | string;
  signature: string | null | undefined;
  secret: string;
}): Promise<boolean> {
  const { body, signature, secret } = webhook;
  if (!/^[0-9a-f]{64}$/.test(signature ?? '')) return false;
  const encoder = new TextEncoder();
  const { subtle } = globalThis.crypto;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', encoder.encode(secret), hmac, false, ['verify']);
  const pairs = signature?.match(/../g) ?? [];
  const given = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  // Compares in constant time.
  return subtle.verify(
    'HMAC',
    key,
    given,
    typeof body === 'string' ? encoder.encode(body) : Uint8Array.from(body),
  );
}

/** What a webhook tells, where its signature is right; undefined where it is not, which a receiver answers with 401. */
export async function readWebhook(
  webhook: Parameters<typeof isSignedWebhook>[0],
): Promise<WebhookPayload | undefined> {
  if (!(await isSignedWebhook(webhook))) return undefined;
  const text = typeof webhook.body === 'string' ? webhook.body : new TextDecoder().decode(webhook.body);
  return JSON.parse(text) as WebhookPayload;
}
