/**
 * People who call over SIP, speak and listen: `CALLERS` (JSON) says how many, where and for how long. Each sends a packet
 * every 20 ms and notes when each packet came back: whoever is called, ours or an echo, is measured by the same clock. What
 * was measured is sent to the parent.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicClock } from '#lib/adapters/system/clock.ts';
import {
  header,
  parseMessage,
  responseTo,
  serializeMessage,
  type SipRequest,
  type SipResponse,
} from '#lib/adapters/carriers/sip/message.ts';
import { parseNameAddr } from '#lib/adapters/carriers/sip/grammar.ts';
import { readRemote } from '#lib/adapters/carriers/sip/sdp.ts';
import { createPacer } from '#lib/media/pacer.ts';
import { type Arrival, type CallersOptions, type CallersReport, measureArrivals } from './wire.ts';

const HOST = '127.0.0.1';
const PACKET_BYTES = 160;
const SILENCE = Buffer.alloc(PACKET_BYTES, 0xff);
/** Speaks so often; in between the other side has its turn. */
const EVERY_PACKETS = 8 * 50;
const INVITE_AGAIN_MS = 500;

const options = JSON.parse(process.env.CALLERS ?? '{}') as CallersOptions;
const speech = cut(readFileSync(options.speechFile));
const pacer = createPacer({ clock: monotonicClock, onFailed: console.error });
try {
  // Its own lateness would count as that of the other side.
  setPriority(-10);
} catch {
  // Without the right to: as everybody.
}

function cut(sound: Buffer): Buffer[] {
  return Array.from({ length: Math.floor(sound.length / PACKET_BYTES) }, (_, index) =>
    sound.subarray(index * PACKET_BYTES, (index + 1) * PACKET_BYTES),
  );
}

/** One call: rejects where it is not answered within ten seconds. */
async function openCall(index: number) {
  const sip = await openSocket();
  const rtp = await openSocket();
  const invite = inviteOf(index, sip.address().port, rtp.address().port);
  const askedAtMs = performance.now();
  const answer = await ask(sip, invite);
  const answeredAfterMs = performance.now() - askedAtMs;
  const remote = readRemote(answer.body, { allowsEncryption: false });
  if (!remote) throw new Error('an answer without sound');
  const target = parseNameAddr(header(answer, 'contact') ?? '')?.uri ?? invite.uri;
  send(sip, within(invite, answer, 'ACK', target));
  answerRequests(sip);

  const arrivals: Arrival[] = [];
  rtp.on('message', (bytes, from) => {
    const atMs = performance.now();
    // A port of this machine may be somebody else's target still.
    if (from.port === remote.address.port && bytes.length >= 12)
      arrivals.push({ sequence: bytes.readUInt16BE(2), timestamp: bytes.readUInt32BE(4), atMs });
  });
  let sent = 0;
  const packet = Buffer.alloc(12 + PACKET_BYTES);
  packet.writeUInt16BE(0x8000, 0);
  packet.writeUInt32BE(index + 1, 8);
  const offset = index * 37;
  const stop = pacer.start(() => {
    sent += 1;
    packet.writeUInt16BE(sent & 0xffff, 2);
    packet.writeUInt32BE(sent * PACKET_BYTES, 4);
    (speech[(sent + offset) % EVERY_PACKETS] ?? SILENCE).copy(packet, 12);
    rtp.send(Buffer.from(packet), remote.address.port, remote.address.address, () => undefined);
  });
  return {
    arrivals,
    answeredAfterMs,
    async hangUp() {
      stop();
      send(sip, within(invite, answer, 'BYE', target));
      await delay(200);
      sip.close();
      rtp.close();
    },
  };
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 18 });
  socket.bind(0, HOST);
  await once(socket, 'listening');
  return socket;
}

const send = (socket: Socket, message: SipRequest | SipResponse) =>
  socket.send(serializeMessage(message), options.port, HOST);

/** The 200 of the INVITE, which is repeated until something is answered. */
function ask(socket: Socket, invite: SipRequest): Promise<SipResponse> {
  return new Promise((resolve, reject) => {
    const repeating = setInterval(() => send(socket, invite), INVITE_AGAIN_MS);
    const giveUp = setTimeout(() => end(() => reject(new Error('nobody answered'))), 10_000);
    function end(done: () => void): void {
      clearInterval(repeating);
      clearTimeout(giveUp);
      socket.off('message', receive);
      done();
    }
    function receive(bytes: Buffer): void {
      const parsed = parseMessage(bytes);
      if (!parsed.ok || parsed.message.kind === 'request') return;
      clearInterval(repeating);
      const response = parsed.message;
      if (response.status >= 300) end(() => reject(new Error(`refused with ${response.status}`)));
      else if (response.status >= 200) end(() => resolve(response));
    }
    socket.on('message', receive);
    send(socket, invite);
  });
}

/** Signs of life, and the other side's BYE. */
function answerRequests(socket: Socket): void {
  socket.on('message', (bytes) => {
    const parsed = parseMessage(bytes);
    if (parsed.ok && parsed.message.kind === 'request' && parsed.message.method !== 'ACK')
      send(socket, responseTo(parsed.message, 200));
  });
}

function inviteOf(index: number, sipPort: number, rtpPort: number): SipRequest {
  const body = `v=0\r\no=caller 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\nm=audio ${rtpPort} RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n`;
  const uri = `sip:+15550100001@${HOST}:${options.port}`;
  const headers = new Map([
    ['via', [`SIP/2.0/UDP ${HOST}:${sipPort};branch=z9hG4bK${randomInt(2 ** 40)};rport`]],
    ['max-forwards', ['70']],
    ['from', [`<sip:+1555019${String(index).padStart(4, '0')}@${HOST}>;tag=caller${index}`]],
    ['to', [`<${uri}>`]],
    ['call-id', [`${randomInt(2 ** 40)}-${index}@${HOST}`]],
    ['cseq', ['1 INVITE']],
    ['contact', [`<sip:caller@${HOST}:${sipPort}>`]],
    ['content-type', ['application/sdp']],
  ]);
  return { kind: 'request', method: 'INVITE', uri, headers, body };
}

function within(invite: SipRequest, answer: SipResponse, method: 'ACK' | 'BYE', uri: string): SipRequest {
  const headers = new Map(invite.headers);
  headers.delete('content-type');
  headers.set('via', [
    (header(invite, 'via') ?? '').replace(/branch=\w+/, `branch=z9hG4bK${method}${randomInt(2 ** 40)}`),
  ]);
  headers.set('to', [header(answer, 'to') ?? '']);
  headers.set('cseq', [`${method === 'ACK' ? 1 : 2} ${method}`]);
  return { kind: 'request', method, uri, headers, body: '' };
}

const calls = [];
for (let index = 0; index < options.calls; index += 1) {
  calls.push(await openCall(index));
  await delay(options.spreadMs / options.calls);
}
await delay(options.warmUpMs);
for (const { arrivals } of calls) arrivals.length = 0;
await delay(options.seconds * 1_000);
const measured = calls.map(({ arrivals }) => [...arrivals]);
const answeredAfterMs = calls.map((call) => call.answeredAfterMs);
await Promise.all(calls.map((call) => call.hangUp()));
const report: CallersReport = { ...measureArrivals(measured), answeredAfterMs };
process.send?.(report, () => process.exit(0));
