import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Pacer } from '#lib/media/pacer.ts';
import { type BrowserCarrier, NO_SUCH_CALL } from '#lib/ports/browser-carrier.ts';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import type { ControlEvent, MediaLeg } from '#lib/ports/carrier.ts';
import { FRAME_SAMPLES } from '#lib/ports/media.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { refuseConnection } from '#lib/web-connection.ts';
import { createBrowserCarrier } from './carrier.ts';

/** Frames pass when the test says so. */
function manualPacer(): Pacer & { tick(count: number): void } {
  const streams = new Set<(dueMs: number) => void>();
  let dueMs = 0;
  return {
    start(onFrame) {
      streams.add(onFrame);
      return () => void streams.delete(onFrame);
    },
    tick(count) {
      for (let frame = 0; frame < count; frame += 1) {
        dueMs += 20;
        for (const onFrame of streams) onFrame(dueMs);
      }
    },
  };
}

let pacer: ReturnType<typeof manualPacer>;
let clock: ReturnType<typeof manualClock>;
let carrier: BrowserCarrier;
let server: Server;
let onUpgrade: (connection: WebConnection) => Promise<void>;
let url: string;

beforeEach(async () => {
  pacer = manualPacer();
  clock = manualClock();
  const startedAt = clock.now().getTime();
  const callClock = { nowMs: () => clock.now().getTime() - startedAt, sleep: clock.sleep };
  carrier = createBrowserCarrier({ pacer, clock, callClock, understandsSpeech: async () => true });
  onUpgrade = (connection) => carrier.connect('cnv_1', connection);
  server = createServer();
  server.on('upgrade', (request, socket, head) => {
    const { method = '', url: path = '', headers } = request;
    void onUpgrade({ request: { method, url: path, headers }, socket, head });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => void server.close());

/** A browser: what it gets, in order. */
function browser() {
  const socket = new WebSocket(url);
  const messages: Record<string, unknown>[] = [];
  const audio: Int16Array[] = [];
  let changed = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary)
      audio.push(new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length)));
    else messages.push(JSON.parse(data.toString('utf8')) as Record<string, unknown>);
    changed.resolve();
    changed = Promise.withResolvers();
  });
  return {
    socket,
    messages,
    audio,
    async until(is: () => boolean): Promise<void> {
      while (!is()) await changed.promise;
    },
  };
}

async function inCall(direction: 'INBOUND' | 'OUTBOUND' = 'INBOUND') {
  const opening = carrier.open('cnv_1', direction);
  const person = browser();
  const leg = await opening;
  await person.until(() => person.messages.length > 0);
  return { person, leg, events: eventsOf(leg) };
}

function eventsOf(leg: MediaLeg) {
  const reader = leg.events[Symbol.asyncIterator]();
  return {
    next: async () => (await reader.next()).value as ControlEvent,
    isOver: async () => (await reader.next()).done === true,
  };
}

const speech = (value: number, frames = 1) => new Int16Array(FRAME_SAMPLES * frames).fill(value);
const bytes = (samples: Int16Array) => Buffer.from(samples.buffer);

