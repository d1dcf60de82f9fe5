import type { Database } from '#db/client.ts';

/** One kind of job: its name and payload, defined once for producer and consumer. */
export type JobKind<Payload extends object> = { readonly name: string; readonly payload?: Payload };

export type SendOptions = {
  /** Enqueue inside this transaction: the job exists exactly when the transaction commits. */
  tx?: Database;
  startAfterMs?: number;
  /** At most one waiting job per key. */
  singletonKey?: string;
};

export type WorkOptions = {
  concurrency: number;
  retryLimit?: number;
  expireInSeconds?: number;
  /** How many waiting jobs are taken in one go, default 1; when one of them fails, all of them count as failed. */
  batchSize?: number;
};

/**
 * Background work. A job may run more than once: whoever handles it must be fenced by the database
 * (docs/decisions: the queue never decides whether a person is dialled).
 */
export type Queue = {
  start(): Promise<void>;
  /**
   * Creates the kind's queue where it is missing. `send` and `work` do it by themselves; await it before a
   * transaction that sends, because on the embedded database's one session the transaction would wait for itself.
   */
  ensure<P extends object>(kind: JobKind<P>): Promise<void>;
  send<P extends object>(kind: JobKind<P>, payload: P, options?: SendOptions): Promise<void>;
  work<P extends object>(
    kind: JobKind<P>,
    options: WorkOptions,
    handler: (payload: P, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /**
   * Runs `handler` about every `everyMs`: on one of the processes that asked for it, whichever comes first, or on `each` of
   * them. A pass that takes longer than `everyMs` may see the next one begin on another process. A process that is killed in
   * its turn takes the turn with it: the next one comes after `everyMs`.
   */
  every(
    name: string,
    everyMs: number,
    handler: (signal: AbortSignal) => Promise<void>,
    options?: { on?: 'one' | 'each' },
  ): Promise<void>;
  /** Takes no more work, waits up to `timeoutMs` for jobs in progress, closes. */
  stop(timeoutMs: number): Promise<void>;
  ready(): Promise<void>;
};
