import type { Session } from './session.ts';
import type { Timers } from './timers.ts';

/** A transfer whose end is not told by then is taken for done: the peer accepted it and keeps its news to itself. */
const NEWS_WITHIN_MS = 30_000;

/**
 * Asks the peer to call somebody else instead of us (REFER, RFC 3515), and waits for what becomes of it. The call
 * itself goes on: who asked hangs up.
 */
export function referTo(
  session: Session,
  timers: Timers,
  request: { target: string; referredBy: string },
): Promise<{ ok: true } | { ok: false; reason: string }> {
  return new Promise((resolve) => {
    let stopWaiting = () => {};
    let isAccepted = false;
    const settle = (result: { ok: true } | { ok: false; reason: string }) => {
      stopWaiting();
      resolve(result);
    };
    // A peer that hangs up after it has accepted is about its task.
    session.onOver(() => settle(isAccepted ? { ok: true } : { ok: false, reason: 'the call ended' }));
    session.onNotify((status, isFinal) => {
      if (status >= 300) settle({ ok: false, reason: `the other party did not answer (${status})` });
      else if (status >= 200 || isFinal) settle({ ok: true });
    });
    const change = (refer: { headers: Map<string, string[]> }) => {
      refer.headers.set('refer-to', [`<${request.target}>`]);
      refer.headers.set('referred-by', [`<${request.referredBy}>`]);
    };
    session.request('REFER', change, {
      onResponse(response) {
        if (response.status < 200) return;
        if (response.status >= 300)
          return settle({ ok: false, reason: `the line does not transfer (${response.status})` });
        isAccepted = true;
        stopWaiting = timers.after(NEWS_WITHIN_MS, () => settle({ ok: true }));
      },
      onFailed: () => settle({ ok: false, reason: 'the line did not answer' }),
    });
  });
}
