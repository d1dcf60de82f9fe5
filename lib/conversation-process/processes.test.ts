import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { isAppError } from '#lib/errors.ts';
import { createMemorySinks, planForTest, silentLog } from '#lib/engine/testing.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { manualClock } from '#lib/ports/testing.ts';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import { refuseUpgrade } from '#lib/web-connection.ts';
import { startProcess } from './process.ts';
import type { CallReport } from './protocol.ts';
import { createConversationProcesses } from './processes.ts';

const never = new AbortController().signal;
let journalFolder = '';
let lastCall = 0;

const startHost = (count: number, clock = systemClock) =>
  createConversationProcesses({
    count,
    entry: new URL('./testing-process.ts', import.meta.url),
    env: { ...process.env, TEST_JOURNALS: journalFolder },
    journalFolder,
    clock,
    log: silentLog,
  });
let host: ReturnType<typeof startHost>;

beforeAll(async () => {
  journalFolder = join(await mkdtemp(join(tmpdir(), 'callwright-processes-')), 'conversations');
  host = startHost(2);
  await bothReady();
});
afterAll(async () => {
  await host.stop();
  await rm(journalFolder, { recursive: true, force: true });
});

async function bothReady(): Promise<void> {
  await host.ready(never);
  while (host.pids().length < 2) await systemClock.sleep(10);
}

/** Runs a scripted conversation (testing-process.ts) and keeps what it tells. */
function talk(script: string, on = host, line?: string) {
  const callId = `cnv_${(lastCall += 1)}`;
  const reports: CallReport[] = [];
  const closing = new AbortController();
  const said = Promise.withResolvers<void>();
  const running = on.run(
    {
      plan: planForTest({ callId, prompt: { opening: script } }),
      carrier: 'simulated',
      opening: line === undefined ? 'dial' : 'answer',
      reference: line ?? `att_${callId}`,
    },
    {
      ...createMemorySinks(),
      beginTransfer: async (to) => `att_to_${to}`,
      extendUsage: async (seconds) => seconds <= 60,
      searchKnowledge: async (query) => [
        { text: query, score: 1, documentName: 'Prices', location: 'page 1' },
      ],
      useWorkspaceTool: async (use) => ({ ok: true, data: use }),
      signal: closing.signal,
      report(report) {
        reports.push(report);
        if (report.type === 'turn') said.resolve();
      },
    },
  );
  return { ...running, callId, reports, said: said.promise, close: () => closing.abort(new Error('stop')) };
}
const typesOf = (reports: readonly CallReport[]) => reports.map(({ type }) => type);

