import { pino } from 'pino';
import { createPacer } from '#lib/media/pacer.ts';
import { createTestCallClock, type TestCallClock } from '#lib/ports/call-clock-testing.ts';
import type { IncomingCall, MediaLeg } from '#lib/ports/carrier.ts';
import { openSipCarrier, type SipCarrier, type SipCarrierOptions } from './carrier.ts';
import { tagOf } from './grammar.ts';
import { header, parseMessage, type SipMessage } from './message.ts';
import type { RtpSocket } from './rtp-ports.ts';
import { openRtpHere } from './rtp-session.ts';
import type { Flow } from './flow.ts';
import type { TransportOptions } from './transport.ts';
import { readTrunk } from './trunk.ts';

export const US = '192.0.2.10';
export const PEER = '192.0.2.20';

export type Sent = { atMs: number; message: SipMessage; text: string };

/** A carrier on a clock and a network of the test's own: the test is the peer, word by word. */
export type TestLine = {
  clock: TestCallClock;
  carrier: SipCarrier;
  incoming: IncomingCall[];
  /** What the carrier sent, in order. */
  sent: Sent[];
  /** A message to the carrier, written as it stands on the wire. */
  say(text: string, from?: { address: string; port: number }): void;
  /** What is no text. */
  sayBytes(bytes: Buffer): void;
  /** Messages of one kind among those that were sent: a method, or a status with the method of its CSeq. */
  sentOf(what: string | number, method?: string): Sent[];
  /** A packet of sound to the carrier, and those that it sent. */
  rtp: {
    say(bytes: Buffer, from?: { address: string; port: number }): void;
    sayRtcp(bytes: Buffer): void;
    heard: { bytes: Buffer; port: number }[];
  };
  /** Sends no more than this of what the carrier sends. */
  loseEverything(isLost: boolean): void;
};

/** `decide`: what becomes of calls that come in; they are taken without it. */
export async function openTestLine(
  options: Partial<SipCarrierOptions> & { isReliable?: boolean; isSecure?: boolean } = {},
): Promise<TestLine> {
  const clock = createTestCallClock();
  const sent: Sent[] = [];
  const incoming: IncomingCall[] = [];
  const heard: { bytes: Buffer; port: number }[] = [];
  let onBytes: TransportOptions['onBytes'] = () => {};
  let onRtp: Parameters<RtpSocket['on']>[1] = () => {};
  let onRtcp: Parameters<RtpSocket['on']>[1] = () => {};
  let isLost = false;
  let tokens = 0;
  const protocol = options.isSecure ? 'tls' : options.isReliable ? 'tcp' : 'udp';

  const flowTo = (remote: { address: string; port: number }): Flow => ({
    protocol,
    isReliable: protocol !== 'udp',
    remote,
    local: { address: US, port: 5_060 },
    bound: US,
    send(bytes) {
      const parsed = parseMessage(bytes);
      if (!parsed.ok) throw new Error(`We sent what we cannot read: ${parsed.reason}`);
      if (!isLost) sent.push({ atMs: clock.nowMs(), message: parsed.message, text: bytes.toString() });
    },
    toPort: (port) => flowTo(protocol === 'udp' ? { ...remote, port } : remote),
  });

  const carrier = await openSipCarrier({
    listen: [{ protocol: 'udp', address: US, port: 5_060 }],
    mediaIp: undefined,
    openRtp: openRtpHere({
      ports: {
        open: async () => ({
          rtp: {
            on: (_, listener) => (onRtp = listener),
            send: (bytes, port) => heard.push({ bytes, port }),
          },
          rtcp: { on: (_, listener) => (onRtcp = listener), send: () => undefined },
          port: 20_000,
          close: () => undefined,
        }),
      },
      pacer: createPacer({
        clock,
        onFailed: (error) => {
          throw error;
        },
      }),
      clock,
      random32: () => 1_000,
    }),
    trunk: readTrunk(`sip:${PEER}:5060`),
    credentials: { username: 'alice', password: 'open sesame' },
    registers: false,
    isAllowed: (address) => address === PEER,
    clock,
    log: pino({ level: 'silent' }),
    makeToken: () => `token${(tokens += 1)}`,
    random32: () => 1_000,
    take: async (call) => {
      incoming.push(call);
      return { ok: true, callId: 'cnv_1' };
    },
    async openTransport(given) {
      onBytes = given.onBytes;
      return { flowTo: async (to) => flowTo(to), listening: [], close: async () => undefined };
    },
    ...options,
  });

  return {
    clock,
    carrier,
    incoming,
    sent,
    say: (text, from = { address: PEER, port: 5_060 }) =>
      onBytes(Buffer.from(text.replace(/^\n/, '').replaceAll(/\r?\n/g, '\r\n')), flowTo(from)),
    sayBytes: (bytes) => onBytes(bytes, flowTo({ address: PEER, port: 5_060 })),
    sentOf: (what, method) =>
      sent.filter(({ message }) =>
        message.kind === 'request'
          ? message.method === what
          : message.status === what && (message.headers.get('cseq')?.[0] ?? '').endsWith(method ?? ''),
      ),
    rtp: {
      say: (bytes, from = { address: PEER, port: 30_000 }) => onRtp(bytes, from),
      sayRtcp: (bytes) => onRtcp(bytes, { address: PEER, port: 30_001 }),
      heard,
    },
    loseEverything: (next) => {
      isLost = next;
    },
  };
}

