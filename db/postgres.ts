import { connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePgArray, parsePgArray } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres, { type Sql } from 'postgres';
import type { Database, MigrateOptions, OpenDatabase } from './database.ts';
import { buildIndexesAhead } from './indexes-ahead.ts';
import { applyFunctions, EXTENSIONS, refuseNewerDatabase, withMigrations } from './migrations.ts';
import { countMigrations, countPending } from './migration-progress.ts';
import { createLanes } from './lanes.ts';
import { keepOpen } from './pool.ts';
import { keepPrepared } from './prepared.ts';
import { createProbe } from './probe.ts';
import * as schema from './tables.ts';

export type PostgresPlace = {
  databaseUrl: string;
  /** Where `databaseUrl` leads to a pooler: the server itself, for what belongs to one connection. */
  directUrl?: string | undefined;
  /** At most so many connections for statements; one more listens, where somebody asks for it. */
  connections?: number;
};

/** What people who look at the server's list of connections see. */
export const APPLICATION_NAME = 'callwright';

/** The kinds of arrays that statements pass or get, by their number in the server's catalogue (pg_type). */
const ARRAYS = {
  texts: arraysOf(1009, (item) => item),
  integers: arraysOf(1007, Number),
};

const RECONNECT_SECONDS = 0.1;
/** It is kept while somebody asks regularly. */
const PROBE_IDLE_SECONDS = 20;

const quiet = {
  onnotice: () => {},
  // postgres.js waits for up to 20 s, longer with each failure, for all connections together.
  backoff: () => RECONNECT_SECONDS,
  connect_timeout: 5,
  connection: { application_name: APPLICATION_NAME },
  // Otherwise each connection first asks the server for them, and where it is ended meanwhile nobody hears of that error:
  // an unhandled rejection, which ends the process.
  fetch_types: false,
  types: ARRAYS,
};

/** Arrays as the server writes them; drizzle hands on some that it has written itself. */
function arraysOf(type: number, read: (item: string) => unknown) {
  return {
    to: type,
    from: [type],
    serialize: (value: unknown) => (Array.isArray(value) ? makePgArray(value) : value),
    parse: (text: string) => parsePgArray(text).map((item) => read(String(item))),
  };
}

/** Opens PostgreSQL; connections are made when they are needed. */
export function openPostgres({ databaseUrl, directUrl, connections = 20 }: PostgresPlace): OpenDatabase {
  // Who has a pooler of transactions says where the server is; an old one is not sent what it cannot keep prepared.
  const isPooled = directUrl !== undefined || new URL(databaseUrl).searchParams.get('prepare') === 'false';
  const lanes = createLanes({ connections, findLocked: () => probe.findLocked() });
  const client = keepOpen(
    (watch) =>
      keepPrepared(postgres(databaseUrl, { ...quiet, max: connections, ...undelayed(watch) }), { isPooled }),
    lanes,
  );
  const probe = createProbe({
    databaseUrl,
    directUrl,
    open: (url) => postgres(url, { ...quiet, max: 1, idle_timeout: PROBE_IDLE_SECONDS }),
    onReadOnly: client.renew,
  });
  // What drizzle uses of a client is there.
  const db = drizzle(client as unknown as Sql, { schema });
  const serverUrl = directUrl ?? databaseUrl;
  let listener: Sql | undefined;
  return {
    db: db as unknown as Database,
    pglite: undefined,
    databaseUrl,
    async copyIn(copies) {
      await client.begin(async (transaction) => {
        for (const { table, bytes } of copies) {
          const copy = transaction.unsafe(`copy ${table} from stdin with (format binary)`);
          await pipeline([bytes], failingWith(copy, await copy.writable()));
        }
      });
    },
    async listen(channel, { onPayload, onListening }) {
      listener ??= postgres(serverUrl, { ...quiet, max: 1 });
      await listener.listen(channel, onPayload, onListening);
    },
    ready: () => probe.ready(),
    migrate: (options = {}) => migrateServer(serverUrl, options),
    async close() {
      await Promise.all([client.end({ timeout: 5 }), probe.close(), listener?.end({ timeout: 5 })]);
    },
  };
}

