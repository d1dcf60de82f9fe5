import { tagOf } from './grammar.ts';
import { header, serializeMessage, type SipRequest, type SipResponse } from './message.ts';
import { GIVE_UP_MS, T2_MS, T4_MS, type Timers } from './timers.ts';
import type { Flow } from './flow.ts';

export type ServerTransaction = {
  request: SipRequest;
  flow: Flow;
  /** Sends a response; after a final one only a 2xx of an INVITE may be sent again. */
  respond(response: SipResponse): void;
  /** The INVITE is to be given up: called once, while it has no final response. */
  onCancel(listener: () => void): void;
  /** An INVITE that was refused, and whose ACK is awaited here. */
  isRefused(): boolean;
  /** Our tag in the last response. */
  toTag(): string | undefined;
  receive(request: SipRequest): void;
  cancel(): void;
};

/** RFC 3261, section 17.2, with the state that RFC 6026 adds: a repeated INVITE that was accepted is silence. */
export function createServerTransaction(options: {
  request: SipRequest;
  flow: Flow;
  timers: Timers;
  onOver(): void;
}): ServerTransaction {
  const { request, flow, timers, onOver } = options;
  const isInvite = request.method === 'INVITE';
  let state: 'proceeding' | 'accepted' | 'completed' | 'confirmed' | 'over' = 'proceeding';
  let last: { bytes: Buffer; toTag: string | undefined } | undefined;
  let onCancel: (() => void) | undefined;
  let stopRepeating = () => {};
  let stopWaiting = () => {};

  function end(): void {
    state = 'over';
    stopRepeating();
    stopWaiting();
    onOver();
  }

  function endIn(ms: number): void {
    stopWaiting();
    if (ms === 0) end();
    else stopWaiting = timers.after(ms, end);
  }

  function respond(response: SipResponse): void {
    const isSuccess = response.status >= 200 && response.status < 300;
    if (state !== 'proceeding' && !(state === 'accepted' && isSuccess)) return;
    const bytes = serializeMessage(response);
    last = { bytes, toTag: tagOf(header(response, 'to')) };
    flow.send(bytes);
    if (response.status < 200 || state === 'accepted') return;
    if (isInvite && isSuccess) {
      state = 'accepted';
      endIn(GIVE_UP_MS);
    } else {
      state = 'completed';
      if (isInvite && !flow.isReliable) stopRepeating = timers.repeat(T2_MS, () => flow.send(bytes));
      endIn(isInvite ? GIVE_UP_MS : flow.isReliable ? 0 : GIVE_UP_MS);
    }
  }

  return {
    request,
    flow,
    respond,
    isRefused: () => state === 'completed' || state === 'confirmed',
    toTag: () => last?.toTag,
    onCancel(listener) {
      onCancel = listener;
    },
    cancel() {
      if (state === 'proceeding') onCancel?.();
    },
    receive(again) {
      if (again.method === 'ACK') {
        if (state !== 'completed') return;
        state = 'confirmed';
        stopRepeating();
        endIn(flow.isReliable ? 0 : T4_MS);
      } else if (last && (state === 'proceeding' || state === 'completed')) flow.send(last.bytes);
    },
  };
}
