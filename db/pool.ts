import type { Socket } from 'node:net';
import type { Sql, TransactionSql } from 'postgres';

/** What is used of a client of postgres.js, by drizzle too. */
export type Pool = Pick<Sql, 'options' | 'unsafe' | 'end'> & {
  begin<Result>(work: (transaction: TransactionSql) => Promise<Result>): Promise<unknown>;
};

/** A client whose sockets were given to `watch` when they were made. */
type OpenClient = (watch: (socket: Socket) => void) => Sql;

/** Seconds in which what an old client had still to do is answered, or refused. */
const LET_GO_SECONDS = 5;
/** Of a connection that the server ends, or that is gone. */
const LOST = /^(?:57P0[123]|CONNECTION_\w+|ECONNRESET|EPIPE|ETIMEDOUT)$/;

/**
 * A client that outlives its server. postgres.js (3.4.9) does not: after a connection was lost with something to be
 * written, it connects again and writes nothing; and what a transaction does then, its `rollback` above all, is written
 * to no socket, which ends the process, or to the next owner's connection (issues 1186 and 1216 of porsager/postgres). So
 * another client follows as soon as a server ends a connection, and a transaction whose connection is gone does nothing
 * more (docs/decisions/0254).
 */
export function keepOpen(open: OpenClient): Pool {
  let current = start();
  /** drizzle sets its own parsers in the first one's. */
  const { options } = current;

  function start(): Sql {
    let isLost = false;
    const client = open((socket) => {
      let isConnected = false;
      socket.once('connect', () => (isConnected = true));
      socket.once('close', () => {
        // One that was refused, or that we ended, is no loss.
        if (isLost || !isConnected || socket.writableEnded) return;
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

  return {
    options,
    unsafe: (text, parameters, given) => current.unsafe(text, parameters, given),
    begin: (work) => beginOn(current, work),
    end: (given) => current.end(given),
  };
}

/** Without its connection a transaction is neither committed nor rolled back by us: the server did, and `begin` says so. */
function beginOn<Result>(
  client: Sql,
  work: (transaction: TransactionSql) => Promise<Result>,
): Promise<unknown> {
  let isLost = false;
  const running = client.begin(async (transaction) => {
    try {
      const result = await work(refusing(transaction, () => isLost));
      return isLost ? await never() : result;
    } catch (error) {
      return isLost || isLoss(error) ? await never() : Promise.reject(error);
    }
  });
  running.catch(() => (isLost = true));
  return running;
}

function refusing(transaction: TransactionSql, isLost: () => boolean): TransactionSql {
  const { unsafe, savepoint } = transaction;
  const within = savepoint.bind(transaction);
  return Object.assign(transaction, {
    unsafe(...[text, parameters, options]: Parameters<typeof unsafe>) {
      if (isLost()) throw Object.assign(new Error('the connection is gone'), { code: 'CONNECTION_CLOSED' });
      return unsafe(text, parameters, options);
    },
    savepoint: (work: (inner: TransactionSql) => unknown) =>
      within(async (inner) => {
        try {
          return await work(refusing(inner, isLost));
        } catch (error) {
          return isLost() || isLoss(error) ? await never() : Promise.reject(error);
        }
      }),
  });
}

/** The error itself or, where drizzle wrapped it, its cause. */
function isLoss(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string' && LOST.test(one.code)) return true;
  return false;
}

const never = (): Promise<never> => new Promise(() => {});
