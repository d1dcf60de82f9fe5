/** @module-tag postgres */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, inArray } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createServerDatabase, hasPostgres } from '#db/testing.ts';
import { sessions } from '#db/schema/auth.ts';
import { callWatches } from '#db/schema/call-watches.ts';
import { calls } from '#db/schema/calls.ts';
import { scheduledWork } from '#db/schema/queue.ts';
import { takeTurn } from '#db/scheduled-work.ts';
import { addSignedInMember, type SignedInMember } from '#lib/auth/testing.ts';
import { parseEnv } from '#lib/env.ts';
import { createLogger } from '#lib/log.ts';
import { LISTENING_REVOKED, listeningSocketPath } from '#lib/features/calls/supervision/contract.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { provisionAtStart } from '#lib/features/provision/service.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime, type Runtime } from '#lib/runtime.ts';
import { startPooler, type TestPooler } from '../scripts/pooler.ts';
import { createUpgradeHandler } from './web-sockets.ts';

let folder: string;
let server: Awaited<ReturnType<typeof createServerDatabase>>;
let databaseUrl: string;
const open: Runtime[] = [];
const servers: Server[] = [];
let folders = 0;

beforeAll(async () => {
  if (!hasPostgres) return;
  folder = await mkdtemp(join(tmpdir(), 'callwright-several-'));
  server = await createServerDatabase(process.env.TEST_DATABASE_URL ?? '');
  databaseUrl = server.databaseUrl;
});
afterEach(async () => {
  for (const each of servers.splice(0)) each.close();
  await Promise.all(open.splice(0).map((runtime) => runtime.stop(2_000)));
});
afterAll(async () => {
  if (!hasPostgres) return;
  await server.drop();
  await rm(folder, { recursive: true });
});

/** What one process of the service is, in a folder of its own; recordings are shared as a bucket would be. */
async function startProcess(role: 'web' | 'worker', given: Record<string, string> = {}): Promise<Runtime> {
  folders += 1;
  const env = parseEnv({
    ROLE: role,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, String(folders)),
    STORAGE_URL: `file:${folder}/shared`,
    SIMULATION_SPEED: '0',
    CONVERSATION_PROCESSES: '0',
    LOG_LEVEL: 'silent',
    ...given,
  });
  const runtime = buildRuntime(await openDependencies(env, createLogger('silent')));
  open.push(runtime);
  await runtime.queue.start();
  if (role === 'worker') await runtime.startWorker();
  await runtime.takeCalls();
  return runtime;
}

async function placeCalls(web: Runtime, name: string, count: number): Promise<string[]> {
  const line = await seedLine(web.db, name, { agent: { hasPostConversationWebhook: false } });
  const placed = await Promise.all(
    Array.from({ length: count }, () =>
      web.calls.queueOutbound(line.actor, {
        from: line.number,
        to: parsePhoneNumber('+15550109900'),
        variables: { name: 'Ann' },
      }),
    ),
  );
  return placed.map(({ conversationId }) => conversationId);
}

async function untilEnded(web: Runtime, ids: string[]): Promise<void> {
  const ended = async () =>
    (await web.db.select().from(calls).where(inArray(calls.id, ids))).filter(
      ({ status }) => status === 'ended',
    ).length;
  await expect.poll(ended, { timeout: 30_000, interval: 50 }).toBe(ids.length);
}

describe.skipIf(!hasPostgres)('several processes on one database', () => {
  it('have one secret without a folder in common: a link that one signs is good at the other', async () => {
    const [one, other] = await Promise.all([startProcess('web'), startProcess('web')]);
    expect(one.signingSecret).toBe(other.signingSecret);
    expect(one.authSecret).toBe(other.authSecret);
  });

  it('wake the live views of the others at once', async () => {
    const [web, other] = await Promise.all([startProcess('web'), startProcess('web')]);
    const heard: string[] = [];
    await web.database.listen('callwright_live', {
      onPayload: (payload) => heard.push(payload),
      onListening: () => {},
    });
    const [id = ''] = await placeCalls(other, 'woken', 1);
    await expect.poll(() => heard.join(), { timeout: 10_000, interval: 10 }).toContain(id);
  });

  it('do scheduled work on one of them, and on whichever comes first when it is due again', async () => {
    const [one, other] = await Promise.all([startProcess('worker'), startProcess('worker')]);
    const take = (runtime: Runtime) => takeTurn(runtime.database, 'test.work', 60_000);
    const both = async () => (await Promise.all([take(one), take(other)])).filter(Boolean).length;
    expect(await both()).toBe(1);
    expect(await both()).toBe(0);
    await one.db.update(scheduledWork).set({ nextAt: new Date(0) });
    expect(await both()).toBe(1);
  });

  it('make the demo once where two of them start on an empty database', async () => {
    const processes = await Promise.all([startProcess('web'), startProcess('web')]);
    await processes[0].db.execute('truncate workspaces, users, scheduled_work cascade');
    const told = await Promise.all(processes.map((runtime) => provisionAtStart(runtime)));
    expect(told.filter(({ signIn }) => signIn?.password).length).toBe(1);
  });
});

