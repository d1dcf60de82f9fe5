import { and, asc, eq, ilike, max, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents, notDeleted, outboundPrompts } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { agentKnowledgeBases } from '#db/schema/knowledge.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { notFound } from '#lib/errors.ts';
import { findWorkspace } from '#lib/features/workspaces/repository.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import type { NumberCarrier } from '#lib/ports/carrier-kinds.ts';

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

export type AgentNumber = { id: string; number: string; carrier: NumberCarrier };

/** An agent's numbers, the first assigned first: that one is its `phoneNumberId`. */
export async function listNumbersOf(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<AgentNumber[]> {
  return db
    .select({ id: phoneNumbers.id, number: phoneNumbers.number, carrier: phoneNumbers.carrier })
    .from(phoneNumbers)
    .where(and(eq(phoneNumbers.workspaceId, workspaceId), eq(phoneNumbers.agentId, agentId)))
    .orderBy(asc(phoneNumbers.createdAt), asc(phoneNumbers.id));
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

/** A page of the agents, the oldest first, each with the first of its numbers. */
export async function listAgentPage(
  db: Database,
  workspaceId: WorkspaceId,
  page: { limit: number; skip: number },
): Promise<{ agent: AgentRow; phoneNumberId: string | null }[]> {
  return db
    .select({
      agent: agents,
      phoneNumberId: sql<
        string | null
      >`(select ${phoneNumbers.id} from ${phoneNumbers} where ${phoneNumbers.agentId} = ${sql.raw('agents.id')} order by ${phoneNumbers.createdAt}, ${phoneNumbers.id} limit 1)`,
    })
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), notDeleted))
    .orderBy(asc(agents.createdAt), asc(agents.id))
    .limit(page.limit)
    .offset(page.skip);
}

/**
 * Takes an agent out of everything: its numbers have no agent, its prompts are gone, no knowledge base is attached to
 * it. The row stays with its name and where its webhooks go, which calls that still run end with.
 */
export async function deleteAgent(
  tx: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  now: Date,
): Promise<void> {
  await tx
    .update(phoneNumbers)
    .set({ agentId: null, updatedAt: now })
    .where(and(eq(phoneNumbers.workspaceId, workspaceId), eq(phoneNumbers.agentId, agentId)));
  await tx
    .delete(outboundPrompts)
    .where(and(eq(outboundPrompts.workspaceId, workspaceId), eq(outboundPrompts.agentId, agentId)));
  await tx
    .delete(agentKnowledgeBases)
    .where(and(eq(agentKnowledgeBases.workspaceId, workspaceId), eq(agentKnowledgeBases.agentId, agentId)));
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

export type AgentFigures = {
  phoneNumbers: AgentNumber[];
  outboundPromptCount: number;
  knowledgeBaseCount: number;
  lastCallAt: Date | null;
};

/** What the list shows beside the agents themselves, by agent id; agents without any of it are missing. */
export async function figuresByAgent(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<Map<string, AgentFigures>> {
  const figures = new Map<string, AgentFigures>();
  const of = (agentId: string): AgentFigures => {
    const known = figures.get(agentId) ?? {
      phoneNumbers: [],
      outboundPromptCount: 0,
      knowledgeBaseCount: 0,
      lastCallAt: null,
    };
    figures.set(agentId, known);
    return known;
  };
  const numbers = await db
    .select()
    .from(phoneNumbers)
    .where(eq(phoneNumbers.workspaceId, workspaceId))
    .orderBy(asc(phoneNumbers.createdAt), asc(phoneNumbers.id));
  for (const { agentId, id, number, carrier } of numbers)
    if (agentId !== null) of(agentId).phoneNumbers.push({ id, number, carrier });
  const prompts = await db
    .select({ agentId: outboundPrompts.agentId, count: sql<number>`count(*)::int` })
    .from(outboundPrompts)
    .where(eq(outboundPrompts.workspaceId, workspaceId))
    .groupBy(outboundPrompts.agentId);
  for (const { agentId, count } of prompts) of(agentId).outboundPromptCount = count;
  const bases = await db
    .select({ agentId: agentKnowledgeBases.agentId, count: sql<number>`count(*)::int` })
    .from(agentKnowledgeBases)
    .where(eq(agentKnowledgeBases.workspaceId, workspaceId))
    .groupBy(agentKnowledgeBases.agentId);
  for (const { agentId, count } of bases) of(agentId).knowledgeBaseCount = count;
  const lastCalls = await db
    .select({ agentId: calls.agentId, at: max(calls.dateInitiated) })
    .from(calls)
    .where(eq(calls.workspaceId, workspaceId))
    .groupBy(calls.agentId);
  for (const { agentId, at } of lastCalls) of(agentId).lastCallAt = at;
  return figures;
}

/** Copies the outbound prompts and attached knowledge bases of one agent to another of the same workspace. */
export async function copyBelongings(
  tx: Database,
  workspaceId: WorkspaceId,
  copy: { fromAgentId: string; toAgentId: string; promptId: () => string; now: Date },
): Promise<void> {
  const prompts = await tx
    .select()
    .from(outboundPrompts)
    .where(and(eq(outboundPrompts.workspaceId, workspaceId), eq(outboundPrompts.agentId, copy.fromAgentId)))
    .orderBy(asc(outboundPrompts.createdAt), asc(outboundPrompts.id));
  for (const [index, prompt] of prompts.entries()) {
    // Prompts are ordered by their time, and the first one is the default.
    const createdAt = new Date(copy.now.getTime() + index);
    await tx
      .insert(outboundPrompts)
      .values({ ...prompt, id: copy.promptId(), agentId: copy.toAgentId, createdAt, updatedAt: createdAt });
  }
  const bases = await tx
    .select()
    .from(agentKnowledgeBases)
    .where(
      and(
        eq(agentKnowledgeBases.workspaceId, workspaceId),
        eq(agentKnowledgeBases.agentId, copy.fromAgentId),
      ),
    );
  if (bases.length > 0)
    await tx.insert(agentKnowledgeBases).values(bases.map((base) => ({ ...base, agentId: copy.toAgentId })));
}
