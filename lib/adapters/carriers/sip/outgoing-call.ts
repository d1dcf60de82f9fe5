import { sdpOf } from './body.ts';
import type { CallMedia } from './call-media.ts';
import { dialogOfResponse, requestWithin } from './dialog.ts';
import { tagOf } from './grammar.ts';
import { header, type Headers, lists, type SipRequest, type SipResponse } from './message.ts';
import { addSdp, createSession, type Session, type SessionHost } from './session.ts';
import { LEAST_SESSION_SECONDS, leastSeconds, readExpiry, SESSION_SECONDS } from './session-timer.ts';
import { GIVE_UP_MS } from './timers.ts';
import type { SentRequest, UserAgent } from './user-agent.ts';
import type { Flow } from './flow.ts';

export type OutgoingHandlers = {
  media: CallMedia;
  onDigit(digit: string): void;
  onRinging(): void;
  onAnswered(): void;
  /** Never answered: the final status, or why there was none. */
  onRefused(why: number | 'timeout' | 'unreachable' | 'cancelled'): void;
  /** After the answer. */
  onEnded(by: 'human' | 'carrier'): void;
};

export type OutgoingCall = { hangUp(): void; session(): Session | undefined };

export type Invite = {
  /** Request URI and To. */
  to: string;
  from: string;
  callId: string;
  localTag: string;
  /** Of the first INVITE: known beforehand, so that it can be cancelled by who was not there when it was sent. */
  branch: string;
  headers: Headers;
};

/** Calls somebody (RFC 3261, section 13.2). Sends one INVITE, and another only in answer to a challenge, a 422 or a 488. */
export function placeOutgoing(
  userAgent: UserAgent,
  flow: Flow,
  invite: Invite,
  handlers: OutgoingHandlers,
): OutgoingCall {
  const { media } = handlers;
  const host: SessionHost = userAgent.hostFor(flow);
  /** A proxy may ring at several places; each has a dialog of its own. */
  const sessions = new Map<string, Session>();
  let state: 'calling' | 'cancelling' | 'answered' | 'over' = 'calling';
  let hasRung = false;
  let mayCancel = false;
  let hasCancelled = false;
  let answered: Session | undefined;
  let sent: SentRequest | undefined;
  let request = inviteRequest(invite, host, media.offer());
  const acknowledged = new Map<string, number>();

  function sessionOf(response: SipResponse): Session | undefined {
    const tag = tagOf(header(response, 'to'));
    if (tag === undefined) return undefined;
    const known = sessions.get(tag);
    if (known) return known;
    const dialog = dialogOfResponse(request, response);
    if (!dialog) return undefined;
    const session = createSession(host, dialog, {
      media,
      onDigit: handlers.onDigit,
      onEnded: (by) => {
        if (answered === session) handlers.onEnded(by);
      },
    });
    sessions.set(tag, session);
    return session;
  }

  function receiveProvisional(response: SipResponse): void {
    mayCancel = true;
    if (state === 'cancelling') return cancel();
    if (response.status === 100 || state !== 'calling') return undefined;
    const session = sessionOf(response);
    const early = sdpOf(response);
    if (early !== undefined) media.takeAnswer(early);
    if (session) acknowledgeProvisional(session, response);
    if (!hasRung) handlers.onRinging();
    hasRung = true;
    return undefined;
  }

  /** RFC 3262: a provisional response that asks for it gets a PRACK, each once. */
  function acknowledgeProvisional(session: Session, response: SipResponse): void {
    const rseq = Number(header(response, 'rseq'));
    if (!lists(response, 'require', '100rel') || !Number.isInteger(rseq)) return;
    const tag = session.dialog.remoteTag;
    if ((acknowledged.get(tag) ?? 0) >= rseq) return;
    acknowledged.set(tag, rseq);
    const rack = `${rseq} ${header(response, 'cseq') ?? ''}`;
    session.request('PRACK', (prack) => prack.headers.set('rack', [rack]), {
      onResponse: () => {},
      onFailed: () => {},
    });
  }

  function receiveSuccess(response: SipResponse): void {
    const session = sessionOf(response);
    if (!session) return;
    const isRepeated = acknowledged.get(`2xx ${session.dialog.remoteTag}`) === 1;
    acknowledged.set(`2xx ${session.dialog.remoteTag}`, 1);
    const seq = Number.parseInt(header(response, 'cseq') ?? '1', 10);
    const { dialog } = session;
    const route = dialogOfResponse(request, response);
    // The final response says the way, whatever provisional ones said.
    if (route && !isRepeated) Object.assign(dialog, { target: route.target, routes: route.routes });
    dialog.localSeq = Math.max(dialog.localSeq, seq);
    host.sendAck(requestWithin(dialog, 'ACK', seq));
    if (isRepeated) return;
    // Somebody else answered first, or it was given up in the same moment: nobody is kept on a dead line.
    if (state !== 'calling') {
      session.bye();
      if (state === 'cancelling') refused('cancelled');
      return;
    }
    const answer = sdpOf(response);
    if (answer !== undefined && !media.takeAnswer(answer)) {
      session.bye();
      return refused(488);
    }
    state = 'answered';
    answered = session;
    session.learn(response);
    session.setExpiry(readExpiry(response));
    discardOthers(session);
    handlers.onAnswered();
  }

  /** Places where it only rang. One that answers later all the same is told that it is over. */
  function discardOthers(kept?: Session): void {
    for (const [tag, session] of sessions) {
      if (session === kept) continue;
      session.discard();
      sessions.delete(tag);
    }
  }

  function refused(why: Parameters<OutgoingHandlers['onRefused']>[0]): void {
    if (state === 'over' || state === 'answered') return;
    const wasCancelled = state === 'cancelling';
    state = 'over';
    discardOthers();
    handlers.onRefused(wasCancelled ? 'cancelled' : why);
  }

  function receive(response: SipResponse): void {
    if (response.status < 200) return receiveProvisional(response);
    if (response.status < 300) return receiveSuccess(response);
    const again = state === 'calling' ? changedFor(response) : undefined;
    if (!again) return refused(response.status);
    request = again;
    return send(`${invite.branch}-${seqOf(again)}`);
  }

  /** The INVITE that a refusal asks for instead of ours: whoever refused has taken nothing yet. */
  function changedFor(response: SipResponse): SipRequest | undefined {
    const headers: Headers = new Map(request.headers);
    headers.set('cseq', [`${seqOf(request) + 1} INVITE`]);
    if (response.status === 422) {
      // The peer wants signs of life less often.
      const seconds = leastSeconds(response);
      if (seconds === undefined || seconds <= SESSION_SECONDS || seconds >= 86_400) return undefined;
      headers.set('session-expires', [String(seconds)]);
      headers.set('min-se', [String(seconds)]);
      return { ...request, headers };
    }
    // No encrypted sound there, and nobody's telephone has rung for it.
    const offer = response.status === 488 && !hasRung ? media.offerInTheClear() : undefined;
    return offer === undefined ? undefined : { ...request, headers, body: offer };
  }

  function send(branch: string): void {
    void userAgent
      .send(
        request,
        { onResponse: receive, onFailed: refused },
        { via: flow, branch, onChallenged: (again) => (request = again) },
      )
      .then((started) => (sent = started));
  }

  function cancel(): void {
    const transaction = sent?.current();
    if (hasCancelled || !mayCancel || !transaction) return;
    hasCancelled = true;
    transaction.endIn(GIVE_UP_MS);
    userAgent.sendWithBranch(cancelOf(transaction.request), transaction.flow, branchOf(transaction.request), {
      onResponse: () => {},
      onFailed: () => {},
    });
  }

  send(invite.branch);
  return {
    session: () => answered,
    /** Gives up what rings (a CANCEL may only follow a provisional response, section 9.1), or ends the call. */
    hangUp() {
      if (state === 'answered') answered?.bye();
      else if (state === 'calling') {
        state = 'cancelling';
        cancel();
      }
    },
  };
}

