/** @module-tag postgres */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, inArray } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createServerDatabase, hasPostgres } from '#db/testing.ts';
import { calls } from '#db/schema/calls.ts';
import { scheduledWork } from '#db/schema/queue.ts';
import { takeTurn } from '#db/scheduled-work.ts';
import { parseEnv } from '#lib/env.ts';
import { createLogger } from '#lib/log.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { provisionAtStart } from '#lib/features/provision/service.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime, type Runtime } from '#lib/runtime.ts';
import { startPooler, type TestPooler } from '../scripts/pooler.ts';

let folder: string;
let server: Awaited<ReturnType<typeof createServerDatabase>>;
let databaseUrl: string;
const open: Runtime[] = [];
let folders = 0;

beforeAll(async () => {
  if (!hasPostgres) return;
  folder = await mkdtemp(join(tmpdir(), 'callwright-several-'));
  server = await createServerDatabase(process.env.TEST_DATABASE_URL ?? '');
  databaseUrl = server.databaseUrl;
});
afterEach(async () => {
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
    const ids = await placeCalls(web, 'pooled', 30);
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
    // Six of the pooler, and one that listens for each process.
    expect(counted?.connections).toBeLessThanOrEqual(6 + 3);
  });
});