describe.skipIf(!hasPostgres)('a web process, of a call that a worker runs', () => {
  const realTime = { SIMULATION_SPEED: '1' };

  it('streams what is being said, and lets members listen for as long as they may', async () => {
    const [web, worker] = await Promise.all([
      startProcess('web', realTime),
      startProcess('worker', realTime),
    ]);
    const { members, callId, at, ...line } = await startWatchedCall(web, worker, 'watched');
    const words = firstWords(web, line.actor, callId);
    const listeners = members.map((member) => listenAt(at, member, callId));
    await Promise.all(listeners.map(({ loud }) => loud));
    expect((await words).text.length).toBeGreaterThan(0);
    await web.db.delete(sessions).where(eq(sessions.userId, members[0]?.userId ?? ''));
    expect(await listeners[0]?.closed).toBe(LISTENING_REVOKED);
    expect(listeners[1]?.socket.readyState).toBe(WebSocket.OPEN);
    await web.supervision.order(line.actor, callId, { kind: 'end' });
    expect(await listeners[1]?.closed).toBe(1000);
    expect(listeners[1]?.messages.at(-1)).toContain('"ended"');
    await expect.poll(() => web.db.$count(callWatches), { timeout: 5_000, interval: 20 }).toBe(0);
  });

  it('asks for no sound when the last listener has left, and ends when the worker died and the call was closed', async () => {
    const [web, worker] = await Promise.all([
      startProcess('web', realTime),
      startProcess('worker', realTime),
    ]);
    const { members, callId, at } = await startWatchedCall(web, worker, 'left');
    const [one, other] = members.map((member) => listenAt(at, member, callId));
    await Promise.all([one?.begun, other?.begun]);
    one?.socket.close();
    await one?.closed;
    expect(await web.db.$count(callWatches)).toBe(1);
    other?.socket.close();
    await expect.poll(() => web.db.$count(callWatches), { timeout: 5_000, interval: 20 }).toBe(0);
    const last = listenAt(at, members[0], callId);
    await last.begun;
    // As another worker writes it of a call whose own one is gone without a word.
    await web.db.update(calls).set({ status: 'ended', statusRank: 5 }).where(eq(calls.id, callId));
    expect(await last.closed).toBe(1000);
  });
});

/** A call that the worker runs, two people of its workspace, and where they reach the web process. */
async function startWatchedCall(web: Runtime, worker: Runtime, name: string) {
  const line = await seedLine(web.db, name, { agent: { hasPostConversationWebhook: false } });
  const member = (who: string) => addSignedInMember(web, `ws_${name}`, 'member', `${who}@${name}.test`);
  const members = [await member('one'), await member('other')] as const;
  const from = parsePhoneNumber('+15550109900');
  const { callId } = await worker.calls.simulateInbound(line.actor, { to: line.number, from });
  const http = createServer().on('upgrade', createUpgradeHandler(web)).listen(0, '127.0.0.1');
  servers.push(http);
  await once(http, 'listening');
  return { ...line, members, callId, at: `127.0.0.1:${(http.address() as AddressInfo).port}` };
}

/** The first words of a side that the stream of a call brings before they are a turn. */
async function firstWords(
  web: Runtime,
  actor: Parameters<Runtime['conversations']['getCall']>[0],
  callId: string,
): Promise<{ speaker: string; text: string }> {
  const left = new AbortController();
  const request = new Request('http://localhost/', { signal: left.signal });
  const response = await web.callEvents.streamCall({ actor, request }, callId, undefined);
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    const [, data] = /event: words\ndata: (.*)\n\n/.exec(text) ?? [];
    if (data === undefined) continue;
    left.abort();
    return JSON.parse(data) as { speaker: string; text: string };
  }
  throw new Error('the stream ended without words');
}

/** Somebody who listens in through the web process. `begun`: sound comes; `loud`: both sides were heard. */
function listenAt(at: string, as: SignedInMember, callId: string) {
  const socket = new WebSocket(`ws://${at}${listeningSocketPath(as.workspaceId, callId)}`, {
    headers: { cookie: as.cookie, origin: `http://${at}` },
  });
  const messages: string[] = [];
  const begun = Promise.withResolvers<void>();
  const loud = Promise.withResolvers<void>();
  const heard = [0, 0];
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return void messages.push(data.toString());
    begun.resolve();
    for (let byte = 0; byte < data.length; byte += 2) {
      const side = (byte / 2) % 2;
      heard[side] = Math.max(heard[side] ?? 0, Math.abs(data.readInt16LE(byte)));
    }
    return heard.every((loudest) => loudest > 1_000) ? loud.resolve() : undefined;
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  return { socket, messages, begun: begun.promise, loud: loud.promise, closed };
}

describe.skipIf(!hasPostgres)('behind PgBouncer in transaction mode', () => {
  let pooler: TestPooler | { missing: string };
  beforeAll(async () => {
    pooler = await startPooler(databaseUrl, { serverConnections: 6 });
    if ('missing' in pooler) console.warn(`!! not tried behind PgBouncer: ${pooler.missing}`);
  });
  afterAll(async () => {
    if (pooler && 'stop' in pooler) await pooler.stop();
  });

  it('calls are placed by one process and run by two others, over fewer connections than they have', async (context) => {
    if ('missing' in pooler) return context.skip();
    const given = { DATABASE_URL: `${pooler.url}?prepare=false`, DATABASE_DIRECT_URL: databaseUrl };
    const [web] = await Promise.all([
      startProcess('web', given),
      startProcess('worker', given),
      startProcess('worker', given),
    ]);
    const ids = await placeCalls(web, 'pooled', 12);
    await untilEnded(web, ids);
    const [attempted] = await web.db
      .select()
      .from(calls)
      .where(eq(calls.id, ids[0] ?? ''));
    expect(attempted?.disposition).toBe('COMPLETED');
    const direct = postgres(databaseUrl, { max: 1 });
    const [counted] = await direct`
      select count(*)::int as connections from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    await direct.end();
    // Six of the pooler, and for each process one that listens and one that looks for locks while something is slow.
    expect(counted?.connections).toBeLessThanOrEqual(6 + 3 + 3);
  });
});