function inviteRequest(invite: Invite, host: SessionHost, offer: string): SipRequest {
  const headers: Headers = new Map([
    ['max-forwards', ['70']],
    ['from', [`<${invite.from}>;tag=${invite.localTag}`]],
    ['to', [`<${invite.to}>`]],
    ['call-id', [invite.callId]],
    ['cseq', ['1 INVITE']],
    ['contact', [host.contact()]],
    ['allow', [host.allow]],
    ['supported', ['timer', '100rel']],
    ['session-expires', [String(SESSION_SECONDS)]],
    ['min-se', [String(LEAST_SESSION_SECONDS)]],
    ...invite.headers,
  ]);
  const request: SipRequest = { kind: 'request', method: 'INVITE', uri: invite.to, headers, body: '' };
  addSdp(request, offer);
  return request;
}

/** Of an INVITE as it was sent (section 9.1): everything by which it is found, and nothing else. */
export function cancelOf(invite: SipRequest): SipRequest {
  const headers: Headers = new Map();
  for (const name of ['route', 'max-forwards', 'from', 'to', 'call-id']) {
    const values = invite.headers.get(name);
    if (values) headers.set(name, [...values]);
  }
  headers.set('cseq', [`${Number.parseInt(header(invite, 'cseq') ?? '1', 10)} CANCEL`]);
  return { kind: 'request', method: 'CANCEL', uri: invite.uri, headers, body: '' };
}

const seqOf = (request: SipRequest) => Number.parseInt(header(request, 'cseq') ?? '1', 10);

const branchOf = (request: SipRequest) => /;branch=([^;]+)/.exec(header(request, 'via') ?? '')?.[1] ?? '';
