import { createHash } from 'node:crypto';
import { describeError, type Logger } from '#lib/log.ts';
import type {
  Carrier,
  CarrierState,
  DialRequest,
  IncomingRefusal,
  MediaLeg,
  TakeIncoming,
} from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { createCallMedia } from './call-media.ts';
import type { Credentials } from './digest.ts';
import { parseNameAddr, parseUri } from './grammar.ts';
import { type IncomingCall, refusalOf, ringIncoming } from './incoming-call.ts';
import { cancelForgotten, endForgotten } from './forgotten-call.ts';
import { createDeadLeg, createSipLeg, type SipLeg } from './leg.ts';
import { header, responseTo, type SipRequest } from './message.ts';
import { reasonFor } from './outcome.ts';
import { type OutgoingCall, placeOutgoing } from './outgoing-call.ts';
import type { OpenRtp, RtpSession } from './rtp-session.ts';
import type { Session } from './session.ts';
import { keepRegistered } from './registration.ts';
import { MAGIC_COOKIE } from './transaction.ts';
import { referTo } from './transfer.ts';
import type { Address, Flow, Protocol, TlsFiles } from './flow.ts';
import { isOwnAddress } from './transport.ts';
import type { Trunk } from './trunk.ts';
import { createTrunkDigest } from './trunk-digest.ts';
import { type Invitation, openUserAgent, type UserAgentOptions } from './user-agent.ts';

export type SipCarrier = Pick<Carrier, 'lookup'> & {
  dial(request: DialRequest): Promise<MediaLeg>;
  /** The leg of a call that came in, once it rings. Rejects where the caller has given up. */
  pickUp(reference: string): Promise<MediaLeg>;
  listening: readonly (Address & { protocol: Protocol })[];
  close(): Promise<void>;
};

export type SipCarrierOptions = {
  listen: readonly (Address & { protocol: Protocol })[];
  /** What peers are told to send sound to; undefined: the address that leads to them. */
  mediaIp: string | undefined;
  openRtp: OpenRtp;
  tls?: TlsFiles | undefined;
  trunk: Trunk | undefined;
  credentials: Credentials | undefined;
  /** See `createTrunkDigest`. */
  realms?: readonly string[] | undefined;
  /** Where the processes before this one listened for the trunk. */
  formerPort?: number | undefined;
  /** Tells the trunk where we are. */
  registers: boolean;
  isAllowed(address: string): boolean;
  clock: CallClock;
  log: Logger;
  makeToken(): string;
  random32(): number;
  /** Asked about each call that comes in. */
  take: TakeIncoming;
  /** Told whether calls can come in, whenever that changes. */
  onState?: ((state: CarrierState) => void) | undefined;
  /** A test's network instead of the real one. */
  openTransport?: UserAgentOptions['openTransport'];
};

/** Whoever rings for longer is not there. */
const RING_MS = 60_000;
/** Calls at once: each has two sockets. */
const MOST_CALLS = 1_000;
/** What a caller is told. */
const REFUSALS: Record<IncomingRefusal, number> = {
  unknown_number: 404,
  agent_off: 480,
  at_capacity: 486,
  usage_limit: 603,
  failed: 500,
};
/** References of calls that ended, kept to answer `lookup`. */
const MOST_ENDED = 10_000;