describe('a call over a WebSocket', () => {
  it('greets the browser, and is answered when the engine answers', async () => {
    const { person, leg, events } = await inCall();
    expect(person.messages).toEqual([{ type: 'ready', conversationId: 'cnv_1', understandsSpeech: true }]);
    await leg.answer();
    expect(await events.next()).toMatchObject({ type: 'answered', by: 'human' });
  });

  it('is answered already where the agent opens as if it had called', async () => {
    const { leg, events } = await inCall('OUTBOUND');
    await leg.answer();
    expect(await events.next()).toMatchObject({ type: 'answered' });
    await leg.hangUp();
    expect(await events.next()).toMatchObject({ type: 'hangup', by: 'agent' });
  });

  it('gives what the browser sends as frames, whatever its pieces, and silence where nothing came', async () => {
    const { person, leg, events } = await inCall();
    const heard: number[] = [];
    leg.media.onFrame((frame) => heard.push(frame[0] ?? NaN));
    const sound = bytes(speech(1_000, 3));
    person.socket.send(sound.subarray(0, 700));
    person.socket.send(sound.subarray(700));
    // Messages arrive in their order: with this one, the audio is there.
    person.socket.send('{"type":"digit","digit":"1"}');
    await events.next();
    pacer.tick(5);
    expect(heard).toEqual([1_000, 1_000, 1_000, 0, 0]);
  });

  it('plays frame by frame, and drops what was not played when it is cleared', async () => {
    const { person, leg } = await inCall();
    leg.media.write(speech(2_000, 10));
    pacer.tick(4);
    await person.until(() => person.audio.length === 4);
    expect(leg.media.playedMs()).toBeLessThanOrEqual(80);
    leg.media.clear();
    await person.until(() => person.messages.length === 2);
    expect(person.messages[1]).toEqual({ type: 'clear' });
    pacer.tick(1);
    await person.until(() => person.audio.length === 5);
    expect(person.audio.map((frame) => frame[0])).toEqual([2_000, 2_000, 2_000, 2_000, 0]);
  });

  it('hears typed and recognised words, keys and the hang-up, and passes over what it does not know', async () => {
    const { person, events } = await inCall();
    for (const message of [
      { type: 'text', text: '  Hello there ' },
      { type: 'interim', text: 'when do' },
      { type: 'recognized', text: 'when do you open' },
      { type: 'digit', digit: '#' },
      { type: 'digit', digit: '12' },
      { type: 'dance' },
      { type: 'hangup' },
    ])
      person.socket.send(JSON.stringify(message));
    person.socket.send('no json');
    expect(await events.next()).toMatchObject({ type: 'text', text: 'Hello there', state: 'typed' });
    expect(await events.next()).toMatchObject({ type: 'text', text: 'when do', state: 'interim' });
    expect(await events.next()).toMatchObject({ text: 'when do you open', state: 'recognized' });
    expect(await events.next()).toMatchObject({ type: 'digit', digit: '#' });
    expect(await events.next()).toMatchObject({ type: 'hangup', by: 'human' });
    expect(await events.isOver()).toBe(true);
    const [code] = (await once(person.socket, 'close')) as [number];
    expect(code).toBe(1000);
    expect(person.messages.at(-1)).toEqual({ type: 'ended' });
  });

  it('goes on when the browser comes back within ten seconds', async () => {
    const { person, leg, events } = await inCall();
    person.socket.terminate();
    await clock.advance(9_000);
    onUpgrade = ({ request, ...connection }) =>
      carrier.connect('cnv_1', { ...connection, request: { ...request, nextTicket: 'second' } });
    const again = browser();
    await again.until(() => again.messages.length > 0);
    expect(again.messages[0]).toMatchObject({ type: 'ready', ticket: 'second' });
    leg.media.write(speech(3_000));
    pacer.tick(1);
    await again.until(() => again.audio.length > 0);
    await clock.advance(60_000);
    again.socket.send('{"type":"digit","digit":"5"}');
    expect(await events.next()).toMatchObject({ type: 'digit', digit: '5' });
  });

  it('is over for a browser that does not come back', async () => {
    const { person, events } = await inCall();
    person.socket.terminate();
    let end: ControlEvent | undefined;
    void events.next().then((event) => (end = event));
    // Time passes until the break was noticed and the wait is over.
    while (!end) {
      await clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(end).toMatchObject({ type: 'hangup', by: 'human' });
  });

  it('is left by the first of two connections, which is told so', async () => {
    const { person } = await inCall();
    const second = browser();
    const [code] = (await once(person.socket, 'close')) as [number];
    expect(code).toBe(4409);
    await second.until(() => second.messages.length > 0);
    expect(second.messages[0]).toMatchObject({ type: 'ready' });
  });

  it('ends where more comes in one message than a voice can be', async () => {
    const { person } = await inCall();
    person.socket.send(Buffer.alloc(70_000));
    const [code] = (await once(person.socket, 'close')) as [number];
    expect(code).toBe(1009);
  });
});

it('tells a browser that is refused why', async () => {
  onUpgrade = (connection) => refuseConnection(connection, 4403, 'The agent is switched off');
  const person = browser();
  const [code] = (await once(person.socket, 'close')) as [number];
  expect(code).toBe(4403);
  expect(person.messages).toEqual([{ type: 'refused', reason: 'The agent is switched off' }]);
});

it('does not wait for a connection for ever', async () => {
  const opening = carrier.open('cnv_2', 'INBOUND');
  const failed = expect(opening).rejects.toThrow('the connection did not come');
  await clock.advance(10_000);
  await failed;
});

it('closes the connection of somebody who comes back to a call that is over', async () => {
  const { person } = await inCall();
  person.socket.send('{"type":"hangup"}');
  await once(person.socket, 'close');
  const late = browser();
  const [code] = (await once(late.socket, 'close')) as [number];
  expect(code).toBe(NO_SUCH_CALL);
  expect(late.messages).toEqual([{ type: 'refused', reason: 'The call is over' }]);
});

it('closes a connection whose call nobody opens', async () => {
  const person = browser();
  const closed = once(person.socket, 'close');
  await once(person.socket, 'open');
  await clock.advance(10_000);
  expect((await closed)[0]).toBe(NO_SUCH_CALL);
});

it('opens a call with the connection that came last', async () => {
  const first = browser();
  await once(first.socket, 'open');
  const replaced = once(first.socket, 'close');
  const second = browser();
  expect((await replaced)[0]).toBe(4409);
  await carrier.open('cnv_1', 'INBOUND');
  await second.until(() => second.messages.length > 0);
  expect(second.messages[0]).toMatchObject({ type: 'ready' });
});
