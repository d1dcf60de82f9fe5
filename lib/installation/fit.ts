import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { type OpenDatabase, queryRows } from '#db/client.ts';
import { FILLING } from './installed.ts';

/** Says in the folder of an embedded database that it was moved to a server. */
export const MOVED = 'moved-to-postgresql.json';

/** Throws where a service must not start on a database: it is being filled, or lives on elsewhere. */
export async function refuseUnfit(
  { db, pglite }: Pick<OpenDatabase, 'db' | 'pglite'>,
  dataDir: string,
): Promise<void> {
  if (pglite) {
    if (!existsSync(join(dataDir, MOVED))) return;
    throw new Error(
      `The embedded database in ${dataDir} was moved to PostgreSQL: set DATABASE_URL. Where it is to be used again and the server is not, remove ${MOVED}.`,
    );
  }
  const [row] = await queryRows(db, sql`select to_regnamespace(${FILLING}) is not null as filling`);
  if (row?.filling === true)
    throw new Error(
      'This database is being filled by `npm run restore` or `npm run migrate:embedded-to-postgres`, or that was interrupted: run it again to the end.',
    );
}
