import { isIP, isIPv6 } from 'node:net';
import { type MediaDescription, parse, write } from 'sdp-transform';
import type { TelephoneCoding } from '#lib/media/g711.ts';
import { bareHost } from './grammar.ts';
import type { Address } from './flow.ts';

/** What two peers agree on for sound: offer and answer (RFC 3264) for G.711 and telephone events. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** What the peer said of one audio stream. */
export type RemoteAudio = {
  address: Address;
  /** Where its RTCP is: by RFC 3605, else the next port. */
  rtcpPort: number;
  coding: TelephoneCoding;
  payloadType: number;
  /** Payload type of RFC 4733 events at 8 kHz, where the peer takes them. */
  eventPayloadType: number | undefined;
  /** From the peer's side: `sendonly` means that it does not want to hear us. */
  direction: Direction;
  crypto: { tag: number; suite: SrtpSuite; key: string } | undefined;
};

export const SRTP_SUITES = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const;
export type SrtpSuite = (typeof SRTP_SUITES)[number];

/** Static payload types of RFC 3551, and the one that everybody gives to events. */
const CODINGS = [
  { coding: 'mulaw', name: 'PCMU', payloadType: 0 },
  { coding: 'alaw', name: 'PCMA', payloadType: 8 },
] as const satisfies { coding: TelephoneCoding; name: string; payloadType: number }[];
const EVENT_PAYLOAD_TYPE = 101;
const SILENT = new Set(['0.0.0.0', '::']);

export type LocalAudio = {
  address: Address;
  /** Of the session, the same in every description of it. */
  sessionId: number;
  /** Counts the descriptions that were sent. */
  version: number;
  direction: Direction;
  /** Our key, where the stream is encrypted. */
  crypto?: { tag: number; suite: SrtpSuite; key: string } | undefined;
};

/** All that we can do. */
export function writeOffer(local: LocalAudio): string {
  return describe(local, {
    protocol: local.crypto ? 'RTP/SAVP' : 'RTP/AVP',
    codings: CODINGS,
    eventPayloadType: EVENT_PAYLOAD_TYPE,
  });
}

/** The answer to an offer that `readRemote` found acceptable: what was chosen of it, every other stream refused. */
export function writeAnswer(local: LocalAudio, remote: RemoteAudio, offer: string): string {
  const { name } = CODINGS.find(({ coding }) => coding === remote.coding) ?? CODINGS[0];
  const offered = parseSafely(offer)?.media ?? [];
  const chosen = offered.findIndex((media) => isUsable(media, remote.crypto !== undefined));
  return describe(
    local,
    {
      protocol: offered[chosen]?.protocol ?? 'RTP/AVP',
      codings: [{ name, payloadType: remote.payloadType }],
      eventPayloadType: remote.eventPayloadType,
    },
    // An answer has as many streams as the offer, in its order (RFC 3264, section 6).
    (own) =>
      offered.length === 0
        ? [own]
        : offered.map((media, index) =>
            index === chosen
              ? own
              : {
                  type: media.type,
                  port: 0,
                  protocol: media.protocol,
                  payloads: media.payloads ?? '0',
                  rtp: [],
                  fmtp: [],
                },
          ),
  );
}

/** Reads an offer or an answer. Undefined where it has no stream that we can take. Never throws. */
export function readRemote(body: string, options: { allowsEncryption: boolean }): RemoteAudio | undefined {
  const session = parseSafely(body);
  if (!session) return undefined;
  for (const media of session.media) {
    const crypto = options.allowsEncryption ? findCrypto(media) : undefined;
    if (!isUsable(media, crypto !== undefined)) continue;
    const host = bareHost((media.connection ?? session.connection)?.ip ?? '');
    const coding = findCoding(media);
    if (!coding || isIP(host) === 0) continue;
    const direction = media.direction ?? session.direction ?? 'sendrecv';
    return {
      address: { address: host, port: media.port },
      rtcpPort: media.rtcp?.port ?? media.port + 1,
      ...coding,
      eventPayloadType: findEvents(media),
      // The hold of RFC 2543 is an address that is nowhere.
      direction: SILENT.has(host) && direction === 'sendrecv' ? 'sendonly' : direction,
      crypto,
    };
  }
  return undefined;
}

