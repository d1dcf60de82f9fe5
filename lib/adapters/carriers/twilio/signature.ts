import { createHmac, timingSafeEqual } from 'node:crypto';
import webhooks from 'twilio/lib/webhooks/webhooks.js';
import type { TwilioSettings } from './settings.ts';

/*
 * Twilio signs what it sends with the account's token: the whole address that it asked for, and the fields of the form
 * (twilio.com/docs/usage/security). The address is taken from PUBLIC_URL, as a proxy may have changed what arrives.
 */

/** Whether a form that came to `url` (path and query) is Twilio's. */
export function isSignedForm(
  { publicUrl, authToken }: TwilioSettings,
  request: { url: string; signature: string | undefined; fields: Record<string, string> },
): boolean {
  const { signature = '', url, fields } = request;
  return signature !== '' && isValid(authToken, signature, `${publicUrl}${url}`, fields);
}

/** The same of a request to become a WebSocket, which has no form. Some of them are signed with a slash at the end. */
export function isSignedConnection(
  { publicUrl, authToken }: TwilioSettings,
  request: { url: string; signature: string | undefined },
): boolean {
  const { signature = '' } = request;
  if (signature === '') return false;
  const asked = `${publicUrl}${request.url}`;
  const asSocket = asked.replace(/^http/, 'ws');
  return [asSocket, `${asSocket}/`, asked, `${asked}/`].some((url) => isValid(authToken, signature, url, {}));
}

function isValid(authToken: string, signature: string, url: string, fields: Record<string, string>): boolean {
  try {
    return webhooks.validateRequest(authToken, signature, url, fields);
  } catch {
    // An address that cannot be parsed was not asked for by Twilio.
    return false;
  }
}

/** Told to Twilio with the address of a stream, and told back on it: it binds a stream to its call. */
export function streamToken({ authToken }: TwilioSettings, reference: string): string {
  return createHmac('sha256', authToken).update(`stream ${reference}`).digest('base64url');
}

export function isStreamToken(settings: TwilioSettings, reference: string, token: unknown): boolean {
  const expected = Buffer.from(streamToken(settings, reference));
  const given = Buffer.from(typeof token === 'string' ? token : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
