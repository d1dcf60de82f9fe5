import { fragmentStatus, hasForeignBody, keyOfInfo, sdpOf } from './body.ts';
import type { CallMedia } from './call-media.ts';
import { type Dialog, dialogKey, refreshTarget, requestWithin, takeInOrder } from './dialog.ts';
import type { Essentials } from './grammar.ts';
import { header, lists, responseTo, type SipRequest, type SipResponse } from './message.ts';
import {
  answerExpiry,
  createSessionTimer,
  LEAST_SESSION_SECONDS,
  readExpiry,
  type SessionExpiry,
} from './session-timer.ts';
import { GIVE_UP_MS, T2_MS, type Timers } from './timers.ts';
import type { ClientHandlers } from './transaction-client.ts';
import type { ServerTransaction } from './transaction-server.ts';

/** What a call needs of the user agent. */
export type SessionHost = {
  timers: Timers;
  /** Headers that every 2xx and every INVITE has: who we are and what we can. */
  contact(): string;
  allow: string;
  /**
   * Sends a request within the dialog. A challenge is answered where there are credentials, with the next number, which
   * `onSeq` is told.
   */
  send(request: SipRequest, handlers: ClientHandlers, onSeq: (seq: number) => void): void;
  sendAck(request: SipRequest): void;
  /** From now on requests of this dialog come here; what is returned ends that. */
  register(
    key: string,
    receive: (transaction: ServerTransaction, essentials: Essentials) => void,
  ): () => void;
  registerAck(key: string, receive: (ack: SipRequest, essentials: Essentials) => void): () => void;
};

export type SessionHandlers = {
  media: CallMedia;
  onDigit(digit: string): void;
  /** The peer ended the call, or did not answer any more. Called at most once, and not after `bye`. */
  onEnded(by: 'human' | 'carrier'): void;
  /** The peer has our reliable provisional response. */
  onPrack?(request: SipRequest): boolean;
};

export type Session = ReturnType<typeof createSession>;

