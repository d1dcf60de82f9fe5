import { header, type SipMessage } from './message.ts';

/** The SDP in a message, also where it is one part of several. Undefined: there is none. */
export function sdpOf(message: SipMessage): string | undefined {
  const type = header(message, 'content-type') ?? '';
  if (message.body.trim() === '') return undefined;
  if (/^application\/sdp\b/i.test(type)) return message.body;
  const boundary = /^multipart\/[^;]*;(?:.*;)?\s*boundary\s*=\s*"?([^";\s]{1,70})"?/i.exec(type)?.[1];
  if (boundary === undefined) return undefined;
  for (const part of message.body.split(`--${boundary}`)) {
    const end = /\r?\n\r?\n/.exec(part);
    if (end && /^content-type\s*:\s*application\/sdp\b/im.test(part.slice(0, end.index)))
      return part.slice(end.index + end[0].length);
  }
  return undefined;
}

/** Whether the message has a body that is not understood. */
export const hasForeignBody = (message: SipMessage) =>
  message.body.trim() !== '' && sdpOf(message) === undefined;

/** The status that a NOTIFY about a transfer brings (RFC 3515); undefined where it has none. */
export function fragmentStatus(message: SipMessage): number | undefined {
  const match = /^SIP\/2\.0 (\d{3})/i.exec(message.body.trim());
  return match ? Number(match[1]) : undefined;
}

/** A key that was sent as a message instead of sound (`application/dtmf-relay` and `application/dtmf`). */
export function keyOfInfo(message: SipMessage): string | undefined {
  const type = header(message, 'content-type') ?? '';
  if (/^application\/dtmf-relay\b/i.test(type))
    return /^\s*Signal\s*=\s*([0-9*#A-D])\s*$/im.exec(message.body)?.[1];
  return /^application\/dtmf\b/i.test(type) ? /^\s*([0-9*#A-D])\s*$/.exec(message.body)?.[1] : undefined;
}
