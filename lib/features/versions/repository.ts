import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, lt, max, not } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '#db/client.ts';
import { agents, notDeleted, outboundPrompts } from '#db/schema/agents.ts';
import { agentVersions } from '#db/schema/versions.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { notFound } from '#lib/errors.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import { contentOf, type VersionContent } from './rules.ts';

export type VersionRow = typeof agentVersions.$inferSelect;
type NewVersionRow = Omit<typeof agentVersions.$inferInsert, 'workspaceId'>;
export type AgentState = typeof agents.$inferSelect;
export type PromptState = typeof outboundPrompts.$inferSelect;
export type ListedVersion = Omit<VersionRow, 'content'>;
export type NamedAgent = { id: string; name: string; versionId: string | null; deletedAt: Date | null };

const NAMED_AGENT = {
  id: agents.id,
  name: agents.name,
  versionId: agents.versionId,
  deletedAt: agents.deletedAt,
};

/** Locks an agent and reads it with its prompts as they are now; undefined where it is gone. Keys to it can still be taken. */
export async function lockState(
  tx: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<{ agent: AgentState; prompts: PromptState[]; content: VersionContent } | undefined> {
  const [agent] = await tx
    .select()
    .from(agents)
    .where(and(eq(agents.id, agentId), eq(agents.workspaceId, workspaceId), notDeleted))
    .for('no key update');
  if (!agent) return undefined;
  const prompts = await tx
    .select()
    .from(outboundPrompts)
    .where(and(eq(outboundPrompts.workspaceId, workspaceId), eq(outboundPrompts.agentId, agentId)))
    .orderBy(asc(outboundPrompts.createdAt), asc(outboundPrompts.id));
  return { agent, prompts, content: contentOf(agent, prompts) };
}

/** The last version that an agent was, drafts and shares aside; its content has every column that there is today. */
export async function findLatestVersion(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<VersionRow | undefined> {
  const [row] = await db
    .select()
    .from(agentVersions)
    .where(
      and(
        eq(agentVersions.workspaceId, workspaceId),
        eq(agentVersions.agentId, agentId),
        isNotNull(agentVersions.number),
        not(agentVersions.isShareOnly),
      ),
    )
    .orderBy(desc(agentVersions.number))
    .limit(1);
  return row && complete(row);
}

/** What the next version of an agent counts as. Its row is locked, so that no two get the same. */
export async function nextNumber(tx: Database, workspaceId: WorkspaceId, agentId: string): Promise<number> {
  const [row] = await tx
    .select({ last: max(agentVersions.number) })
    .from(agentVersions)
    .where(and(eq(agentVersions.workspaceId, workspaceId), eq(agentVersions.agentId, agentId)));
  return (row?.last ?? 0) + 1;
}

/** Throws 404 for an unknown id and another agent's version, 403 for another workspace's. */
export async function findVersion(
  db: Database,
  workspaceId: WorkspaceId,
  { agentId, versionId }: { agentId: string; versionId: string },
): Promise<VersionRow> {
  const [row] = await db.select().from(agentVersions).where(eq(agentVersions.id, versionId));
  const version = ownedOrThrow(row, workspaceId, 'Version');
  if (version.agentId !== agentId) throw notFound('Version');
  return complete(version);
}

/** The same of any agent, deleted or not, with what it is called. */
export async function findNamedVersion(
  db: Database,
  workspaceId: WorkspaceId,
  versionId: string,
): Promise<{ version: VersionRow; agent: NamedAgent }> {
  const [row] = await db
    .select({ version: agentVersions, agent: NAMED_AGENT })
    .from(agentVersions)
    .innerJoin(agents, eq(agents.id, agentVersions.agentId))
    .where(eq(agentVersions.id, versionId));
  const version = complete(ownedOrThrow(row?.version, workspaceId, 'Version'));
  if (!row) throw notFound('Version');
  return { version, agent: row.agent };
}

/** What versions count as, by their ids; null for states of a draft. */
export async function listNumbers(
  db: Database,
  workspaceId: WorkspaceId,
  versionIds: readonly string[],
): Promise<Map<string, number | null>> {
  if (versionIds.length === 0) return new Map();
  const rows = await db
    .select({ id: agentVersions.id, number: agentVersions.number })
    .from(agentVersions)
    .where(and(eq(agentVersions.workspaceId, workspaceId), inArray(agentVersions.id, [...versionIds])));
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** An agent, deleted or not, without its texts. Throws 403 and 404. */
export async function findNamedAgent(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<NamedAgent> {
  const [row] = await db
    .select({ ...NAMED_AGENT, workspaceId: agents.workspaceId })
    .from(agents)
    .where(eq(agents.id, agentId));
  return ownedOrThrow(row, workspaceId, 'Agent');
}

/** The versions of an agent, drafts and texts left out, the latest first. */
export async function listVersions(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ListedVersion[]> {
  const { content: _, ...columns } = getTableColumns(agentVersions);
  return db
    .select(columns)
    .from(agentVersions)
    .where(
      and(
        eq(agentVersions.workspaceId, workspaceId),
        eq(agentVersions.agentId, agentId),
        isNotNull(agentVersions.number),
        before === undefined ? undefined : lt(agentVersions.number, before),
      ),
    )
    .orderBy(desc(agentVersions.number))
    .limit(limit);
}

export async function insertVersion(
  tx: Database,
  workspaceId: WorkspaceId,
  version: NewVersionRow,
): Promise<void> {
  await tx.insert(agentVersions).values({ ...version, workspaceId });
}

/** Says which version holds what the agent is now. */
export async function setCurrentVersion(
  tx: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  versionId: string,
): Promise<void> {
  await tx
    .update(agents)
    .set({ versionId })
    .where(and(eq(agents.id, agentId), eq(agents.workspaceId, workspaceId)));
}

/** A version as rows of the tables that it was made of, for whatever reads those. */
export function statesOf(
  { id, workspaceId, agentId, createdAt, content }: VersionRow,
  live: Pick<AgentState, 'isActive' | 'createdAt'>,
): { agent: AgentState; prompts: PromptState[] } {
  const at = { createdAt: live.createdAt, updatedAt: createdAt };
  // Switched off is switched off, whatever a version says.
  const standing = { id: agentId, workspaceId, versionId: id, deletedAt: null, isActive: live.isActive };
  return {
    agent: { ...content.agent, ...standing, ...at } as unknown as AgentState,
    prompts: content.outboundPrompts.map(
      (prompt) =>
        ({
          ...prompt,
          workspaceId,
          agentId,
          createdAt: new Date(prompt.createdAt),
          updatedAt: createdAt,
        }) as unknown as PromptState,
    ),
  };
}

/** Columns that came with a later release than the version: as the migration filled them for every agent. */
function complete(row: VersionRow): VersionRow {
  const { agent, outboundPrompts: prompts } = row.content;
  const filled = contentOf(defaultsOf(agents), [
    { ...defaultsOf(outboundPrompts), id: '', title: '', createdAt: row.createdAt },
  ]);
  const content = {
    agent: { ...filled.agent, ...agent },
    outboundPrompts: prompts.map((prompt) => ({ ...filled.outboundPrompts[0], ...prompt })),
  };
  return { ...row, content };
}

function defaultsOf(table: PgTable): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [name, column.default ?? null]),
  );
}