/** A call that came in, was answered, and whose caller has the answer. `to` is the tag that we gave. */
export async function answerCall(line: TestLine): Promise<{ leg: MediaLeg; to: string }> {
  line.say(inviteText());
  await line.clock.pass(1);
  const leg = await line.carrier.pickUp(line.incoming.at(-1)?.reference ?? '');
  await leg.answer();
  const to = tagOf(header(line.sentOf(200)[0]?.message ?? { headers: new Map() }, 'to')) ?? '';
  line.say(requestText({ method: 'ACK', to, seq: 1 }));
  await line.clock.pass(1);
  return { leg, to };
}

export const OFFER = `v=0
o=peer 1 1 IN IP4 ${PEER}
s=-
c=IN IP4 ${PEER}
t=0 0
m=audio 30000 RTP/AVP 8 0 101
a=rtpmap:101 telephone-event/8000
`;

/** A request of the peer that begins a call, or what `change` makes of its headers. */
export function inviteText(change: (headers: string) => string = (headers) => headers, body = OFFER): string {
  const headers = change(`INVITE sip:+15550100001@${US} SIP/2.0
Via: SIP/2.0/UDP ${PEER}:5060;branch=z9hG4bKinvite;rport
Max-Forwards: 70
From: <sip:+15550199999@${PEER}>;tag=peer
To: <sip:+15550100001@${US}>
Call-ID: call-1@${PEER}
CSeq: 1 INVITE
Contact: <sip:person@${PEER}>
`);
  const type = body === '' ? '' : 'Content-Type: application/sdp\n';
  return `${headers}${type}Content-Length: ${Buffer.byteLength(body.replaceAll('\n', '\r\n'))}\n\n${body}`;
}

/** A request of the peer within the dialog that its INVITE began; `to` is the tag that we gave. */
export function requestText(request: {
  method: string;
  to: string;
  seq: number;
  extra?: string;
  body?: string;
  branch?: string;
}): string {
  const { method, to, seq, extra = '', body = '', branch = `z9hG4bK${method}${seq}` } = request;
  return `${method} sip:callwright@${US}:5060 SIP/2.0
Via: SIP/2.0/UDP ${PEER}:5060;branch=${branch};rport
Max-Forwards: 70
From: <sip:+15550199999@${PEER}>;tag=peer
To: <sip:+15550100001@${US}>;tag=${to}
Call-ID: call-1@${PEER}
CSeq: ${seq} ${method}
Contact: <sip:person@${PEER}>
${extra}Content-Length: ${Buffer.byteLength(body.replaceAll('\n', '\r\n'))}

${body}`;
}

/** The peer's response to a request of ours. */
export function responseText(
  request: SipMessage,
  status: number,
  more: { tag?: string; extra?: string; body?: string } = {},
): string {
  const { tag = 'remote', extra = '', body = '' } = more;
  const value = (name: string) => request.headers.get(name)?.join(', ') ?? '';
  const to = value('to');
  return `SIP/2.0 ${status} Whatever
Via: ${value('via')}
From: ${value('from')}
To: ${to.includes(';tag=') || status === 100 ? to : `${to};tag=${tag}`}
Call-ID: ${value('call-id')}
CSeq: ${value('cseq')}
Contact: <sip:there@${PEER}:5060>
${extra}${body === '' ? '' : 'Content-Type: application/sdp\n'}Content-Length: ${Buffer.byteLength(body.replaceAll('\n', '\r\n'))}

${body}`;
}
