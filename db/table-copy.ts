import type { EmbeddedPlace } from './embedded.ts';
import { openEmbeddedTables } from './table-copy-embedded.ts';
import { openPostgresTables } from './table-copy-postgres.ts';
import type { TableStore } from './table-shape.ts';

/**
 * Opens a database for whole tables at a time: backups, restoring and moving to another server. The embedded one must be
 * open nowhere else.
 */
export async function openTables(
  where: { databaseUrl: string } | Pick<EmbeddedPlace, 'dataDir'>,
): Promise<TableStore> {
  return 'databaseUrl' in where ? openPostgresTables(where.databaseUrl) : openEmbeddedTables(where.dataDir);
}
