import { header, type Headers, serializeMessage, type SipRequest, type SipResponse } from './message.ts';
import { GIVE_UP_MS, T2_MS, T4_MS, type Timers } from './timers.ts';
import type { Flow } from './flow.ts';

export type ClientHandlers = {
  /** Each provisional response, the final one, and every further 2xx of an INVITE. */
  onResponse(response: SipResponse): void;
  /** No final answer came, or it could not be sent. */
  onFailed(reason: 'timeout' | 'unreachable'): void;
};

export type ClientTransaction = {
  /** As it was sent: with its Via. */
  request: SipRequest;
  flow: Flow;
  start(): void;
  receive(response: SipResponse): void;
  /** Gives an INVITE that was cancelled so long for its final response; then it has failed. */
  endIn(ms: number): void;
};

/** The way of an unreliable transport to say that nobody is there is silence: 32 s of it. */
export function createClientTransaction(options: {
  request: SipRequest;
  flow: Flow;
  timers: Timers;
  handlers: ClientHandlers;
  onOver(): void;
}): ClientTransaction {
  const { request, flow, timers, handlers, onOver } = options;
  const isInvite = request.method === 'INVITE';
  const bytes = serializeMessage(request);
  let state: 'calling' | 'proceeding' | 'accepted' | 'completed' | 'over' = 'calling';
  let ack: Buffer | undefined;
  let stopRepeating = () => {};
  let stopWaiting = () => {};

  function end(): void {
    state = 'over';
    stopRepeating();
    stopWaiting();
    onOver();
  }

  /** Answers repeated for a while yet find somebody who knows them (timers D, K and M). */
  function linger(ms: number): void {
    stopRepeating();
    stopWaiting();
    if (ms === 0) end();
    else stopWaiting = timers.after(ms, end);
  }

  function failIn(ms: number): void {
    stopWaiting();
    stopWaiting = timers.after(ms, () => {
      end();
      handlers.onFailed('timeout');
    });
  }

  function receiveFinal(response: SipResponse): void {
    if (isInvite && response.status < 300) {
      state = 'accepted';
      linger(GIVE_UP_MS);
    } else {
      state = 'completed';
      if (isInvite) {
        ack = serializeMessage(ackOfRefusal(request, response));
        flow.send(ack);
      }
      linger(flow.isReliable ? 0 : isInvite ? GIVE_UP_MS : T4_MS);
    }
    handlers.onResponse(response);
  }

  return {
    request,
    flow,
    start() {
      try {
        flow.send(bytes);
      } catch {
        end();
        handlers.onFailed('unreachable');
        return;
      }
      if (!flow.isReliable)
        stopRepeating = timers.repeat(isInvite ? GIVE_UP_MS : T2_MS, () => flow.send(bytes));
      failIn(GIVE_UP_MS);
    },
    endIn(ms) {
      if (state === 'calling' || state === 'proceeding') failIn(ms);
    },
    receive(response) {
      const isFinal = response.status >= 200;
      if (state === 'calling' || state === 'proceeding') {
        if (isFinal) return receiveFinal(response);
        // A person may take minutes to answer; who dialled decides how long is enough.
        if (isInvite) {
          stopRepeating();
          stopWaiting();
        }
        state = 'proceeding';
        handlers.onResponse(response);
      } else if (state === 'accepted' && isFinal && response.status < 300) handlers.onResponse(response);
      else if (state === 'completed' && isFinal && ack) flow.send(ack);
    },
  };
}

/** The ACK of a refused INVITE belongs to its transaction (RFC 3261, section 17.1.1.3). */
function ackOfRefusal(invite: SipRequest, response: SipResponse): SipRequest {
  const headers: Headers = new Map();
  for (const name of ['via', 'route', 'max-forwards', 'from', 'call-id']) {
    const values = invite.headers.get(name);
    if (values) headers.set(name, values);
  }
  headers.set('to', [header(response, 'to') ?? '']);
  headers.set('cseq', [(header(invite, 'cseq') ?? '').replace(/INVITE$/, 'ACK')]);
  return { kind: 'request', method: 'ACK', uri: invite.uri, headers, body: '' };
}
