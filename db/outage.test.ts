/** @module-tag postgres */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../scripts/postgres.ts';
import { openDatabase, type OpenDatabase } from './client.ts';
import { inRequestLane } from './lanes.ts';
import { createServerDatabase, hasPostgres } from './testing.ts';
import { unavailableReason } from './unavailable.ts';

/** The server behind an address where it can be made to go away. */
async function createDoor(databaseUrl: string) {
  const { hostname, port: serverPort } = new URL(databaseUrl);
  const port = await freePort();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const pass = (socket: Socket) => {
    const onward = connect({ host: hostname, port: Number(serverPort) });
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => each.destroy()).once('close', () => sockets.delete(each));
    }
    socket.pipe(onward).pipe(socket);
  };
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    async open() {
      server = createServer(pass).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    close() {
      server?.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const reasonOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: unknown) => unavailableReason(error) ?? String(error),
  );

/** A statement of drizzle is sent when somebody waits for it, so that has to happen in the lane. */
const request = (send: () => PromiseLike<unknown>) => inRequestLane(async () => await send());
const one = ({ db }: OpenDatabase) => request(() => db.execute(sql`select ${1}::int`));

async function tookMs(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work;
  return performance.now() - begun;
}

describe.skipIf(!hasPostgres)('a database that is away for a while', () => {
  let server: Awaited<ReturnType<typeof createServerDatabase>>;
  let door: Awaited<ReturnType<typeof createDoor>>;
  let admin: Sql;
  const opened: OpenDatabase[] = [];
  async function open(connections = 6): Promise<OpenDatabase> {
    const database = await openDatabase({ databaseUrl: door.url, connections });
    opened.push(database);
    return database;
  }
  beforeAll(async () => {
    server = await createServerDatabase(process.env.TEST_DATABASE_URL ?? '');
    door = await createDoor(server.databaseUrl);
    await door.open();
    admin = postgres(server.databaseUrl, { max: 2, onnotice: () => {} });
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    door?.close();
    await admin?.end();
    await server?.drop();
  });

  it('answers what came meanwhile within a second of its return, and refuses requests after five', async () => {
    const database = await open();
    await Promise.all(Array.from({ length: 6 }, () => one(database)));
    door.close();
    const asked = Array.from({ length: 20 }, () => reasonOf(one(database)));
    const refusedAfterMs = await tookMs(Promise.all(asked));
    expect(refusedAfterMs).toBeLessThan(6_500);
    for (const reason of await Promise.all(asked)) expect(reason).toMatch(/cannot be reached|too much to do/);
    expect(await tookMs(expect(database.ready()).rejects.toThrow())).toBeLessThan(1_000);

    const transaction = database.db.transaction((tx) => tx.execute(sql`select 1`));
    const waiting = Array.from({ length: 20 }, () => one(database));
    await door.open();
    expect(await tookMs(Promise.all([...waiting, transaction]))).toBeLessThan(1_000);
    await expect(database.ready()).resolves.toBeUndefined();
  });

  it('is not ready while it takes no writes, and is written to by new connections when it does', async () => {
    const { pathname } = new URL(server.databaseUrl);
    const name = pathname.slice(1);
    await admin.unsafe(`alter database ${name} set default_transaction_read_only = on`);
    const database = await open();
    const write = () =>
      reasonOf(request(() => database.db.execute(sql`create table if not exists written ()`)));
    try {
      expect(await write()).toBe('The database is read-only');
      await expect(database.ready()).rejects.toThrow('read-only');
    } finally {
      await admin.begin(async (tx) => {
        await tx.unsafe('set transaction read write');
        await tx.unsafe(`alter database ${name} reset default_transaction_read_only`);
      });
    }
    // Connections of before would go on refusing: the setting is of those that begin now.
    await expect.poll(write, { timeout: 3_000 }).toBe('answered');
    await expect.poll(() => reasonOf(database.ready()), { timeout: 3_000 }).toBe('answered');
  });

  it('goes on with other tables while one is locked, and refuses requests for that one', async () => {
    const database = await open(4);
    const { db } = database;
    await Promise.all(Array.from({ length: 4 }, () => one(database)));
    const locked = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const lock = admin.begin(async (tx) => {
      await tx.unsafe('lock table calls');
      locked.resolve();
      await free.promise;
    });
    await locked.promise;
    try {
      const forCalls = Array.from({ length: 12 }, () =>
        reasonOf(request(() => db.execute(sql`select count(${'x'}::text) from "calls"`))),
      );
      const work = Promise.all(
        Array.from({ length: 6 }, () => db.execute(sql`update "calls" set status = status`)),
      );
      const agents = () => request(() => db.execute(sql`select count(${'x'}::text) from "agents"`));
      await agents();
      // Known to be locked by now.
      for (let round = 0; round < 3; round += 1) expect(await tookMs(agents())).toBeLessThan(1_500);
      await expect(database.ready()).resolves.toBeUndefined();
      for (const reason of await Promise.all(forCalls))
        expect(reason).toMatch(/in time|is locked|too much to do/);
      free.resolve();
      await lock;
      await work;
    } finally {
      free.resolve();
      await lock;
    }
  });
});