/** Calls over SIP: out through the trunk, in from whom is allowed. Opens its sockets; rejects where it cannot. */
export async function openSipCarrier(options: SipCarrierOptions): Promise<SipCarrier> {
  const { trunk, clock, log, random32, makeToken } = options;
  const legs = new Map<string, SipLeg>();
  const incoming = new Map<string, PromiseWithResolvers<SipLeg>>();
  const ended = new Set<string>();
  const dialling = new Map<string, Promise<MediaLeg>>();

  const userAgent = await openUserAgent({
    ...options,
    digest: createTrunkDigest({ credentials: options.credentials, realms: options.realms ?? [], log }),
    advertisedIp: options.mediaIp,
    onInvite: (invitation) => void receiveInvite(invitation),
  });

  function rememberEnd(reference: string): void {
    legs.delete(reference);
    incoming.delete(reference);
    dialling.delete(reference);
    ended.add(reference);
    const [oldest] = ended;
    if (ended.size > MOST_ENDED && oldest !== undefined) ended.delete(oldest);
  }

  /** Sound is taken where signalling is, unless peers are told of another address of this machine. */
  function mediaAddress(flow: Flow): string {
    const { mediaIp } = options;
    return mediaIp !== undefined && isOwnAddress(mediaIp) ? mediaIp : flow.bound;
  }

  /** The leg of a call and its sound, before there is any signalling. */
  async function openLeg(reference: string, flow: Flow, { offersEncryption }: { offersEncryption: boolean }) {
    const rtp: RtpSession = await options.openRtp({
      address: mediaAddress(flow),
      cname: `${makeToken()}@callwright`,
      onDigit: (digit) => leg.told.digit(digit),
      onSilent() {
        log.info({ event: 'sip_call_silent', reference });
        leg.drop();
      },
    });
    const leg: SipLeg = createSipLeg({
      reference,
      clock,
      rtp,
      onOver(summary) {
        rememberEnd(reference);
        void summary.then((told) => log.info({ event: 'sip_call_ended', reference, ...told }));
      },
    });
    const media = createCallMedia({
      rtp,
      address: flow.local.address,
      peer: flow.remote.address,
      sessionId: random32(),
      offersEncryption,
      onHold: leg.told.hold,
    });
    legs.set(reference, leg);
    return { leg, rtp, media };
  }

  function transferOver(session: Session | undefined): MediaLeg['transfer'] {
    return async ({ to, callerId }) => {
      const target = addressFor(to, session);
      if (!session || !target) return { ok: false, reason: 'there is no line to transfer over' };
      return referTo(session, userAgent.timers, { target, referredBy: trunk?.callerOf(callerId) ?? target });
    };
  }

  /** A number at the trunk, or at the peer itself where there is none. */
  function addressFor(number: string, session: Session | undefined): string | undefined {
    if (trunk) return trunk.callerOf(number);
    const host = parseUri(session?.dialog.target ?? '')?.host;
    return host === undefined ? undefined : `sip:${number}@${host}`;
  }

  async function place(request: DialRequest, way: Trunk, flow: Flow): Promise<MediaLeg> {
    // Keys are worth what the way is on which they are told.
    const offersEncryption = flow.protocol === 'tls';
    const { leg, media } = await openLeg(request.reference, flow, { offersEncryption });
    const { from, to, reference } = request;
    const caller = way.callerOf(from);
    const call: OutgoingCall = placeOutgoing(
      userAgent,
      flow,
      {
        to: way.addressOf(to),
        from: caller,
        callId: reference,
        ...traceOf(reference),
        headers: new Map([['p-asserted-identity', [`<${caller}>`]]]),
      },
      {
        media,
        onDigit: leg.told.digit,
        onRinging: leg.told.ringing,
        onAnswered() {
          stopRinging();
          leg.told.answered();
        },
        onRefused(why) {
          stopRinging();
          log.info({ event: 'sip_call_refused', reference, why });
          leg.told.neverConnected(reasonFor(why));
        },
        onEnded: leg.told.ended,
      },
    );
    const stopRinging = userAgent.timers.after(RING_MS, () => {
      call.hangUp();
      leg.told.neverConnected('no_answer');
    });
    leg.connect({
      answer: () => true,
      hangUp: call.hangUp,
      transfer: (asked) => transferOver(call.session())(asked),
      dialog: () => call.session()?.dialog,
    });
    return leg;
  }

  /** Nothing is sent where there is no way to the trunk. */
  async function openOutgoing(request: DialRequest): Promise<MediaLeg> {
    if (!trunk) throw new Error('SIP_TRUNK_URI is not set: there is nowhere to call');
    try {
      return await place(request, trunk, await userAgent.flowTo(trunk.uri));
    } catch (error) {
      log.warn({ event: 'sip_trunk_unreachable', reference: request.reference, error: describeError(error) });
      rememberEnd(request.reference);
      return createDeadLeg(request.reference, clock);
    }
  }

  async function receiveInvite(invitation: Invitation): Promise<void> {
    const { transaction, localTag } = invitation;
    const refuse = (status: number) => transaction.respond(responseTo(transaction.request, status, localTag));
    const fault = refusalOf(invitation);
    if (fault) return transaction.respond(fault);
    if (legs.size >= MOST_CALLS) return refuse(503);
    const reference = `sip-${makeToken()}`;
    const ringing = Promise.withResolvers<SipLeg>();
    // Nobody may be waiting for it.
    ringing.promise.catch(() => undefined);
    incoming.set(reference, ringing);
    let hasGivenUp = false;
    transaction.onCancel(() => {
      hasGivenUp = true;
      refuse(487);
    });
    try {
      const answer = await options.take({
        reference,
        to: numberOf(parseUri(transaction.request.uri)?.user ?? ''),
        from: callerOf(transaction.request),
      });
      if (!answer.ok) return refuse(REFUSALS[answer.reason]);
      if (hasGivenUp) throw new Error('the caller has given up');
      const { callId } = answer;
      log.info({ event: 'sip_call_came_in', callId, sipCallId: invitation.essentials.callId });
      return ringing.resolve(await ring(invitation, reference, () => hasGivenUp));
    } catch (error) {
      ringing.reject(error);
      log.warn({ event: 'sip_call_not_taken', error: describeError(error) });
      return refuse(500);
    } finally {
      if (!legs.has(reference)) incoming.delete(reference);
    }
  }

  async function ring(invitation: Invitation, reference: string, hasGivenUp: () => boolean): Promise<SipLeg> {
    const { flow } = invitation.transaction;
    const { leg, media } = await openLeg(reference, flow, { offersEncryption: false });
    if (hasGivenUp()) {
      leg.told.ended('human');
      return leg;
    }
    const call: IncomingCall = ringIncoming(invitation, {
      media,
      onDigit: leg.told.digit,
      onConfirmed: leg.told.answered,
      onEnded: leg.told.ended,
    });
    leg.connect({
      ...call,
      transfer: (asked) => transferOver(call.session)(asked),
      dialog: () => call.session.dialog,
    });
    return leg;
  }

  const registration =
    options.registers && trunk && options.credentials
      ? keepRegistered({
          userAgent,
          trunk,
          username: options.credentials.username,
          callId: makeToken(),
          makeTag: makeToken,
          log,
          onState: options.onState,
        })
      : undefined;
  if (!registration) options.onState?.({ state: 'listening' });

  return {
    listening: userAgent.listening,
    async dial(request) {
      const { reference } = request;
      const known = dialling.get(reference);
      if (known) return known;
      if (ended.has(reference)) return createDeadLeg(reference, clock);
      const leg = openOutgoing(request);
      dialling.set(reference, leg);
      return leg;
    },
    async lookup(reference, placed) {
      if (dialling.has(reference) || legs.has(reference)) return 'in_progress';
      if (ended.has(reference)) return 'ended';
      if (placed?.trace) return (await endForgotten(userAgent, placed.trace)) ? 'ended' : 'unknown';
      if (!trunk) return 'unknown';
      return (await cancelForgotten(
        userAgent,
        trunk,
        { ...traceOf(reference), callId: reference },
        options.formerPort,
      ))
        ? 'ended'
        : 'unknown';
    },
    async pickUp(reference) {
      const ringing = incoming.get(reference);
      if (!ringing) throw new Error('nobody calls any more');
      return ringing.promise;
    },
    async close() {
      await Promise.all([...legs.values()].map((leg) => leg.hangUp()));
      await registration?.stop().catch(() => undefined);
      await userAgent.close();
    },
  };
}

/** Tag and branch follow from the reference, so that a process that comes after this one can cancel what rings. */
function traceOf(reference: string): { localTag: string; branch: string } {
  const trace = createHash('sha256').update(reference).digest('hex').slice(0, 32);
  return { localTag: trace, branch: `${MAGIC_COOKIE}${trace}` };
}

/** Two zeros stand for the `+` where somebody dials. */
const numberOf = (user: string) => user.replace(/^00(?=[1-9])/, '+');

/** Null where the caller shows no number (RFC 3323). */
function callerOf(request: SipRequest): string | null {
  const uri = parseUri(parseNameAddr(header(request, 'from') ?? '')?.uri ?? '');
  const isHidden = uri?.host.endsWith('anonymous.invalid') || uri?.user === 'anonymous';
  return uri?.user === undefined || isHidden ? null : numberOf(uri.user);
}
