/** @module-tag postgres */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPooler, type TestPooler } from '../scripts/pooler.ts';
import { openDatabase, queryRows } from './client.ts';
import { createServerDatabase, hasPostgres } from './testing.ts';

const ROUNDS = 30;

describe.skipIf(!hasPostgres)('behind PgBouncer in transaction mode', () => {
  let server: Awaited<ReturnType<typeof createServerDatabase>>;
  let pooler: TestPooler | { missing: string };
  beforeAll(async () => {
    server = await createServerDatabase(process.env.TEST_DATABASE_URL ?? '');
    pooler = await startPooler(server.databaseUrl, { serverConnections: 2 });
  });
  afterAll(async () => {
    if (pooler && 'stop' in pooler) await pooler.stop();
    await server?.drop();
  });

  it('every one of many statements and transactions that begin at once is answered', async (context) => {
    if ('missing' in pooler) return context.skip();
    const database = await openDatabase({
      databaseUrl: `${pooler.url}?prepare=false`,
      directUrl: server.databaseUrl,
      connections: 3,
    });
    const { db } = database;
    const numberOf = async (rows: Promise<{ number: number }[]>) => (await rows)[0]?.number;
    const ask = async (number: number) => {
      if (number % 3 === 0) return numberOf(queryRows(db, sql.raw(`select ${number} as number`)));
      const statement = sql`select ${number}::int as number`;
      if (number % 3 === 1) return numberOf(queryRows(db, statement));
      return db.transaction((tx) => numberOf(queryRows(tx, statement)));
    };
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const numbers = Array.from({ length: 12 }, (_, place) => round * 12 + place);
        expect(await Promise.all(numbers.map(ask))).toEqual(numbers);
      }
    } finally {
      await database.close();
    }
  });
});
