import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import type { Lanes, Permit } from './lanes.ts';
import { codesOf, isReadOnly, isUnconnected, markUnavailable, unavailable } from './unavailable.ts';

/** What is used of a client of postgres.js, by drizzle too. */
export type Pool = Pick<Sql, 'options' | 'unsafe' | 'end'> & {
  begin<Result>(work: (transaction: TransactionSql) => Promise<Result>): Promise<unknown>;
  /** Leaves the connections that there are, as those to a server that takes no writes any more. */
  renew(): void;
};

/** A client whose sockets were given to `watch` when they were made. */
type OpenClient = (watch: (socket: Socket) => void) => Sql;

/** Seconds in which what an old client had still to do is answered, or refused. */
const LET_GO_SECONDS = 5;
/** Of a connection that the server ends, or that is gone. */
const LOST = /^(?:57P0[123]|CONNECTION_\w+|ECONNRESET|EPIPE|ETIMEDOUT)$/;
/** How long to wait before a connection is tried again. */
const AGAIN_AFTER_MS = 100;
/** While the database stays read-only, the connections are not made anew for each statement. */
const RENEW_EVERY_MS = 1_000;
/** A statement that is to be ended, or its connection is taken for lost. */
const CANCELLED_WITHIN_MS = 2_000;

/**
 * A client that outlives its server. postgres.js (3.4.9) does not: after a connection was lost with something to be
 * written, it connects again and writes nothing; and what a transaction does then, its `rollback` above all, is written
 * to no socket, which ends the process, or to the next owner's connection (issues 1186 and 1216 of porsager/postgres). So
 * another client follows as soon as a server ends a connection, and a transaction whose connection is gone does nothing
 * more (docs/decisions/0254).
 *
 * Each statement waits for a connection of its own first, also while the database is away (docs/decisions/0369).
 */
export function keepOpen(open: OpenClient, lanes: Lanes): Pool {
  /** The socket that is opened now only cancels a statement: the server closes it. */
  let isCancelling = false;
  let current = start();
  let renewedAt = -Infinity;
  /** drizzle sets its own parsers in the first one's. */
  const { options } = current;

  function start(): Sql {
    let isLost = false;
    const client = open((socket) => {
      if (isCancelling) return;
      let isConnected = false;
      socket.once('connect', () => (isConnected = true));
      socket.once('close', () => {
        // One that was refused, or that we ended, is no loss.
        if (isLost || !isConnected || socket.bytesRead === 0 || socket.writableEnded) return;
        isLost = true;
        replace(client);
      });
    });
    return client;
  }

  function replace(lost: Sql): void {
    if (lost !== current) return;
    current = start();
    Object.assign(current.options.parsers, options.parsers);
    Object.assign(current.options.serializers, options.serializers);
    lost.end({ timeout: LET_GO_SECONDS }).catch(() => undefined);
  }

  function renew(): void {
    if (performance.now() - renewedAt < RENEW_EVERY_MS) return;
    renewedAt = performance.now();
    replace(current);
  }

  /** Ends a statement before its time; one of which nothing is heard then has lost its connection. */
  function createCancel(query: Query, reject: (error: Error) => void): () => void {
    let asked: number | undefined;
    return () => {
      if (asked === undefined) {
        asked = performance.now();
        isCancelling = true;
        query.cancel();
        isCancelling = false;
      } else if (performance.now() - asked > CANCELLED_WITHIN_MS) {
        reject(tooLate());
        renew();
      }
    };
  }

  /** Tries again for as long as nothing was sent, since there is no connection. */
  async function withPermit<Result>(text: string, attempt: (permit: Permit) => Promise<Result>) {
    const permit = await lanes.take(text);
    try {
      for (;;) {
        try {
          return await attempt(permit);
        } catch (error) {
          const isUnsent = permit.statement?.isSent() === false && isUnconnected(error);
          if (!isUnsent || performance.now() + AGAIN_AFTER_MS > permit.connectBefore) throw error;
        }
        await sleep(AGAIN_AFTER_MS);
      }
    } catch (error) {
      if (isReadOnly(error)) renew();
      throw markUnavailable(error);
    } finally {
      permit.release();
    }
  }

  /** One statement, of whose rows the values alone may be wanted. */
  async function ask(permit: Permit, ask: () => Query): Promise<unknown> {
    const query = ask();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    permit.sends(query.strings[0] ?? '', {
      isSent: () => Boolean(query.state),
      cancel: createCancel(query, reject),
    });
    query.then(resolve, reject);
    return promise;
  }

  async function transact<Result>(
    permit: Permit,
    work: (transaction: TransactionSql) => Promise<Result>,
  ): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let state: 'waiting' | 'begun' | 'left' = 'waiting';
    const leave = () => {
      state = 'left';
      reject(tooLate());
      renew();
    };
    permit.sends('begin', { isSent: () => state !== 'waiting', cancel: leave });
    const watchStatement = (query: Query, text: string) => {
      permit.sends(text, { isSent: () => true, cancel: createCancel(query, leave) });
      onceAnswered(query, permit.rests);
    };
    const begun = (transaction: TransactionSql) => {
      if (state === 'left') throw tooLate();
      state = 'begun';
      permit.rests();
      return work(transaction);
    };
    beginOn(current, begun, watchStatement).then(resolve, reject);
    return promise;
  }

  return {
    options,
    unsafe: ((text: string, parameters?: never[], given?: object) =>
      lazyQuery((isRaw) =>
        withPermit(text, (permit) =>
          ask(permit, () => {
            const query = current.unsafe(text, parameters, given);
            return (isRaw ? query.values() : query) as unknown as Query;
          }),
        ),
      )) as unknown as Sql['unsafe'],
    begin: (work) => withPermit('begin', (permit) => transact(permit, work)),
    end: (given) => current.end(given),
    renew,
  };
}