/** A dialog of an INVITE, early or confirmed: its requests in both directions (RFC 3261, sections 12 to 15). */
export function createSession(host: SessionHost, dialog: Dialog, handlers: SessionHandlers) {
  const { timers } = host;
  const { media } = handlers;
  let isOver = false;
  let isRefreshing = false;
  let peerAllowsUpdate = false;
  let onOver: (() => void) | undefined;
  let onNotify: ((status: number, isFinal: boolean) => void) | undefined;
  /** 2xx of ours whose ACK is awaited, by the number of their INVITE. */
  const accepted = new Map<number, { stop(): void; onAck(ack: SipRequest): void }>();
  const timer = createSessionTimer(timers, { refresh, expire: () => giveUp() });

  const key = dialogKey(dialog.callId, dialog.localTag, dialog.remoteTag);
  const unregister = [host.register(key, receive), host.registerAck(key, receiveAck)];

  function over(): void {
    if (isOver) return;
    isOver = true;
    onOver?.();
    timer.stop();
    for (const { stop } of accepted.values()) stop();
    accepted.clear();
    for (const end of unregister) end();
  }

  function bye(): void {
    if (isOver) return;
    over();
    transmit(requestWithin(dialog, 'BYE'), { onResponse: () => {}, onFailed: () => {} });
  }

  function transmit(request: SipRequest, to: ClientHandlers): void {
    host.send(request, to, (seq) => (dialog.localSeq = seq));
  }

  /** The peer is not there any more; a BYE may find it all the same. */
  function giveUp(): void {
    if (isOver) return;
    bye();
    handlers.onEnded('carrier');
  }

  function receive(transaction: ServerTransaction, essentials: Essentials): void {
    const { request } = transaction;
    const reply = (status: number, change?: (response: SipResponse) => void) => {
      const response = responseTo(request, status, dialog.localTag);
      change?.(response);
      transaction.respond(response);
    };
    if (!takeInOrder(dialog, essentials.seq)) return reply(500);
    switch (request.method) {
      case 'BYE':
        reply(200);
        if (isOver) return undefined;
        over();
        return handlers.onEnded('human');
      case 'INVITE':
      case 'UPDATE':
        return receiveOffer(transaction, essentials, reply);
      case 'PRACK':
        return reply(handlers.onPrack?.(request) ? 200 : 481);
      case 'INFO': {
        const digit = keyOfInfo(request);
        reply(200);
        return digit === undefined ? undefined : handlers.onDigit(digit);
      }
      case 'OPTIONS':
        return reply(200, (response) => response.headers.set('allow', [host.allow]));
      case 'NOTIFY': {
        const status = fragmentStatus(request);
        reply(/^refer\b/i.test(header(request, 'event') ?? '') ? 200 : 489);
        const isFinal = /^terminated/i.test(header(request, 'subscription-state') ?? '');
        return status === undefined ? undefined : onNotify?.(status, isFinal);
      }
      case 'REFER':
        return reply(603);
      default:
        return reply(501, (response) => response.headers.set('allow', [host.allow]));
    }
  }

  type Reply = (status: number, change?: (response: SipResponse) => void) => void;

  /** Hold, another address for sound, or only a sign of life: re-INVITE and UPDATE. */
  function receiveOffer(transaction: ServerTransaction, { seq }: Essentials, reply: Reply): void {
    const { request } = transaction;
    if (isRefreshing || accepted.size > 0) return reply(491);
    if (hasForeignBody(request)) return reply(415);
    const expiry = answerExpiry(request);
    if (expiry === 'tooShort')
      return reply(422, (response) => response.headers.set('min-se', [String(LEAST_SESSION_SECONDS)]));
    const offer = sdpOf(request);
    const answer = offer === undefined ? undefined : media.answer(offer);
    if (offer !== undefined && answer === undefined) return reply(488);
    refreshTarget(dialog, request);
    if (expiry) timer.set(expiry.expiry);
    const change = (response: SipResponse) => describeUs(response, expiry?.header, expiry?.needsPeer);
    if (request.method === 'UPDATE')
      return reply(200, (response) => {
        change(response);
        if (answer !== undefined) addSdp(response, answer);
      });
    const response = responseTo(request, 200, dialog.localTag);
    change(response);
    addSdp(response, answer ?? media.offer());
    return accept(transaction, response, seq, (ack) => {
      const late = sdpOf(ack);
      if (offer === undefined && late !== undefined) media.takeAnswer(late);
    });
  }

  function describeUs(response: SipResponse, sessionExpires?: string, needsPeer?: boolean): void {
    response.headers.set('contact', [host.contact()]);
    response.headers.set('allow', [host.allow]);
    response.headers.set('supported', ['timer', '100rel']);
    if (sessionExpires === undefined) return;
    response.headers.set('session-expires', [sessionExpires]);
    if (needsPeer) response.headers.set('require', ['timer']);
  }

  /** Sends a 2xx until its ACK comes, also where the transport is reliable: a proxy's next hop may not be. */
  function accept(
    transaction: ServerTransaction,
    response: SipResponse,
    seq: number,
    onAck: (ack: SipRequest) => void,
  ): void {
    const stopRepeating = timers.repeat(T2_MS, () => transaction.respond(response));
    const stopWaiting = timers.after(GIVE_UP_MS, () => {
      accepted.delete(seq);
      stopRepeating();
      giveUp();
    });
    accepted.set(seq, {
      onAck,
      stop() {
        stopRepeating();
        stopWaiting();
      },
    });
    transaction.respond(response);
  }

  function receiveAck(ack: SipRequest, { seq }: Essentials): void {
    const waiting = accepted.get(seq);
    accepted.delete(seq);
    waiting?.stop();
    waiting?.onAck(ack);
  }

  /** A sign of life: an UPDATE where the peer knows it, else a re-INVITE that changes nothing. */
  function refresh(): void {
    if (isOver) return;
    const request = requestWithin(dialog, peerAllowsUpdate ? 'UPDATE' : 'INVITE');
    request.headers.set('contact', [host.contact()]);
    request.headers.set('supported', ['timer']);
    request.headers.set('session-expires', [`${lastSeconds};refresher=uac`]);
    request.headers.set('min-se', [String(LEAST_SESSION_SECONDS)]);
    if (request.method === 'INVITE') addSdp(request, media.offer());
    isRefreshing = true;
    transmit(request, {
      onResponse(response) {
        if (response.status < 200) return;
        isRefreshing = false;
        if (response.status < 300) receiveRefreshed(request, response);
        // The dialog is gone there, or nobody is (section 12.2.1.2); any other refusal leaves the call as it was.
        else if (response.status === 481 || response.status === 408) giveUp();
        else if (response.status === 491) timers.after(2_100, refresh);
      },
      onFailed: () => giveUp(),
    });
  }

  function receiveRefreshed(request: SipRequest, response: SipResponse): void {
    refreshTarget(dialog, response);
    if (request.method === 'INVITE') {
      host.sendAck(requestWithin(dialog, 'ACK', Number.parseInt(header(response, 'cseq') ?? '', 10)));
      const answer = sdpOf(response);
      if (answer !== undefined) media.takeAnswer(answer);
    }
    setExpiry(readExpiry(response));
  }

  let lastSeconds = 0;
  function setExpiry(expiry: SessionExpiry | undefined): void {
    lastSeconds = expiry?.seconds ?? lastSeconds;
    timer.set(isOver ? undefined : expiry);
  }

  return {
    dialog,
    bye,
    accept,
    describeUs,
    setExpiry,
    /** What a 2xx or an INVITE says of the peer. */
    learn(message: SipRequest | SipResponse): void {
      peerAllowsUpdate = lists(message, 'allow', 'UPDATE');
    },
    /** Ends without a word to the peer: the INVITE was refused, or another branch was answered. */
    discard: over,
    isOver: () => isOver,
    /** A request of ours. `onNotify` hears what becomes of a REFER. */
    request(method: string, change: (request: SipRequest) => void, to: ClientHandlers): void {
      const request = requestWithin(dialog, method);
      // A REFER begins a subscription, whose news come to this address.
      request.headers.set('contact', [host.contact()]);
      change(request);
      transmit(request, to);
    },
    onNotify(listener: typeof onNotify): void {
      onNotify = listener;
    },
    /** Called when the call ends, by whoever. */
    onOver(listener: () => void): void {
      onOver = listener;
    },
  };
}

export function addSdp(message: SipRequest | SipResponse, sdp: string): void {
  message.headers.set('content-type', ['application/sdp']);
  message.body = sdp;
}
