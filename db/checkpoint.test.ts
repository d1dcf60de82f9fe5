import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { sql } from 'drizzle-orm';
import { copyBytes } from '#lib/features/knowledge/content/binary-forms.ts';
import { type OpenDatabase, queryRows } from './client.ts';
import { hasPostgres, openTestDatabase } from './testing.ts';

const MEGABYTE = 1024 * 1024;

/** What a start after a crash would have to repeat. */
async function logBytes({ db }: OpenDatabase): Promise<number> {
  const [found] = await queryRows<{ bytes: number }>(
    db,
    sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int as bytes from pg_control_checkpoint()`,
  );
  return found?.bytes ?? Number.NaN;
}

it.skipIf(hasPostgres)('the log of the embedded database stays small while much is written', async () => {
  const database = await openTestDatabase();
  await database.db.execute(sql`create table things (value text not null)`);
  const rows = copyBytes(Array.from({ length: 512 }, () => [randomBytes(1_000).toString('hex')]));
  for (let megabytes = 0; megabytes < 30; megabytes++)
    await database.copyIn([{ table: 'things (value)', bytes: rows }]);
  await vi.waitFor(async () => expect(await logBytes(database)).toBeLessThan(5 * MEGABYTE), {
    timeout: 10_000,
  });
  await database.close();
});