/** What is used of a statement of postgres.js beside what its types tell. */
type Query = Promise<unknown> & {
  strings: string[];
  /** Of the connection that it was given to. */
  state: object | null;
  resolve: (rows: unknown) => void;
  reject: (error: unknown) => void;
  cancel(): void;
};

const tooLate = () =>
  unavailable(new Error('No answer from the database'), 'The database did not answer in time');

/** As drizzle takes statements: nothing is sent before somebody waits for it. */
function lazyQuery(send: (isRaw: boolean) => Promise<unknown>) {
  let isRaw = false;
  let sent: Promise<unknown> | undefined;
  const answer = () => (sent ??= send(isRaw));
  const query: Pick<Promise<unknown>, 'then' | 'catch' | 'finally'> & { values(): typeof query } = {
    values() {
      isRaw = true;
      return query;
    },
    // oxlint-disable-next-line unicorn/no-thenable -- as a statement of postgres.js is
    then: (...handlers) => answer().then(...handlers),
    catch: (handler) => answer().catch(handler),
    finally: (handler) => answer().finally(handler),
  };
  return query;
}

/** Waiting for the statement would send it. */
function onceAnswered(query: Query, tell: () => void): void {
  const { resolve, reject } = query;
  query.resolve = (rows) => {
    tell();
    resolve(rows);
  };
  query.reject = (error) => {
    tell();
    reject(error);
  };
}

/** Without its connection a transaction is neither committed nor rolled back by us: the server did, and `begin` says so. */
function beginOn<Result>(
  client: Sql,
  work: (transaction: TransactionSql) => Promise<Result>,
  watchStatement: WatchStatement,
): Promise<unknown> {
  let isLost = false;
  const running = client.begin(async (transaction) => {
    try {
      const result = await work(watched(transaction, { isLost: () => isLost, watchStatement }));
      return isLost ? await never() : result;
    } catch (error) {
      return isLost || isLoss(error) ? await never() : Promise.reject(error);
    }
  });
  running.catch(() => (isLost = true));
  return running;
}

type WatchStatement = (query: Query, text: string) => void;
type Watch = { isLost: () => boolean; watchStatement: WatchStatement };

function watched(transaction: TransactionSql, watch: Watch): TransactionSql {
  const { isLost } = watch;
  const { unsafe, savepoint } = transaction;
  const within = savepoint.bind(transaction);
  return Object.assign(transaction, {
    unsafe(...[text, parameters, options]: Parameters<typeof unsafe>) {
      if (isLost()) throw Object.assign(new Error('the connection is gone'), { code: 'CONNECTION_CLOSED' });
      const query = unsafe(text, parameters, options);
      watch.watchStatement(query as unknown as Query, text);
      return query;
    },
    savepoint: (work: (inner: TransactionSql) => unknown) =>
      within(async (inner) => {
        try {
          return await work(watched(inner, watch));
        } catch (error) {
          return isLost() || isLoss(error) ? await never() : Promise.reject(error);
        }
      }),
  });
}

const isLoss = (error: unknown): boolean => codesOf(error).some((code) => LOST.test(code));

const never = (): Promise<never> => new Promise(() => {});