/** How long a change of a table waits for those who use it: whoever comes after it waits for it as well. */
const LOCK_TIMEOUT = '2s';
const ATTEMPTS = 15;
const AGAIN_AFTER_MS = 1_000;
const TURN_EVERY_MS = 200;

/** Several processes may start at once; one migrates, the others wait and find nothing to do. */
async function migrateServer(serverUrl: string, options: MigrateOptions): Promise<void> {
  const one = postgres(serverUrl, { ...quiet, max: 1 });
  try {
    const pending = await countPending((text) => one.unsafe(text), options.upTo);
    if (pending > 0) options.onMigration?.({ done: 0, of: pending });
    await takeTurn(one);
    await one.unsafe(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await migrateOnce(one, options);
        return;
      } catch (error) {
        if (attempt === ATTEMPTS || !isLockTimeout(error)) throw error;
        await sleep(AGAIN_AFTER_MS);
      }
    }
  } finally {
    await one.end();
  }
}

/** Asks instead of waiting in the database: building an index there waits for every statement that is under way. */
async function takeTurn(one: Sql): Promise<void> {
  for (;;) {
    const [row] = await one<{ taken: boolean }[]>`select pg_try_advisory_lock(727274) as taken`;
    if (row?.taken) return;
    await sleep(TURN_EVERY_MS);
  }
}

async function migrateOnce(one: Sql, { upTo, onMigration }: MigrateOptions): Promise<void> {
  await refuseNewerDatabase(async (text) => [...(await one.unsafe(text))]);
  await one.unsafe(EXTENSIONS);
  if (upTo === undefined) await buildIndexesAhead(one);
  const pending = await countPending((text) => one.unsafe(text), upTo);
  const watched = drizzle(one, { logger: countMigrations(pending, onMigration) });
  await withMigrations(upTo, (migrationsFolder) => migrate(watched, { migrationsFolder }));
  // Those of today may need columns that come later.
  if (upTo !== undefined) return;
  await applyFunctions(async (text) => one.unsafe(text).then((rows) => [...rows]));
}

/** SQLSTATE 55P03; drizzle wraps what the driver throws. */
function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof postgres.PostgresError && cause.code === '55P03';
}

/**
 * The stream of a COPY, ended by the server's refusal of the rows. postgres.js (3.4) tells that only to the query, which
 * was answered when the stream was made, and the stream never finishes: an upload would wait for ever.
 */
export function failingWith(query: object, stream: Writable): Writable {
  Object.assign(query, { reject: (error: Error) => stream.destroy(error) });
  return stream;
}

/**
 * Sockets that send small packets at once. postgres.js leaves Nagle's algorithm on, and the end of each COPY then waits
 * for the server's delayed acknowledgement: 48 ms instead of 4. Its types do not know the option.
 */
export function undelayed(watch: (socket: Socket) => void = () => {}) {
  let attempts = 0;
  let refusedAt = -Infinity;
  return {
    async socket(options: { host: string[]; port: number[]; path: string | false }): Promise<Socket> {
      // postgres.js tries again at once where something before the server takes connections and closes them.
      const pauseMs = refusedAt + RECONNECT_SECONDS * 1_000 - performance.now();
      if (pauseMs > 0) await sleep(pauseMs);
      const at = attempts % options.host.length;
      attempts += 1;
      const [host, port] = [options.host[at], options.port[at] ?? 5432];
      const socket = options.path
        ? connect({ path: options.path })
        : connect({ port, ...(host === undefined ? {} : { host }), noDelay: true });
      socket.once('close', () => {
        if (socket.bytesRead === 0) refusedAt = performance.now();
      });
      watch(socket);
      // For TLS, which is checked against the name.
      return Object.assign(socket, { host, port });
    },
  };
}
