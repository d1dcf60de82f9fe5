import { describeError, type Logger } from '#lib/log.ts';
import type { Pacer } from '#lib/media/pacer.ts';
import type { Carrier, CarrierNews, DialRequest, MediaLeg, PlacedCall } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { upgradeConnection } from '#lib/web-connection.ts';
import { createTwilioLeg, type TwilioLeg } from './leg.ts';
import { isAboutCaller, isOver, reasonForRefusal } from './outcome.ts';
import type { ListedCall, Placed, TwilioRest } from './rest.ts';
import type { TwilioSettings } from './settings.ts';
import { isStreamToken } from './signature.ts';
import { connectTwiml, hangUpTwiml, transferTwiml } from './twiml.ts';

export type TwilioCarrier = Omit<Carrier, 'dial' | 'pickUp'> &
  Required<Pick<Carrier, 'connect' | 'receive' | 'close'>> & {
    dial(request: DialRequest): Promise<MediaLeg>;
    pickUp(reference: string): Promise<MediaLeg>;
  };

export type TwilioCarrierOptions = {
  settings: TwilioSettings;
  rest: TwilioRest;
  /** Real time, which the pacer goes by, and what dates are counted in. */
  clock: CallClock;
  now(): Date;
  pacer: Pacer;
  log: Logger;
};

/** A stream and the order to answer its call come within moments, on a busy machine later. */
const MEET_WITHIN_MS = 30_000;
/** After a request without an answer Twilio is asked so often, and so long after it, whether it took the call. */
const LOOK_AFTER_MS = [500, 2_000, 5_000, 8_000];
/** How far Twilio's clock may be from ours. */
const CLOCKS_APART_MS = 60_000;
/** A call that was taken is listed by then. */
const LISTED_WITHIN_MS = 30_000;
/** References of calls that ended, kept to answer `lookup`. */
const MOST_ENDED = 10_000;

