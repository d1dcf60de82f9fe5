import { hasForeignBody, sdpOf } from './body.ts';
import type { CallMedia } from './call-media.ts';
import { dialogOfRequest } from './dialog.ts';
import { header, headerList, lists, responseTo, type SipRequest, type SipResponse } from './message.ts';
import { addSdp, createSession } from './session.ts';
import { answerExpiry, LEAST_SESSION_SECONDS } from './session-timer.ts';
import { GIVE_UP_MS } from './timers.ts';
import type { Invitation } from './user-agent.ts';

/** A call that came in, from its INVITE on (RFC 3261, section 13.3). */
export type IncomingCall = ReturnType<typeof ringIncoming>;

export type IncomingHandlers = {
  media: CallMedia;
  onDigit(digit: string): void;
  /** The caller has our answer: sound goes both ways. */
  onConfirmed(): void;
  onEnded(by: 'human' | 'carrier'): void;
};

/** Why an INVITE cannot be taken, before anything is spent on it; undefined where it can be. */
export function refusalOf(invitation: Invitation): SipResponse | undefined {
  const { request } = invitation.transaction;
  const refuse = (status: number) => responseTo(request, status, invitation.localTag);
  if (hasForeignBody(request)) return refuse(415);
  if (!acceptsSdp(request)) return refuse(406);
  if (answerExpiry(request) !== 'tooShort') return undefined;
  const response = refuse(422);
  response.headers.set('min-se', [String(LEAST_SESSION_SECONDS)]);
  return response;
}

/** Whether the caller can read our description of the sound: whoever says nothing of it can (section 20.1). */
function acceptsSdp(request: SipRequest): boolean {
  const accepted = headerList(request, 'accept');
  return (
    accepted.length === 0 ||
    accepted.some((type) => /^(?:application\/(?:sdp|\*)|\*\/\*)\s*(?:;|$)/i.test(type))
  );
}

/** Lets the caller hear that it rings. The call waits for `answer` or `reject`. */
export function ringIncoming(invitation: Invitation, handlers: IncomingHandlers) {
  const { transaction, essentials, localTag, host } = invitation;
  const { request } = transaction;
  const { media } = handlers;
  const offer = sdpOf(request);
  let state: 'ringing' | 'answered' | 'confirmed' | 'over' = 'ringing';
  let stopProvisional = () => {};
  const rseq = 1;

  const session = createSession(host, dialogOfRequest(request, localTag), {
    media,
    onDigit: handlers.onDigit,
    onEnded: (by) => end(by),
    onPrack(prack) {
      if (!(header(prack, 'rack') ?? '').startsWith(`${rseq} ${essentials.seq} `)) return false;
      stopProvisional();
      return true;
    },
  });
  session.learn(request);

  function end(by: 'human' | 'carrier'): void {
    if (state === 'over') return;
    const wasRinging = state === 'ringing';
    state = 'over';
    stopProvisional();
    if (wasRinging) {
      session.discard();
      transaction.respond(responseTo(request, 487, localTag));
    }
    handlers.onEnded(by);
  }

  function reject(status: number): void {
    if (state !== 'ringing') return;
    state = 'over';
    stopProvisional();
    session.discard();
    transaction.respond(responseTo(request, status, localTag));
  }

  /** 180, until the caller says that he has it where he can say so (RFC 3262). */
  function ring(): void {
    const ringing = responseTo(request, 180, localTag);
    session.describeUs(ringing);
    if (!lists(request, 'supported', '100rel') && !lists(request, 'require', '100rel'))
      return transaction.respond(ringing);
    ringing.headers.set('require', ['100rel']);
    ringing.headers.set('rseq', [String(rseq)]);
    const stopRepeating = host.timers.repeat(GIVE_UP_MS, () => transaction.respond(ringing));
    const stopWaiting = host.timers.after(GIVE_UP_MS, () => {
      reject(504);
      handlers.onEnded('carrier');
    });
    stopProvisional = () => {
      stopRepeating();
      stopWaiting();
    };
    return transaction.respond(ringing);
  }

  /** Accepts; false where the caller's offer cannot be taken, or he is gone. */
  function answer(): boolean {
    if (state !== 'ringing') return state !== 'over';
    const description = offer === undefined ? media.offer() : media.answer(offer);
    if (description === undefined) {
      reject(488);
      handlers.onEnded('carrier');
      return false;
    }
    state = 'answered';
    stopProvisional();
    const response = responseTo(request, 200, localTag);
    const expiry = answerExpiry(request);
    const timer = expiry === 'tooShort' ? undefined : expiry;
    session.describeUs(response, timer?.header, timer?.needsPeer);
    addSdp(response, description);
    session.accept(transaction, response, essentials.seq, (ack) => {
      if (state !== 'answered') return;
      const late = sdpOf(ack);
      if (offer === undefined && (late === undefined || !media.takeAnswer(late))) return hangUpUnusable();
      state = 'confirmed';
      session.setExpiry(timer?.expiry);
      return handlers.onConfirmed();
    });
    return true;
  }

  function hangUpUnusable(): void {
    state = 'over';
    session.bye();
    handlers.onEnded('carrier');
  }

  transaction.onCancel(() => end('human'));
  ring();

  return {
    session,
    answer,
    reject,
    /** BYE, or the refusal of a call that still rings. */
    hangUp(): void {
      if (state === 'ringing') return reject(603);
      state = 'over';
      return session.bye();
    },
  };
}
