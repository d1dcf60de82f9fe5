import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { fromDrizzle, fromPglite, type Job, PgBoss, type WorkOptions } from 'pg-boss';
import type { Logger } from 'pino';
import type { OpenDatabase } from '#db/client.ts';
import { APPLICATION_NAME } from '#db/postgres.ts';
import { takeTurn } from '#db/scheduled-work.ts';
import { describeError } from '#lib/log.ts';
import type { Queue } from '#lib/ports/queue.ts';

/** The queue in the service's own database, schema `pgboss`; woken by NOTIFY, polling as the floor. */
export function createPgBossQueue(
  database: OpenDatabase,
  log: Logger,
  { connections = 4 }: { connections?: number } = {},
): Queue {
  const boss = database.pglite
    ? new PgBoss({ db: fromPglite(database.pglite), backend: 'pglite', useListenNotify: true })
    : bossOnServer(database, connections);
  boss.on('error', (error) => log.error({ event: 'queue_error', error: describeError(error) }));
  const queues = createKnownQueues(boss);
  const closing = new AbortController();
  const sweeps = createSweeps(closing.signal, log, {
    isMyTurn: (name, everyMs) => takeTurn(database, name, everyMs),
  });

  return {
    async start() {
      await boss.start();
    },
    async ensure(kind) {
      await queues.ensure(kind.name);
    },
    async send(kind, payload, options = {}) {
      if (options.tx && database.pglite && !queues.has(kind.name)) {
        throw new Error(`await queue.ensure(${kind.name}) before the transaction that sends it`);
      }
      await queues.ensure(kind.name);
      await boss.send(kind.name, payload, {
        singletonKey: options.singletonKey ?? randomUUID(),
        ...(options.startAfterMs ? { startAfter: new Date(Date.now() + options.startAfterMs) } : {}),
        ...(options.tx ? { db: fromDrizzle(asTransaction(options.tx), sql) } : {}),
      });
    },
    async work(kind, options, handler) {
      await queues.ensure(kind.name);
      await boss.updateQueue(kind.name, {
        retryLimit: options.retryLimit ?? 3,
        expireInSeconds: options.expireInSeconds ?? 900,
      });
      await queues.warm(kind.name);
      // Polling is only the floor: pg-boss's own is 30 s once it listens for NOTIFY.
      const workOptions = {
        batchSize: options.batchSize ?? 1,
        pollingIntervalSeconds: 2,
        notifyPollingIntervalSeconds: 2,
      };
      const handle = async (jobs: Job<object>[]) => {
        for (const job of jobs)
          await handler(job.data as never, AbortSignal.any([job.signal, closing.signal]));
      };
      for (let count = 0; count < options.concurrency; count++)
        await startWorker(boss, kind.name, { workOptions, handle });
    },
    async every(name, everyMs, handler, { on = 'one' } = {}) {
      sweeps.start({ name, everyMs, on }, handler);
    },
    async stop(timeoutMs) {
      sweeps.stop();
      closing.abort(new Error('the service is stopping'));
      await boss.stop({ graceful: true, timeout: timeoutMs, close: true });
      await sweeps.settled();
    },
    async ready() {
      await boss.isInstalled();
    },
  };
}

/** Its own connections, but for the one that listens: the service listens already, past a pooler where there is one. */
function bossOnServer(database: OpenDatabase, connections: number): PgBoss {
  const boss = new PgBoss({
    connectionString: database.databaseUrl ?? '',
    application_name: `${APPLICATION_NAME}-queue`,
    useListenNotify: true,
    max: connections,
  });
  Object.assign(boss.getDb(), {
    async listen(channel: string, onPayload: (payload: string) => void, onListening: () => void) {
      await database.listen(channel, { onPayload, onListening });
      // Ends with the database.
      return { close: async () => {} };
    },
  });
  return boss;
}

/** The queues that exist for sure, each made when it is first named. */
function createKnownQueues(boss: PgBoss) {
  const known = new Set<string>();

  /** Any look-up makes pg-boss remember the queue; otherwise its first `send` would ask outside the transaction. */
  async function warm(name: string): Promise<void> {
    await boss.getJobById(name, randomUUID());
  }

  return {
    has: (name: string) => known.has(name),
    warm,
    async ensure(name: string): Promise<void> {
      if (known.has(name)) return;
      // `short`: at most one waiting job per singletonKey; jobs in progress are not counted.
      await boss.createQueue(name, {
        policy: 'short',
        notify: true,
        retryLimit: 3,
        retryDelay: 2,
        retryBackoff: true,
      });
      await warm(name);
      known.add(name);
    },
  };
}

async function startWorker(
  boss: PgBoss,
  name: string,
  { workOptions, handle }: { workOptions: WorkOptions; handle: (jobs: Job<object>[]) => Promise<void> },
): Promise<void> {
  let workerId: string | undefined;
  workerId = await boss.work<object>(name, workOptions, async (jobs) => {
    try {
      await handle(jobs);
    } finally {
      // Who found work looks again at once: any number of NOTIFYs wakes a worker for one look only, so a
      // backlog would otherwise go down by one job per poll.
      if (workerId !== undefined) boss.notifyWorker(workerId);
    }
  });
}

/** What is done again and again, each thing once at a time. */
function createSweeps(
  closing: AbortSignal,
  log: Logger,
  { isMyTurn }: { isMyTurn: (name: string, everyMs: number) => Promise<boolean> },
) {
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  return {
    start(
      { name, everyMs, on }: { name: string; everyMs: number; on: 'one' | 'each' },
      sweep: (signal: AbortSignal) => Promise<void>,
    ): void {
      let isBusy = false;
      const pass = async () => {
        isBusy = true;
        try {
          if (on === 'each' || (await isMyTurn(name, everyMs))) await sweep(closing);
        } catch (error) {
          if (!closing.aborted)
            log.error({ event: 'sweep_failed', sweep: name, error: describeError(error) });
        }
        isBusy = false;
      };
      const timer = setInterval(() => {
        if (isBusy || closing.aborted) return;
        const passing = pass();
        running.add(passing);
        void passing.finally(() => running.delete(passing));
      }, everyMs);
      timer.unref();
      timers.add(timer);
    },
    stop(): void {
      for (const timer of timers) clearInterval(timer);
    },
    settled: () => Promise.allSettled(running),
  };
}

// drizzle types `execute` by driver; pg-boss needs the common part only.
function asTransaction(tx: unknown): Parameters<typeof fromDrizzle>[0] {
  return tx as Parameters<typeof fromDrizzle>[0];
}
