import { sql } from 'drizzle-orm';
import { openDatabase, queryRows } from '#db/client.ts';
import { startPostgres } from '../../scripts/postgres.ts';
import { addConversations, LARGE } from './data.ts';

/** A database with the conversations: the one that is named, or one of a throwaway server, which is filled first. */
export async function openMillion({
  database,
  count,
  connections,
}: {
  database: string | undefined;
  count: number;
  connections?: number;
}) {
  const server = database ? { url: database, stop: async () => {} } : await startPostgres(console.error);
  if ('missing' in server) throw new Error(server.missing);
  const opened = await openDatabase({ databaseUrl: server.url, ...(connections ? { connections } : {}) });
  await opened.migrate();
  const [known] = await queryRows<{ id: string }>(opened.db, sql`select id from calls limit 1`);
  if (!known) {
    const startedAt = performance.now();
    await addConversations(opened.db, count);
    console.error(`${count} conversations in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  }
  const [row] = await queryRows<{ id: string }>(
    opened.db,
    sql`select id from calls where workspace_id = ${LARGE.workspaceId} and status = 'ended' and channel = 'call' order by id desc limit 1`,
  );
  return {
    url: server.url,
    database: opened,
    conversationId: row?.id ?? '',
    async close() {
      await opened.close();
      await server.stop();
    },
  };
}
