import { and, asc, eq, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { agents, notDeleted } from '#db/schema/agents.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { FieldType } from './rules.ts';

/**
 * The names that results of an agent's conversations have, each with its types: a look-up in the index for each name of the
 * workspace, however many conversations there are.
 */
export async function listResultNames(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string | undefined,
): Promise<{ name: string; type: FieldType }[]> {
  return queryRows(
    db,
    sql`with recursive names as (
        (select name, type from call_results where workspace_id = ${workspaceId} order by name, type limit 1)
        union all
        select following.name, following.type from names, lateral (
          select name, type from call_results
          where workspace_id = ${workspaceId} and (name, type) > (names.name, names.type) order by name, type limit 1
        ) following
      )
      select name, type from names where exists (
        select from call_results found
        where found.workspace_id = ${workspaceId} and found.name = names.name and found.type = names.type
          ${agentId === undefined ? sql`` : sql`and found.agent_id = ${agentId}`}
      ) order by name, type limit 200`,
  );
}

/** The names of the fields that an agent, or any of the workspace, has, and of those that it had. */
export async function listFieldNames(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string | undefined,
): Promise<string[]> {
  const rows = await db
    .select({ fields: agents.resultFields })
    .from(agents)
    .where(
      and(
        eq(agents.workspaceId, workspaceId),
        notDeleted,
        sql`${agents.resultFields} <> '[]'`,
        agentId === undefined ? undefined : eq(agents.id, agentId),
      ),
    )
    .orderBy(asc(agents.createdAt), asc(agents.id));
  const known = await listResultNames(db, workspaceId, agentId);
  return [...new Set([...rows.flatMap(({ fields }) => fields), ...known].map(({ name }) => name))];
}