it('tells all of a conversation in order, with its recording, and leaves nothing behind', async () => {
  const call = talk('end');
  await call.asked;
  const result = await call.result;
  expect(typesOf(call.reports)).toEqual(['accepted', 'ringing', 'answered', 'turn']);
  expect(result).toMatchObject({ connected: true, endReason: 'The person said goodbye.' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of result.recording?.body ?? []) chunks.push(chunk);
  const wav = Buffer.concat(chunks);
  expect(wav.length).toBe(44 + 16_000 * 4);
  expect(wav.readInt16LE(44 + 400)).toBe(7);
  await call.forget();
  expect((await readdir(journalFolder)).filter((name) => name.startsWith(call.callId))).toEqual([]);
});

it('answers what a conversation needs of the database, and asks it to say goodbye', async () => {
  const asking = talk('ask');
  await asking.result;
  expect(asking.reports.at(-1)).toMatchObject({
    name: 'asked',
    data: {
      granted: false,
      hits: [{ text: 'prices' }],
      used: { ok: true, data: { name: 'look_up', arguments: { id: 7 } } },
    },
  });
  const holding = talk('hold');
  await holding.said;
  holding.close();
  await holding.result;
  expect(holding.reports.at(-1)).toMatchObject({ turn: { text: 'I have to go, goodbye.' } });
  await expect(talk('break').result).rejects.toThrow('the engine broke');
  expect(await host.lookup('simulated', 'att_known')).toBe('in_progress');
});

it('loses only the calls of a process that died, keeps what they said, and starts another', async () => {
  const [first, second] = [talk('hold'), talk('hold')];
  await Promise.all([first.said, second.said]);
  const before = host.pids();
  const dying = talk('die');
  await expect(dying.result).rejects.toThrow(`The process that ran call ${dying.callId} is gone`);
  // It shared its process with one of the others.
  const ends = Promise.allSettled([first.result, second.result]);
  for (const call of [first, second]) call.close();
  expect((await ends).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const left = await host.journals.find(dying.callId);
  expect(left?.result).toBeUndefined();
  expect(typesOf(left?.reports.map(({ report }) => report) ?? [])).toEqual(typesOf(dying.reports));
  expect((await host.journals.recording(dying.callId, 500))?.sizeBytes).toBe(44 + 8_000 * 4);
  await bothReady();
  expect(host.pids()).not.toEqual(before);
  await talk('end').result;
});

it('says of a process that comes after three that died in a row that it has not worked yet', async () => {
  const own = startHost(1);
  await own.ready(never);
  for (let died = 0; died < 3; died += 1) {
    expect(own.counts()).toEqual({ wanted: 1, ready: 1, steady: 1 });
    const [pid] = own.pids();
    process.kill(pid!, 'SIGKILL');
    while (own.pids()[0] === pid) await systemClock.sleep(10);
    await own.ready(never);
  }
  expect(own.counts()).toEqual({ wanted: 1, ready: 1, steady: 0 });
  await own.stop();
});

it('kills a process that gives no sign of life', async () => {
  const clock = manualClock();
  const stuck = startHost(1, clock);
  await stuck.ready(never);
  const call = talk('freeze', stuck);
  await call.said;
  let isOver = false;
  const over = expect(call.result)
    .rejects.toThrow('is gone')
    .finally(() => (isOver = true));
  // It answers until its journal is on the disk, and freezes then.
  while (!isOver) {
    await clock.advance(2_000);
    await setImmediate();
  }
  await over;
  await stuck.stop();
});

it('waits longer for a process that still loads its code', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const loading = startProcess({
    entry: new URL('./testing-process.ts', import.meta.url),
    env: { ...process.env, TEST_JOURNALS: journalFolder },
    log: silentLog,
    metrics: noMetrics,
    onReady: () => resolve('ready'),
    onIncoming: () => Promise.reject(new Error('nobody calls in')),
    onCarrierState: () => undefined,
    onGone: () => resolve('gone'),
  });
  // None is answered before it is ready.
  for (let asked = 0; asked < 15; asked += 1) loading.ping();
  expect(await promise).toBe('ready');
  loading.kill();
});

it('without the service says goodbye in its calls, writes it down and ends', async () => {
  const service = spawn(process.execPath, [new URL('./testing-service.ts', import.meta.url).pathname], {
    env: { ...process.env, TEST_JOURNALS: journalFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  service.kill('SIGKILL');
  const left = await host.journals.find('cnv_test');
  // Whoever inherits it may not have noticed its end yet: then it is in state Z.
  const state = await readFile(`/proc/${Number(line.toString())}/stat`, 'utf8').catch(() => ') Z ');
  expect(state).toContain(') Z ');
  expect(left?.reports.at(-1)?.report).toMatchObject({ turn: { text: 'I have to go, goodbye.' } });
  expect(left?.result).toMatchObject({ connected: true, hasRecording: true });
});

it('asks all processes about news of a call, and the one that runs it answers', async () => {
  const [pid] = host.pids();
  const news = { topic: 'status', fields: { CallStatus: 'ringing' } };
  expect(await host.tell('twilio', `att_${pid}`, news)).toBe('heard status');
  expect(await host.tell('twilio', 'att_nobody', news)).toBeUndefined();
});

/** A server whose upgrades go to a process, as soon as `when` says so. */
async function startServer(
  when: (socket: Socket) => Promise<unknown>,
  give: (connection: WebConnection) => Promise<void> = (connection) =>
    host.handOver('browser', 'cnv_web', connection),
) {
  const server = createServer();
  server.on('upgrade', ({ method = '', url = '', headers }: IncomingMessage, socket, head: Buffer) => {
    if (!(socket instanceof Socket)) return;
    const connection = { request: { method, url, headers }, socket, head };
    void when(socket).then(() => give(connection));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

it('hands an upgraded connection to a process', async () => {
  const server = await startServer(async () => {});
  const client = new WebSocket(`ws://127.0.0.1:${server.port}/media`);
  const received: string[] = [];
  client.on('open', () => {
    for (let frame = 0; frame < 100; frame += 1) client.send(Buffer.alloc(640, frame));
  });
  await new Promise<void>((resolve) =>
    client.on('message', (data: Buffer) => {
      received.push(data.length === 640 ? String(data[0]) : data.toString());
      if (received.length === 101) resolve();
    }),
  );
  expect(received).toEqual([
    'welcome to cnv_web',
    ...Array.from({ length: 100 }, (_, frame) => String(frame)),
  ]);
  const closed = once(client, 'close');
  client.close();
  await closed;
  server.close();
});

it('hands over what came on a connection before, too', async () => {
  const upgraded = Promise.withResolvers<void>();
  const server = await startServer((socket) => {
    upgraded.resolve();
    return once(socket, 'readable');
  });
  const client = connect(server.port, '127.0.0.1');
  client.write(
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await upgraded.promise;
  // A text frame, masked with zeros.
  client.write(Buffer.concat([Buffer.from([0x81, 0x85, 0, 0, 0, 0]), Buffer.from('early')]));
  let received = '';
  for await (const part of client) {
    received += String(part);
    if (received.endsWith('early')) break;
  }
  expect(received).toContain('101 Switching Protocols');
  expect(received).toContain('welcome to cnv_web');
  server.close();
});

it('hands over a hundred connections that come at once', async () => {
  const server = await startServer(async () => {});
  const greeted = Array.from({ length: 100 }, async () => {
    const client = new WebSocket(`ws://127.0.0.1:${server.port}/media`);
    const [greeting] = (await once(client, 'message')) as [Buffer];
    client.terminate();
    return greeting.toString();
  });
  expect(new Set(await Promise.all(greeted))).toEqual(new Set(['welcome to cnv_web']));
  server.close();
});

// Elsewhere nothing changes the limits of another process.
it.runIf(process.platform === 'linux')(
  'refuses a connection with a status where the process can open no more files, and takes the next one',
  async () => {
    const own = startHost(1);
    await own.ready(never);
    const [pid] = own.pids();
    const server = await startServer(
      async () => {},
      (connection) =>
        own.handOver('browser', 'cnv_web', connection).catch((error: unknown) => {
          if (isAppError(error)) refuseUpgrade(connection.socket, error.status);
        }),
    );
    const address = `ws://127.0.0.1:${server.port}/media`;
    const allow = (files: string) => promisify(execFile)('prlimit', [`--pid=${pid}`, `--nofile=${files}:`]);
    await allow('3');
    const refused = new WebSocket(address);
    refused.on('error', () => undefined);
    const [, answer] = (await once(refused, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(answer.statusCode).toBe(503);
    await allow('1024');
    const client = new WebSocket(address);
    const [greeting] = (await once(client, 'message')) as [Buffer];
    expect(greeting.toString()).toBe('welcome to cnv_web');
    client.terminate();
    server.close();
    await own.stop();
  },
);

it('runs a call that comes in where its line is, and lets another process listen when that one dies', async () => {
  const own = startHost(2);
  await own.ready(never);
  while (own.pids().length < 2) await systemClock.sleep(10);
  const came: string[] = [];
  const states: string[] = [];
  const running = Promise.withResolvers<ReturnType<typeof talk>>();
  await own.listen(
    async (_carrier, { reference }, onNamed) => {
      came.push(reference);
      // The other process has fewer calls.
      if (came.length === 1) await Promise.all([talk('hold', own).said, talk('hold', own).said]);
      onNamed?.(`cnv_${lastCall + 1}`);
      if (came.length === 1) running.resolve(talk('end', own, reference));
      return { ok: true, callId: `cnv_${lastCall}` };
    },
    (carrier, { state }) => states.push(`${carrier} ${state}`),
  );
  const call = await running.promise;
  expect(await call.result).toMatchObject({ connected: true });
  const [first = ''] = came;
  process.kill(Number(first.replace('line_', '')), 'SIGKILL');
  while (came.length < 2) await systemClock.sleep(10);
  expect(came[1]).not.toBe(first);
  // Each that listens says so.
  expect(states).toEqual(['sip listening', 'sip listening']);
  await own.stop();
});

it('gives words and sound to several who watch, takes orders, and tells them of the end', async () => {
  const call = talk('supervised');
  await call.said;
  const heard = Promise.withResolvers<void>();
  const read = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<void>();
  const supervisor = host.supervisor(call.callId);
  let sounds = 0;
  const leave = supervisor?.watch({ sound: () => (sounds += 1) });
  supervisor?.watch({
    words: ({ speaker, text }) => read.resolve(`${speaker}: ${text}`),
    sound: ({ samples }) => samples.includes(9) && heard.resolve(),
    ended: ended.resolve,
  });
  expect(await read.promise).toBe('agent: Let me see');
  await heard.promise;
  expect(sounds).toBeGreaterThan(0);
  leave?.();
  supervisor?.order({ kind: 'transfer', to: '+15550177700' });
  await call.result;
  await ended.promise;
  expect(call.reports.at(-1)).toEqual({
    type: 'event',
    name: 'order',
    data: { kind: 'transfer', to: '+15550177700' },
  });
  expect(host.supervisor(call.callId)).toBeUndefined();
});

it('lets the sound of a call that was taken wait for its order, however late that comes', async () => {
  let looks = 0;
  const isLate = Promise.withResolvers<void>();
  // What waits for less than a tenth of a second looks a hundred times at once: five seconds, as it counts them.
  const hasty = {
    ...systemClock,
    async sleep(ms: number, signal?: AbortSignal) {
      if (ms >= 100) return systemClock.sleep(ms, signal);
      if ((looks += 1) === 100) isLate.resolve();
      await setImmediate();
    },
  };
  const late = startHost(1, hasty);
  await late.ready(never);
  const reference = `att_cnv_${lastCall + 1}`;
  const server = await startServer(
    async () => {},
    (connection) =>
      late.handOverLine('twilio', reference, connection).catch(() => void connection.socket.destroy()),
  );
  const forget = late.expectLine(reference);
  const client = new WebSocket(`ws://127.0.0.1:${server.port}/${reference}`);
  const greeted = once(client, 'message');
  await isLate.promise;
  const call = talk('hold', late);
  const [greeting] = (await greeted) as [Buffer];
  expect(greeting.toString()).toBe(`welcome to ${reference}`);
  forget();
  client.close();
  call.close();
  await call.result;
  server.close();
  await late.stop();
});

it('brings the sound of a call to the process that runs it, be the order for it later, and to no other', async () => {
  const refused = Promise.withResolvers<string>();
  const server = await startServer(
    async () => {},
    (connection) => {
      const [, reference = ''] = connection.request.url.split('/');
      return host.handOverLine('twilio', reference, connection).catch((error: Error) => {
        connection.socket.destroy();
        refused.resolve(error.message);
      });
    },
  );
  const reference = `att_cnv_${lastCall + 1}`;
  const client = new WebSocket(`ws://127.0.0.1:${server.port}/${reference}`);
  const greeted = once(client, 'message');
  await systemClock.sleep(100);
  const call = talk('hold');
  const [greeting] = (await greeted) as [Buffer];
  expect(greeting.toString()).toBe(`welcome to ${reference}`);
  const stranger = new WebSocket(`ws://127.0.0.1:${server.port}/att_nobody`);
  stranger.on('error', () => undefined);
  expect(await refused.promise).toBe('No process of this service runs the call');
  client.close();
  call.close();
  await call.result;
  server.close();
});
