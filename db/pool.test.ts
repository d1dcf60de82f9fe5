/** @module-tag postgres */
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { OpenDatabase } from './client.ts';
import { hasPostgres, openTestDatabase } from './testing.ts';

const LOOPS = 12;
const ROUNDS = 3;

/** Ends every other connection to the database of `database`, as a server that is stopped does. */
const endConnections = ({ db }: OpenDatabase) =>
  db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);

it.skipIf(!hasPostgres)(
  'statements and transactions get an answer, and others follow, when the server ends all connections',
  async () => {
    const database = await openTestDatabase();
    const { db } = database;
    await db.execute(sql`create table counted (loop int, made int)`);
    let isOver = false;
    let failed = 0;

    /** Counts by transactions of two rows, of which nobody may ever see one. */
    async function count(loop: number): Promise<number> {
      let made = 0;
      while (!isOver) {
        try {
          await db.transaction(async (tx) => {
            await tx.execute(sql`insert into counted values (${loop}::int, ${made}::int)`);
            await tx.execute(sql`select pg_sleep(0.002)`);
            await tx.execute(sql`insert into counted values (${loop}::int, ${made}::int)`);
          });
          await db.execute(sql`select ${made}::int`);
          made += 1;
        } catch {
          failed += 1;
        }
      }
      return made;
    }

    try {
      const loops = Array.from({ length: LOOPS }, (_, loop) => count(loop));
      for (let round = 1; round <= ROUNDS; round += 1) {
        await expect.poll(() => db.$count(sql`counted`), { timeout: 10_000 }).toBeGreaterThan(round * 100);
        await endConnections(database).catch(() => undefined);
      }
      const before = await db.$count(sql`counted`);
      await expect.poll(() => db.$count(sql`counted`), { timeout: 10_000 }).toBeGreaterThan(before + 100);
      isOver = true;
      // A loop whose statement is never answered would not end.
      expect((await Promise.all(loops)).every((made) => made > 0)).toBe(true);
      expect(failed).toBeGreaterThan(0);
      const halves = await db.$count(
        sql`(select from counted group by loop, made having count(*) % 2 = 1) as halves`,
      );
      expect(halves).toBe(0);
    } finally {
      isOver = true;
      await database.close();
    }
  },
);
