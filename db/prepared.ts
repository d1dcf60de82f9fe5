import type { Sql, TransactionSql } from 'postgres';

/** What was prepared stays so on its connection until that is closed, and takes some 20 kB of the server's memory. */
const MOST_PREPARED = 500;
const MOST_COUNTED = 5_000;
/** Most texts that are built for a list of a certain length do not come so often. */
const PREPARED_FROM = 3;

/**
 * Tells which statements are kept prepared, by their text: those that come again, and no more than `most`. Texts differ with
 * the length of a list in them, so there is no end to them.
 */
export function createPreparedTexts({
  most = MOST_PREPARED,
  mostCounted = MOST_COUNTED,
}: { most?: number; mostCounted?: number } = {}): (text: string) => boolean {
  const prepared = new Set<string>();
  const counts = new Map<string, number>();
  return (text) => {
    if (prepared.has(text)) return true;
    if (prepared.size >= most) return false;
    const count = (counts.get(text) ?? 0) + 1;
    if (count >= PREPARED_FROM) {
      counts.delete(text);
      prepared.add(text);
      return true;
    }
    if (counts.size >= mostCounted) counts.clear();
    counts.set(text, count);
    return false;
  };
}

type Sends = Pick<TransactionSql, 'unsafe'>;
type Work = (transaction: TransactionSql) => unknown;

/**
 * What postgres.js (3.4.9) calls as it writes a statement, and then writes no other behind it before the answer is there.
 * PgBouncer gives the server's connection away after the first of two answers: the second never comes, nor does what waits
 * for that connection (docs/decisions/0360). `max_pipeline`, which is meant for it, leaves transactions without a connection.
 */
const ALONE = { onexecute: () => false };

/**
 * Keeps statements with parameters prepared that are sent by `client.unsafe`, in its transactions too: one journey and a
 * plan that is kept, instead of two journeys and a plan each time. drizzle (0.45) sends all of its statements that way and
 * does not ask for it. `?prepare=false` in the address of the database switches it off, in postgres.js. Statements without
 * parameters stay as they are: they may be several in one text. `begin` takes a function alone from here on.
 *
 * `isPooled`: a pooler in transaction mode stands before the server, so no statement follows another before its answer.
 */
export function keepPrepared(client: Sql, { isPooled = false } = {}): Sql {
  const isPrepared = createPreparedTexts();
  const begin = client.begin.bind(client);
  // `begin` has one of its own, and ends alike.
  const sending = isPooled ? ALONE : {};

  function prepareIn<Sender extends Sends>(sender: Sender): Sender {
    const { unsafe } = sender;
    const prepared: Sends['unsafe'] = (text, parameters, options) =>
      parameters && parameters.length > 0
        ? unsafe(text, parameters, { ...sending, ...options, prepare: isPrepared(text) })
        : unsafe(text, parameters, { ...sending, ...options });
    return Object.assign(sender, { unsafe: prepared });
  }

  function prepareInTransaction(transaction: TransactionSql): TransactionSql {
    const savepoint = transaction.savepoint.bind(transaction);
    return Object.assign(prepareIn(transaction), {
      savepoint: (work: Work) => savepoint((inner) => work(prepareInTransaction(inner))),
    });
  }

  return Object.assign(prepareIn(client), {
    begin: (work: Work) => begin((transaction) => work(prepareInTransaction(transaction))),
  });
}
