import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { fromDrizzle, fromPglite, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { OpenDatabase } from '#db/client.ts';
import { describeError } from '#lib/log.ts';
import type { Queue } from '#lib/ports/queue.ts';

/** The queue in the service's own database, schema `pgboss`; woken by NOTIFY, polling as the floor. */
export function createPgBossQueue(database: OpenDatabase, log: Logger): Queue {
  const boss = database.pglite
    ? new PgBoss({ db: fromPglite(database.pglite), backend: 'pglite', useListenNotify: true })
    : new PgBoss({ connectionString: database.databaseUrl ?? '', useListenNotify: true, max: 10 });
  boss.on('error', (error) => log.error({ event: 'queue_error', error: describeError(error) }));
  const known = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const closing = new AbortController();
  const running = new Set<Promise<void>>();

  async function ensureQueue(name: string): Promise<void> {
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
  }

  /** Any look-up makes pg-boss remember the queue; otherwise its first `send` would ask outside the transaction. */
  async function warm(name: string): Promise<void> {
    await boss.getJobById(name, randomUUID());
  }

  return {
    async start() {
      await boss.start();
    },
    async ensure(kind) {
      await ensureQueue(kind.name);
    },
    async send(kind, payload, options = {}) {
      if (options.tx && database.pglite && !known.has(kind.name)) {
        throw new Error(`await queue.ensure(${kind.name}) before the transaction that sends it`);
      }
      await ensureQueue(kind.name);
      await boss.send(kind.name, payload, {
        singletonKey: options.singletonKey ?? randomUUID(),
        ...(options.startAfterMs ? { startAfter: new Date(Date.now() + options.startAfterMs) } : {}),
        ...(options.tx ? { db: fromDrizzle(asTransaction(options.tx), sql) } : {}),
      });
    },
    async work(kind, options, handler) {
      await ensureQueue(kind.name);
      await boss.updateQueue(kind.name, {
        retryLimit: options.retryLimit ?? 3,
        expireInSeconds: options.expireInSeconds ?? 900,
      });
      await warm(kind.name);
      // Polling is only the floor: pg-boss's own is 30 s once it listens for NOTIFY.
      const workOptions = {
        batchSize: options.batchSize ?? 1,
        pollingIntervalSeconds: 2,
        notifyPollingIntervalSeconds: 2,
      };
      for (let count = 0; count < options.concurrency; count++) {
        let workerId: string | undefined;
        workerId = await boss.work(kind.name, workOptions, async (jobs) => {
          try {
            for (const job of jobs) {
              const signal = AbortSignal.any([job.signal, closing.signal]);
              await handler(job.data as never, signal);
            }
          } finally {
            // Who found work looks again at once: any number of NOTIFYs wakes a worker for one look only, so a
            // backlog would otherwise go down by one job per poll.
            if (workerId !== undefined) boss.notifyWorker(workerId);
          }
        });
      }
    },
    async every(name, everyMs, handler) {
      const tick = () => {
        const pass = handler(closing.signal).catch((error: unknown) => {
          if (!closing.signal.aborted)
            log.error({ event: 'sweep_failed', sweep: name, error: describeError(error) });
        });
        running.add(pass);
        void pass.finally(() => running.delete(pass));
        return pass;
      };
      let busy = false;
      const timer = setInterval(() => {
        if (busy || closing.signal.aborted) return;
        busy = true;
        void tick().finally(() => {
          busy = false;
        });
      }, everyMs);
      timer.unref();
      timers.add(timer);
      await Promise.resolve();
    },
    async stop(timeoutMs) {
      for (const timer of timers) clearInterval(timer);
      closing.abort(new Error('the service is stopping'));
      await boss.stop({ graceful: true, timeout: timeoutMs, close: true });
      await Promise.allSettled(running);
    },
    async ready() {
      await boss.isInstalled();
    },
  };
}

// drizzle types `execute` by driver; pg-boss needs the common part only.
function asTransaction(tx: unknown): Parameters<typeof fromDrizzle>[0] {
  return tx as Parameters<typeof fromDrizzle>[0];
}
