import type { Sql } from 'postgres';

/** Shorter than a second, within which readiness is answered. */
const ANSWER_WITHIN_MS = 900;

/** A standby is in recovery; a server, a database or a login may be told to write nothing besides. */
const MAY_WRITE = `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "mayWrite"`;

const LOCKED = `select distinct relname as name from pg_locks join pg_class on pg_class.oid = relation
  where locktype = 'relation' and not granted
    and pg_locks.database = (select oid from pg_database where datname = current_database())`;

/**
 * Looks at the server over a connection of its own, which no statement can keep from it. `onReadOnly`: it takes no
 * writes.
 */
export function createProbe({
  databaseUrl,
  directUrl = databaseUrl,
  open,
  onReadOnly,
}: {
  databaseUrl: string;
  directUrl?: string | undefined;
  /** A client of one connection. */
  open: (url: string) => Sql;
  onReadOnly: () => void;
}) {
  const served = createQuestions(() => open(databaseUrl));
  // Locks are asked of the server: a pooler may have no connection left because of them.
  const server = directUrl === databaseUrl ? served : createQuestions(() => open(directUrl));
  return {
    /** Rejects with a sentence where the server gives no answer within 0.9 s, or takes no writes. */
    async ready(): Promise<void> {
      const [row] = await served.ask<{ mayWrite: boolean }>(MAY_WRITE);
      if (row?.mayWrite) return;
      onReadOnly();
      // It may be another server by now that is reached under this name.
      served.renew();
      throw new Error('the database is read-only');
    },
    /** Names of the tables for whose lock somebody waits. */
    async findLocked(): Promise<string[]> {
      return (await server.ask<{ name: string }>(LOCKED)).map(({ name }) => name);
    },
    async close(): Promise<void> {
      await Promise.all([served.close(), server.close()]);
    },
  };
}

/** One connection, which is given up with the first question that it does not answer. */
function createQuestions(open: () => Sql) {
  let client: Sql | undefined;
  let isClosed = false;
  /** Asked by several at once, a question is sent once. */
  const asking = new Map<string, Promise<unknown[]>>();

  function renew(): void {
    void client?.end({ timeout: 0 }).catch(() => undefined);
    client = undefined;
  }

  async function send(text: string): Promise<unknown[]> {
    // Statements that the end of the pool broke off may still look for what held them up.
    if (isClosed) throw new Error('the database is closed');
    client ??= open();
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const refuse = () => reject(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`));
    const timer = setTimeout(refuse, ANSWER_WITHIN_MS);
    try {
      return await Promise.race([client.unsafe(text), tooLate]);
    } catch (error) {
      renew();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async ask<Row>(text: string): Promise<Row[]> {
      const asked = asking.get(text) ?? send(text).finally(() => asking.delete(text));
      asking.set(text, asked);
      return (await asked) as Row[];
    },
    renew,
    async close(): Promise<void> {
      isClosed = true;
      await client?.end({ timeout: 1 });
    },
  };
}
