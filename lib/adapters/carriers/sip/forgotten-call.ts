import type { LineTrace } from '#lib/ports/carrier.ts';
import { type Dialog, requestWithin } from './dialog.ts';
import type { Headers, SipRequest } from './message.ts';
import type { Trunk } from './trunk.ts';
import type { UserAgent } from './user-agent.ts';

/*
 * A process that dies forgets its calls, and a telephone goes on ringing. Everything by which the INVITE is found again
 * follows from the call's reference, so that the next process can take it back, and whoever answers meanwhile is told
 * that it is over.
 */

export type Trace = { callId: string; localTag: string; branch: string };

/** An INVITE, and those that answered a challenge or a refusal. */
const ATTEMPTS = [
  { seq: 1, suffix: '' },
  { seq: 2, suffix: '-2' },
  { seq: 3, suffix: '-3' },
];

/**
 * Takes back an INVITE of a process that is gone. True: it was still ringing, and is no more. `formerPort`: where that
 * process listened, which is part of what the trunk knows its INVITE by; the answer comes to this one's (`rport`).
 */
export async function cancelForgotten(
  userAgent: UserAgent,
  trunk: Trunk,
  trace: Trace,
  formerPort: number | undefined,
): Promise<boolean> {
  try {
    const own = await userAgent.flowTo(trunk.uri);
    const flow = formerPort ? { ...own, local: { ...own.local, port: formerPort } } : own;
    const asked = ATTEMPTS.map(
      ({ seq, suffix }) =>
        new Promise<boolean>((resolve) => {
          userAgent.sendWithBranch(cancelRequest(trunk, trace, seq), flow, `${trace.branch}${suffix}`, {
            onResponse: ({ status }) => {
              if (status >= 200) resolve(status < 300);
            },
            onFailed: () => resolve(false),
          });
        }),
    );
    return (await Promise.all(asked)).some(Boolean);
  } catch {
    // No way to the trunk: whether it rings there nobody knows.
    return false;
  }
}

/** Of a call that was answered: all that a BYE needs. */
export function traceOfDialog(dialog: Dialog): LineTrace {
  const { callId, localTag, remoteTag, local, remote, localSeq, target, routes } = dialog;
  return {
    callId,
    localTag,
    remoteTag,
    local,
    remote,
    localSeq: String(localSeq),
    target,
    routes: routes.join('\n'),
  };
}

/** Requests of the process that is gone, which nobody counted: a number may be left out, not used twice. */
const UNKNOWN_REQUESTS = 1_000;

/** Hangs up on somebody whose call has no process any more. True: the peer knew the call, and that it is over. */
export function endForgotten(userAgent: UserAgent, trace: LineTrace): Promise<boolean> {
  const { callId = '', localTag = '', remoteTag = '', local = '', remote = '', target = '' } = trace;
  const dialog: Dialog = {
    callId,
    localTag,
    remoteTag,
    local,
    remote,
    localSeq: Number(trace.localSeq) + UNKNOWN_REQUESTS,
    remoteSeq: undefined,
    target,
    routes: (trace.routes ?? '').split('\n').filter((route) => route !== ''),
  };
  return new Promise((resolve) => {
    void userAgent.send(requestWithin(dialog, 'BYE'), {
      onResponse: ({ status }) => {
        if (status >= 200) resolve(status < 300);
      },
      onFailed: () => resolve(false),
    });
  });
}

function cancelRequest(trunk: Trunk, { callId, localTag }: Trace, seq: number): SipRequest {
  const headers: Headers = new Map([
    ['max-forwards', ['70']],
    ['from', [`<${trunk.uri}>;tag=${localTag}`]],
    ['to', [`<${trunk.uri}>`]],
    ['call-id', [callId]],
    ['cseq', [`${seq} CANCEL`]],
  ]);
  return { kind: 'request', method: 'CANCEL', uri: trunk.uri, headers, body: '' };
}
