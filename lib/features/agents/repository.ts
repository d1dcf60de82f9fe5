import { and, asc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents, notDeleted } from '#db/schema/agents.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { notFound } from '#lib/errors.ts';
import { findWorkspace } from '#lib/features/workspaces/repository.ts';
import { assertOwned, ownedOrThrow } from '#lib/features/ownership.ts';

export type AgentRow = typeof agents.$inferSelect;
export type NewAgentRow = typeof agents.$inferInsert;

/** Throws 404 where no agent has the id, 403 where another workspace's has. */
export async function findAgent(db: Database, workspaceId: WorkspaceId, agentId: string): Promise<AgentRow> {
  const [row] = await db
    .select()
    .from(agents)
    .where(and(eq(agents.id, agentId), notDeleted));
  return ownedOrThrow(row, workspaceId, 'Agent');
}

/** The same, locked until the transaction ends. */
export async function lockAgent(tx: Database, workspaceId: WorkspaceId, agentId: string): Promise<AgentRow> {
  const [row] = await tx
    .select()
    .from(agents)
    .where(and(eq(agents.id, agentId), notDeleted))
    .for('update');
  return ownedOrThrow(row, workspaceId, 'Agent');
}

/** Throws as `findAgent`, for whoever needs nothing of the row. */
export async function assertAgent(db: Database, workspaceId: WorkspaceId, agentId: string): Promise<void> {
  const [row] = await db
    .select({ id: agents.id, workspaceId: agents.workspaceId })
    .from(agents)
    .where(and(eq(agents.id, agentId), notDeleted));
  ownedOrThrow(row, workspaceId, 'Agent');
}

/** Which workspace has the agent, deleted or not; undefined where there is none. */
export async function findAgentWorkspace(db: Database, agentId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ workspaceId: agents.workspaceId })
    .from(agents)
    .where(eq(agents.id, agentId));
  return row?.workspaceId;
}

/** Keeps agents from being deleted until the transaction ends. 404 for an unknown id, 403 for another workspace's. */
export async function lockAgentsForUse(db: Database, workspaceId: WorkspaceId, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db
    .select({ id: agents.id, workspaceId: agents.workspaceId })
    .from(agents)
    .where(and(inArray(agents.id, ids), notDeleted))
    .orderBy(agents.id)
    .for('key share');
  assertOwned(rows, ids, { workspaceId, noun: 'Agent' });
}

export async function insertAgent(
  db: Database,
  workspaceId: WorkspaceId,
  agent: Omit<NewAgentRow, 'workspaceId'>,
): Promise<AgentRow> {
  const [row] = await db
    .insert(agents)
    .values({ ...agent, workspaceId })
    .returning();
  if (!row) throw new Error('inserting an agent returned no row');
  return row;
}

export async function updateAgent(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  change: Partial<NewAgentRow>,
): Promise<AgentRow> {
  const [row] = await db
    .update(agents)
    .set(change)
    .where(and(eq(agents.id, agentId), eq(agents.workspaceId, workspaceId)))
    .returning();
  return ownedOrThrow(row, workspaceId, 'Agent');
}

/** What an agent speaks for where no business is named. */
export async function workspaceNameOf(db: Database, workspaceId: WorkspaceId): Promise<string> {
  const workspace = await findWorkspace(db, workspaceId);
  if (!workspace) throw notFound('Workspace');
  return workspace.name;
}

/** The agents whose `integrationIds` name it. */
export async function listAgentsNaming(
  db: Database,
  workspaceId: WorkspaceId,
  integrationId: string,
): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: agents.id, name: agents.name })
    .from(agents)
    .where(
      and(
        eq(agents.workspaceId, workspaceId),
        notDeleted,
        sql`${integrationId} = any(${agents.integrationIds})`,
      ),
    )
    .orderBy(asc(sql`lower(${agents.name})`), asc(agents.id));
}

/** An integration is gone: its agents name it no more. */
export async function forgetIntegration(
  tx: Database,
  workspaceId: WorkspaceId,
  { integrationId, updatedAt }: { integrationId: string; updatedAt: Date },
): Promise<void> {
  await tx
    .update(agents)
    .set({ integrationIds: sql`array_remove(${agents.integrationIds}, ${integrationId})`, updatedAt })
    .where(and(eq(agents.workspaceId, workspaceId), sql`${integrationId} = any(${agents.integrationIds})`));
}

export type AgentFilter = { search?: string | undefined; isActive?: boolean | undefined };

export async function listAgents(
  db: Database,
  workspaceId: WorkspaceId,
  filter: AgentFilter,
): Promise<AgentRow[]> {
  return db
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), notDeleted, ...conditionsOf(filter)))
    .orderBy(asc(sql`lower(${agents.name})`), asc(agents.id));
}

/**
 * Takes the texts out of a deleted agent. Its row stays with its name and where its webhooks go, which calls that still
 * run end with.
 */
export async function markDeleted(
  tx: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  now: Date,
): Promise<void> {
  await updateAgent(tx, workspaceId, agentId, { ...NO_TEXTS, deletedAt: now, updatedAt: now });
}

const NO_TEXTS = {
  description: null,
  inboundPrompt: null,
  inboundSinglePrompt: null,
  inboundVoicePrompt: null,
  inboundGreeting: null,
  chatPrompt: null,
  voiceScope: null,
  aiDisclosure: null,
  hints: null,
};

function conditionsOf({ search, isActive }: AgentFilter): (SQL | undefined)[] {
  const words = search?.trim() ?? '';
  // In LIKE, % and _ are wildcards; somebody who types them means them.
  const pattern = `%${words.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return [
    words === ''
      ? undefined
      : or(
          ilike(agents.name, pattern),
          ilike(agents.description, pattern),
          ilike(agents.personaName, pattern),
        ),
    isActive === undefined ? undefined : eq(agents.isActive, isActive),
  ];
}

/** Where the webhooks of each agent go, the oldest agent first. */
export async function listWebhookSettings(db: Database, workspaceId: WorkspaceId) {
  return db
    .select({
      id: agents.id,
      name: agents.name,
      isEnabled: agents.hasPostConversationWebhook,
      agentUrl: agents.postConversationWebhookUrl,
    })
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), notDeleted))
    .orderBy(asc(agents.createdAt), asc(agents.id));
}
