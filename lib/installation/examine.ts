import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { type Database, openDatabase, queryRows } from '#db/client.ts';
import type { Env } from '#lib/env.ts';
import type { Logger } from '#lib/log.ts';
import { withWayOut } from './copies.ts';
import { isInUse } from './service-door.ts';

type Place = Pick<Env, 'databaseUrl' | 'dataDir'>;

/** What PostgreSQL is set to that lets a loss of power take what was answered for; empty where nothing is. */
async function findUnsafe(db: Database): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    sql`select name from pg_settings
      where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off' order by name`,
  );
  return rows.map(({ name }) => `${name}=off`);
}

/** Tells the operator, at the start, of a server that does not wait for its disk. */
export async function warnOfUnsafe(db: Database, log: Logger): Promise<void> {
  const settings = await findUnsafe(db);
  if (settings.length === 0) return;
  const hint =
    'PostgreSQL does not wait for its disk: after a loss of power accepted calls may be gone, and people may be called twice. Switch it on.';
  log.warn({ event: 'database_unsafe', settings, hint });
}

/** Whether the database can be opened, in a sentence. One that a service has open is left alone. */
export async function examineDatabase(
  { databaseUrl, dataDir }: Place,
  now: Date,
): Promise<{ isOk: boolean; sentence: string }> {
  const folder = join(dataDir, 'db');
  if (databaseUrl === undefined && !existsSync(folder))
    return { isOk: true, sentence: `There is none yet; the first start makes it in ${folder}.` };
  if (databaseUrl === undefined && (await isInUse(dataDir)))
    return { isOk: true, sentence: `The service has it open, in ${folder}.` };
  try {
    const database = await openDatabase(databaseUrl === undefined ? { dataDir: folder } : { databaseUrl });
    try {
      const unsafe = await findUnsafe(database.db);
      if (unsafe.length === 0) return { isOk: true, sentence: 'It opens, and waits for its disk.' };
      return {
        isOk: false,
        sentence: `It does not wait for its disk (${unsafe.join(', ')}): switch that on.`,
      };
    } finally {
      await database.close();
    }
  } catch (error) {
    const told = await withWayOut(error, dataDir, now);
    return { isOk: false, sentence: told instanceof Error ? told.message : String(told) };
  }
}
