import { createHmac, timingSafeEqual } from 'node:crypto';

/** Contract, Limits: "Recording link lifetime". */
export const LINK_LIFETIME_SECONDS = 3600;

/** Storage keys of a call's recording and of what is derived from it. */
export function recordingKeyOf(workspaceId: string, callId: string): string {
  return `recordings/${workspaceId}/${callId}.wav`;
}

export function waveformKeyOf(recordingKey: string): string {
  return recordingKey.replace(/\.wav$/, '.peaks.json');
}

/**
 * Path and query of a signed link to one recording, relative to the public address. `viewer` is the person it is made
 * for, so that the audit log can tell who fetched it; other systems have no viewer.
 */
export function signRecordingPath(callId: string, now: Date, secret: string, viewer?: string): string {
  const expires = String(Math.floor(now.getTime() / 1000) + LINK_LIFETIME_SECONDS);
  const query = new URLSearchParams({ expires, ...(viewer === undefined ? {} : { viewer }) });
  query.set('signature', signatureOf({ callId, expires, viewer }, secret));
  return `/api/recordings/${encodeURIComponent(callId)}?${query}`;
}

/** What a link says of itself. */
export type RecordingLink = {
  callId: string;
  expires?: string | undefined;
  viewer?: string | undefined;
  signature?: string | undefined;
};

/** Processes read different clocks: how far ahead of ours the one may be that signed a link. */
const CLOCK_SKEW_SECONDS = 60;

/**
 * Whether a link was signed by us for this very recording, has not expired, and is none that we would not have made:
 * whoever has the secret makes none that lasts longer than ours.
 */
export function isLinkValid(link: RecordingLink, now: Date, secret: string): boolean {
  if (!link.expires || !/^\d{1,12}$/.test(link.expires) || !link.signature) return false;
  const expected = Buffer.from(signatureOf(link, secret));
  const given = Buffer.from(link.signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  const secondsLeft = Number(link.expires) - now.getTime() / 1000;
  return secondsLeft > 0 && secondsLeft <= LINK_LIFETIME_SECONDS + CLOCK_SKEW_SECONDS;
}

function signatureOf(link: Omit<RecordingLink, 'signature'>, secret: string): string {
  const signed = [
    'recording',
    link.callId,
    link.expires,
    ...(link.viewer === undefined ? [] : [link.viewer]),
  ];
  return createHmac('sha256', secret).update(signed.join('\n')).digest('base64url');
}

export type ByteRange =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

/**
 * Reads a `Range` header (RFC 9110, 14.2). One range is served as a part; several, other units and malformed ones
 * are ignored, as the RFC allows, and answered with the whole.
 */
export function parseRange(header: string | null, sizeBytes: number): ByteRange {
  const match = header === null ? null : /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (!match) return { kind: 'whole' };
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') {
    const suffixBytes = Number(last);
    if (suffixBytes === 0 || sizeBytes === 0) return { kind: 'unsatisfiable' };
    return { kind: 'part', start: Math.max(0, sizeBytes - suffixBytes), end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  if (start >= sizeBytes) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}