/** Calls over Twilio: out by its REST API, in by the number's webhook, their sound over Media Streams. */
export function createTwilioCarrier(options: TwilioCarrierOptions): TwilioCarrier {
  const { settings, rest, clock, log } = options;
  const legs = new Map<string, TwilioLeg>();
  const ended = new Map<string, TwilioLeg>();
  const arriving = new Map<string, PromiseWithResolvers<TwilioLeg>>();
  /** Calls at Twilio that are known to be another attempt's. */
  const owners = new Map<string, string>();

  function openLeg(reference: string, direction: 'INBOUND' | 'OUTBOUND'): TwilioLeg {
    const leg = createTwilioLeg({
      ...options,
      reference,
      direction,
      isOurs: ({ accountSid, callSid, parameters }, sid) =>
        accountSid === settings.accountSid &&
        (sid === undefined || sid === callSid) &&
        isStreamToken(settings, reference, parameters.token),
      transferTwiml: (request) => transferTwiml(settings, reference, request),
      onFailed: (event, error) => log.warn({ event, reference, error: describeError(error) }),
      onOver() {
        legs.delete(reference);
        ended.set(reference, leg);
        const [oldest] = ended.keys();
        if (ended.size > MOST_ENDED && oldest !== undefined) ended.delete(oldest);
      },
    });
    legs.set(reference, leg);
    void leg.sid.then((sid) => sid !== undefined && owners.set(sid, reference));
    arriving.get(reference)?.resolve(leg);
    arriving.delete(reference);
    return leg;
  }

  async function place(request: DialRequest): Promise<TwilioLeg> {
    const { reference } = request;
    const leg = openLeg(reference, 'OUTBOUND');
    const at = options.now();
    const placed = await placeAs(request);
    if (placed.kind === 'placed') leg.told.sid(placed.sid);
    else if (placed.kind === 'refused') {
      const { code, message } = placed;
      log.warn({ event: 'twilio_call_refused', reference, code, reason: message });
      leg.told.neverConnected(reasonForRefusal(code));
    } else {
      log.warn({ event: 'twilio_answer_lost', reference, reason: placed.message });
      await findOut(leg, { ...request, at });
    }
    if (placed.kind === 'placed' && leg.isOver()) await giveUp(placed.sid);
    return leg;
  }

  /** Twilio shows only numbers of the account, or verified ones. Whoever was refused for that was not called. */
  async function placeAs(request: DialRequest): Promise<Placed> {
    const placed = await rest.place(request);
    const { ownNumber } = request;
    const isRefused = placed.kind === 'refused' && isAboutCaller(placed.code);
    if (!isRefused || ownNumber === undefined || ownNumber === request.from) return placed;
    return rest.place({ ...request, from: ownNumber });
  }

  /** The request may have been taken: a callback tells, or the list of calls. It is not made again. */
  async function findOut(leg: TwilioLeg, call: PlacedCall): Promise<void> {
    let isKnown = false;
    void leg.sid.then(() => (isKnown = true));
    for (const afterMs of LOOK_AFTER_MS) {
      await Promise.race([leg.sid, clock.sleep(afterMs)]);
      if (isKnown) return;
      const found = await search(call).catch(() => []);
      const [only] = found;
      if (only && found.length === 1) return leg.told.sid(only.sid);
    }
    if (!isKnown) leg.told.neverConnected('network_failure');
  }

  /** Calls that may be the one that was placed, and are not known to be another one's. */
  async function search({ from, to, at }: PlacedCall): Promise<ListedCall[]> {
    const since = at.getTime() - CLOCKS_APART_MS;
    const until = at.getTime() + CLOCKS_APART_MS;
    const listed = await rest.list({ from, to });
    return listed.filter(
      ({ sid, createdAt }) =>
        !owners.has(sid) && createdAt.getTime() >= since && createdAt.getTime() <= until,
    );
  }

  async function giveUp(sid: string): Promise<void> {
    await rest
      .complete(sid)
      .catch((error: unknown) => log.warn({ event: 'twilio_call_left', error: describeError(error) }));
  }

  /** What is told of a call that nobody talks on any more: whoever is still called is left alone. */
  function hearOfEnded(leg: TwilioLeg, sid: string, status: string): void {
    if (leg.wasTransferred() || isOver(status) || sid === '') return;
    void giveUp(sid);
  }

  function hear(leg: TwilioLeg, { topic, fields }: CarrierNews): string {
    const { CallSid: sid = '', CallStatus: status = '' } = fields;
    switch (topic) {
      case 'status':
        if (leg.isOver()) hearOfEnded(leg, sid, status);
        else {
          leg.told.sid(sid);
          leg.told.status(status);
        }
        return '';
      case 'machine':
        leg.told.machine(fields.AnsweredBy ?? '');
        return '';
      case 'transfer-status':
        if (status === 'in-progress') leg.told.transfer.answered();
        return '';
      case 'transferred':
        leg.told.transfer.ended(fields.DialCallStatus ?? '');
        break;
    }
    return leg.told.streamEnded() ? connectTwiml(settings, leg.reference) : hangUpTwiml();
  }

  return {
    kind: 'twilio',
    prepare: rest.prepare,
    async dial(request) {
      const { reference } = request;
      const known = legs.get(reference) ?? ended.get(reference);
      if (known) return known;
      return place(request);
    },
    async lookup(reference, placed) {
      if (legs.has(reference)) return 'in_progress';
      if (ended.has(reference)) return 'ended';
      if (!placed) return 'unknown';
      if (placed.trace?.sid !== undefined) {
        await giveUp(placed.trace.sid);
        return 'ended';
      }
      const found = await search(placed);
      const open = found.filter(({ status }) => !isOver(status));
      if (open.length > 1) return 'unknown';
      for (const { sid } of open) await giveUp(sid);
      if (open.length > 0) return 'in_progress';
      if (found.length > 0) return 'ended';
      return options.now().getTime() - placed.at.getTime() > LISTED_WITHIN_MS ? 'never_placed' : 'unknown';
    },
    async pickUp(reference) {
      const leg = legs.get(reference) ?? openLeg(reference, 'INBOUND');
      // The name of a call that comes in is Twilio's own.
      leg.told.sid(reference);
      return leg;
    },
    async connect(reference, connection) {
      const leg = legs.get(reference) ?? (await whenHere(reference));
      leg.connect(await upgradeConnection(connection));
    },
    async receive(reference, news) {
      const leg = legs.get(reference) ?? ended.get(reference);
      return leg && hear(leg, news);
    },
    async close() {
      await Promise.all([...legs.values()].map((leg) => leg.hangUp()));
    },
  };

  /** Where a connection comes before the order for its call. */
  async function whenHere(reference: string): Promise<TwilioLeg> {
    const meeting = arriving.get(reference) ?? Promise.withResolvers<TwilioLeg>();
    arriving.set(reference, meeting);
    const late = clock.sleep(MEET_WITHIN_MS).then(() => {
      arriving.delete(reference);
      throw new Error('the call of the stream is not known here');
    });
    return Promise.race([meeting.promise, late]);
  }
}
