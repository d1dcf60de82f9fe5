import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { afterAll, afterEach, expect, it } from 'vitest';
import { monotonicClock } from '#lib/adapters/system/clock.ts';
import { encodeG711 } from '#lib/media/g711.ts';
import { createProcessFigures } from '#lib/media/process-figures.ts';
import { FRAME_SAMPLES } from '#lib/ports/media.ts';
import type { RtpSession } from './rtp-session.ts';
import { createRtpThread } from './rtp-threads.ts';
import type { RtpAgreement } from './rtp-wire.ts';

const HOST = '127.0.0.1';
const PORTS = { first: 29_400, last: 29_407 };
const thread = createRtpThread({ ports: PORTS, clock: monotonicClock, log: pino({ level: 'silent' }) });
const opened: { session: RtpSession; far: Socket }[] = [];

afterEach(async () => {
  for (const { session, far } of opened.splice(0)) {
    await session.close();
    far.close();
  }
});
afterAll(() => thread.close());

/** A call whose sound goes both ways, and its far end: the packets that came there, and how to wait for so many. */
async function openCall(onSilent: () => void = () => undefined) {
  const far = createSocket('udp4');
  far.bind(0, HOST);
  await once(far, 'listening');
  const packets: Buffer[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  far.on('message', (bytes) => {
    packets.push(bytes);
    for (const { count, resolve } of waiting) if (packets.length >= count) resolve();
  });
  const session = await thread.open({
    address: HOST,
    cname: 'test',
    onDigit: () => undefined,
    onSilent,
  });
  const agreement: RtpAgreement = {
    remote: {
      address: { address: HOST, port: far.address().port },
      rtcpPort: far.address().port + 1,
      coding: 'mulaw',
      payloadType: 0,
      eventPayloadType: 101,
      direction: 'sendrecv',
      crypto: undefined,
    },
    signalledBy: HOST,
    maySend: true,
    mayHear: true,
    srtp: undefined,
  };
  session.agree(agreement);
  session.start(monotonicClock.nowMs());
  opened.push({ session, far });
  return {
    session,
    far,
    packets,
    reach: (count: number) =>
      new Promise<void>((resolve) =>
        packets.length >= count ? resolve() : waiting.push({ count, resolve }),
      ),
  };
}

/** 20 ms of it, many times. */
const loud = (frames: number) => new Int16Array(frames * FRAME_SAMPLES).fill(8_000);
const isLoud = (packet: Buffer) => (packet.at(-1) ?? 0xff) < 0xc0;

function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('packets leave in time while the thread of the conversation is busy', async () => {
  const call = await openCall();
  await call.reach(3);
  const figures = createProcessFigures();
  figures();
  call.session.media.write(loud(24));
  const played = call.session.media.mark();
  keepBusy(400);
  expect(await played).toBe(true);
  const { sent, late } = figures().frames;
  expect(sent).toBeGreaterThan(20);
  // A thread that sends by itself would be late by more than 40 ms with three of four.
  expect(late.at(-1)).toBeLessThan(sent / 2);
});

it('what is cut is not heard, and the cut says which sample was the last', async () => {
  const call = await openCall();
  const { media } = call.session;
  media.write(loud(50));
  const dropped = media.mark();
  await call.reach(10);
  keepBusy(50);
  const cutMs = media.clear();
  expect(await dropped).toBe(false);
  media.write(loud(2));
  expect(await media.mark()).toBe(true);
  expect(media.playedMs()).toBe(cutMs + 40);
  await call.reach(call.packets.length + 3);
  expect(call.packets.filter(isLoud).length).toBeGreaterThanOrEqual(cutMs / 20 + 2);
  // The resampler rings on for a frame after each end.
  expect(call.packets.filter(isLoud).length).toBeLessThanOrEqual(cutMs / 20 + 4);
});

it('what the far end says is heard in order, each frame 20 ms after the one before', async () => {
  const call = await openCall();
  const frames: { loud: boolean; atMs: number }[] = [];
  const heard = new Promise<void>((resolve) =>
    call.session.media.onFrame((frame, atMs) => {
      frames.push({ loud: frame.some((sample) => sample > 4_000), atMs });
      if (frames.filter((each) => each.loud).length >= 5 && !frames.at(-1)?.loud) resolve();
    }),
  );
  const payload = encodeG711('mulaw', new Int16Array(160).fill(8_000));
  for (let sequence = 0; sequence < 6; sequence += 1) {
    const packet = Buffer.alloc(172);
    packet.writeUInt16BE(0x8000, 0);
    packet.writeUInt16BE(sequence, 2);
    packet.writeUInt32BE(sequence * 160, 4);
    packet.set(payload, 12);
    call.far.send(packet, call.session.port, HOST);
  }
  await heard;
  for (const [index, { atMs }] of frames.entries())
    expect(atMs - (frames[0]?.atMs ?? 0)).toBeCloseTo(index * 20, 5);
});

it('a call that breaks the thread’s work is given up, and the others go on', async () => {
  const silent = Promise.withResolvers<void>();
  const [broken, other] = [await openCall(silent.resolve), await openCall()];
  broken.session.agree({ maySend: true } as RtpAgreement);
  await silent.promise;
  await other.reach(other.packets.length + 3);
});

it('a call that is over keeps nobody who listened to it, though its session is remembered', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const call = await openCall();
  const conversation = new WeakRef(listenTo(call.session));
  await call.reach(3);
  await call.session.close();
  collect();
  expect(conversation.deref()).toBeUndefined();
  expect(call.session.media.playedMs()).toBe(0);
});

/** Gives what a listener keeps. */
function listenTo({ media }: RtpSession): object {
  const conversation = { frames: 0 };
  media.onFrame(() => {
    conversation.frames += 1;
  });
  return conversation;
}

it('a port that nobody can have is said, and calls go on after it', async () => {
  const calls = [await openCall(), await openCall(), await openCall(), await openCall()];
  await expect(openCall()).rejects.toThrow(/29400 to 29407/);
  await Promise.all(calls.map((call) => call.reach(3)));
  expect((await calls[0]?.session.close())?.packetsSent).toBeGreaterThanOrEqual(3);
  expect(await calls[0]?.session.media.mark()).toBe(false);
});
