/**
 * One process that deletes conversations on the embedded database and is made to die while it does (`kill.ts`). The first one
 * makes the conversations. Each says what is left of all of them when it starts, does what the scheduled work does, says it
 * again, and then deletes `DELETION_IDS` until the point of `lib/fault-points.ts` at which it ends itself.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { openDatabase, queryRows } from '#db/client.ts';
import { createFileStorage } from '#lib/adapters/storage/file.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemActor } from '#lib/auth/mint.ts';
import { watchFaultPoints } from '#lib/fault-points.ts';
import { createDeletionService } from '#lib/features/deletion/service.ts';
import { countFiles, listTablesWith } from '#lib/features/deletion/testing.ts';
import { createLogger } from '#lib/log.ts';

const dataDir = process.env.DATA_DIR ?? '';
const listed = (text = '') => text.split(' ').filter(Boolean);
const all = listed(process.env.DELETION_MAKES);
const ids = listed(process.env.DELETION_IDS);
const diesAt = process.env.DELETION_DIES_AT;
const workspaceId = 'ws_deletion';

const seeded = join(dataDir, 'seeded');
if (!existsSync(seeded)) {
  // Loaded here alone: the whole service takes longer to load than all the rest does.
  const { seedConversations } = await import('./seed.ts');
  await seedConversations(dataDir, all);
  writeFileSync(seeded, '');
}
const database = await openDatabase({ dataDir: join(dataDir, 'db') });
const storage = createFileStorage(join(dataDir, 'storage'));
const deletion = createDeletionService({
  db: database.db,
  clock: systemClock,
  storage,
  log: createLogger('silent'),
});

/** In which tables a conversation is named, and how many of its files there are. */
async function whatIsLeft(id: string) {
  const [row] = await queryRows<{ is_there: boolean; turns: number }>(
    database.db,
    sql`select exists (select from calls where id = ${id}) as is_there,
      (select count(*)::int from turns where call_id = ${id}) as turns`,
  );
  return {
    isThere: row?.is_there ?? false,
    turns: row?.turns ?? 0,
    tables: await listTablesWith(database.db, id),
    files: await countFiles({ storage }, workspaceId, id),
  };
}

const say = (name: string, left: unknown) => process.stdout.write(`${JSON.stringify({ name, left })}\n`);
const leftOf = async () => {
  const left: Record<string, Awaited<ReturnType<typeof whatIsLeft>>> = {};
  for (const id of all) left[id] = await whatIsLeft(id);
  return left;
};

say('found', await leftOf());
await deletion.sweepFiles();
say('swept', await leftOf());
watchFaultPoints((point) => {
  if (point === diesAt) process.kill(process.pid, 'SIGKILL');
});
const actor = systemActor(workspaceId, 'deletion');
if (ids.length > 1) await deletion.deleteSeveral(actor, ids);
else for (const id of ids) await deletion.delete(actor, id);
await database.close();
process.exit(0);
