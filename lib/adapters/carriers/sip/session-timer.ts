import { header, lists, type SipMessage, type SipRequest, type SipResponse } from './message.ts';
import type { Timers } from './timers.ts';

/** Both sides tell each other now and then that the call goes on, so that a dead peer ends it (RFC 4028). */
export const SESSION_SECONDS = 1_800;
export const LEAST_SESSION_SECONDS = 90;

export type SessionExpiry = { seconds: number; isOurTurn: boolean };

/** A refusal (422) asks for at least so many seconds. */
export const leastSeconds = (message: SipMessage) => readSeconds(header(message, 'min-se'));

const readSeconds = (value: string | undefined) => {
  const match = /^(\d{1,9})/.exec(value ?? '');
  return match ? Number(match[1]) : undefined;
};

const refresherOf = (value: string | undefined) =>
  /;\s*refresher\s*=\s*(uac|uas)/i.exec(value ?? '')?.[1]?.toLowerCase();

/** What is answered to a request that begins or refreshes a session; `tooShort`: answer 422. */
export function answerExpiry(
  request: SipRequest,
): { header: string; expiry: SessionExpiry; needsPeer: boolean } | 'tooShort' | undefined {
  const value = header(request, 'session-expires');
  const asked = readSeconds(value);
  const peerCan = lists(request, 'supported', 'timer');
  if (asked === undefined) return undefined;
  if (asked < LEAST_SESSION_SECONDS) {
    return peerCan ? 'tooShort' : undefined;
  }
  const refresher = peerCan ? (refresherOf(value) ?? 'uac') : 'uas';
  return {
    header: `${asked};refresher=${refresher}`,
    expiry: { seconds: asked, isOurTurn: refresher === 'uas' },
    needsPeer: refresher === 'uac',
  };
}

/** What a 2xx to our request says; undefined where the peer knows no session timers. */
export function readExpiry(response: SipResponse): SessionExpiry | undefined {
  const value = header(response, 'session-expires');
  const seconds = readSeconds(value);
  if (seconds === undefined || seconds < LEAST_SESSION_SECONDS) return undefined;
  return { seconds, isOurTurn: refresherOf(value) !== 'uas' };
}

/** Refreshes at half of the time where it is our turn; else ends the call shortly before the time is over. */
export function createSessionTimer(timers: Timers, actions: { refresh(): void; expire(): void }) {
  let stop = () => {};
  return {
    set(expiry: SessionExpiry | undefined): void {
      stop();
      if (!expiry) return;
      const ms = expiry.seconds * 1_000;
      const margin = Math.min(32_000, ms / 3);
      stop = expiry.isOurTurn
        ? timers.after(ms / 2, actions.refresh)
        : timers.after(ms - margin, actions.expire);
    },
    stop: () => stop(),
  };
}