/** What we say of our side when the peer says this of its. */
export function answerDirection(theirs: Direction): Direction {
  if (theirs === 'sendonly') return 'recvonly';
  return theirs === 'recvonly' ? 'sendonly' : theirs;
}

const isUsable = (media: MediaDescription, isEncrypted: boolean) =>
  media.type === 'audio' &&
  media.port > 0 &&
  media.port < 65_536 &&
  (isEncrypted ? /^RTP\/SAVPF?$/ : /^RTP\/AVPF?$/).test(media.protocol) &&
  findCoding(media) !== undefined;

function findCoding(media: MediaDescription): { coding: TelephoneCoding; payloadType: number } | undefined {
  for (const payloadType of payloadTypes(media)) {
    const named = media.rtp.find(({ payload }) => payload === payloadType);
    const found = CODINGS.find((known) =>
      named
        ? named.codec.toUpperCase() === known.name && (named.rate ?? 8_000) === 8_000
        : payloadType === known.payloadType,
    );
    if (found) return { coding: found.coding, payloadType };
  }
  return undefined;
}

function findEvents(media: MediaDescription): number | undefined {
  const accepted = payloadTypes(media);
  return media.rtp.find(
    ({ codec, rate, payload }) =>
      codec.toLowerCase() === 'telephone-event' && (rate ?? 8_000) === 8_000 && accepted.includes(payload),
  )?.payload;
}

function findCrypto(media: MediaDescription): RemoteAudio['crypto'] {
  for (const { id, suite, config } of media.crypto ?? []) {
    const known = SRTP_SUITES.find((name) => name === suite);
    // Lifetime and key index (`|2^20|1:4`) are of no use here: a call ends long before.
    const key = /^inline:([A-Za-z0-9+/]{40})={0,2}(?:\||$)/.exec(config)?.[1];
    if (known && key !== undefined && !/\|\d+:\d+/.test(config)) return { tag: id, suite: known, key };
  }
  return undefined;
}

const payloadTypes = (media: MediaDescription) =>
  String(media.payloads ?? '')
    .split(' ')
    .filter((part) => /^\d{1,3}$/.test(part))
    .map(Number)
    .filter((type) => type < 128);

function parseSafely(body: string) {
  try {
    const session = parse(body);
    return session.media.length <= 32 ? session : undefined;
  } catch {
    return undefined;
  }
}

function describe(
  { address, sessionId, version, direction, crypto }: LocalAudio,
  stream: {
    protocol: string;
    codings: readonly { name: string; payloadType: number }[];
    eventPayloadType: number | undefined;
  },
  arrange: (own: MediaDescription) => MediaDescription[] = (own) => [own],
): string {
  const { protocol, codings, eventPayloadType } = stream;
  const ipVer = isIPv6(address.address) ? 6 : 4;
  const events = eventPayloadType === undefined ? [] : [eventPayloadType];
  const own: MediaDescription = {
    type: 'audio',
    port: address.port,
    protocol,
    payloads: [...codings.map(({ payloadType }) => payloadType), ...events].join(' '),
    rtp: [
      ...codings.map(({ name, payloadType }) => ({ payload: payloadType, codec: name, rate: 8_000 })),
      ...events.map((payload) => ({ payload, codec: 'telephone-event', rate: 8_000 })),
    ],
    fmtp: events.map((payload) => ({ payload, config: '0-15' })),
    ptime: 20,
    direction,
    ...(crypto && { crypto: [{ id: crypto.tag, suite: crypto.suite, config: `inline:${crypto.key}` }] }),
  };
  return write({
    version: 0,
    origin: {
      username: 'callwright',
      sessionId,
      sessionVersion: version,
      netType: 'IN',
      ipVer,
      address: address.address,
    },
    name: 'call',
    connection: { version: ipVer, ip: address.address },
    timing: { start: 0, stop: 0 },
    media: arrange(own),
  });
}
