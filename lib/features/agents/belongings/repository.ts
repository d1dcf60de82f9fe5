import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { agents, notDeleted, outboundPrompts } from '#db/schema/agents.ts';
import { agentKnowledgeBases } from '#db/schema/knowledge.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import { agentDrafts, agentSplits } from '#db/schema/versions.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { NumberCarrier } from '#lib/ports/carrier-kinds.ts';
import type { AgentRow } from '../repository.ts';

// What belongs to an agent in the tables of other features: listed, copied and deleted together with it. The features
// themselves know agents, so asking them from here would be a circle.

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

/** A page of the agents, the oldest first, each with the first of its numbers. */
export async function listAgentPage(
  db: Database,
  workspaceId: WorkspaceId,
  page: { limit: number; skip: number; after: Pick<AgentRow, 'id' | 'createdAt'> | undefined },
): Promise<{ agent: AgentRow; phoneNumberId: string | null }[]> {
  return db
    .select({
      agent: agents,
      phoneNumberId: sql<
        string | null
      >`(select ${phoneNumbers.id} from ${phoneNumbers} where ${phoneNumbers.agentId} = ${sql.raw('agents.id')} order by ${phoneNumbers.createdAt}, ${phoneNumbers.id} limit 1)`,
    })
    .from(agents)
    .where(
      and(
        eq(agents.workspaceId, workspaceId),
        notDeleted,
        page.after &&
          sql`(${agents.createdAt}, ${agents.id}) > (${page.after.createdAt.toISOString()}, ${page.after.id})`,
      ),
    )
    .orderBy(asc(agents.createdAt), asc(agents.id))
    .limit(page.limit)
    .offset(page.skip);
}

/**
 * Takes an agent out of everything: its numbers have no agent, its prompts and its draft are gone, no second version has a
 * share of its conversations, no knowledge base is attached to it.
 */
export async function deleteBelongings(
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
  await tx
    .delete(agentDrafts)
    .where(and(eq(agentDrafts.workspaceId, workspaceId), eq(agentDrafts.agentId, agentId)));
  await tx
    .update(agentSplits)
    .set({ endedAt: now })
    .where(
      and(
        eq(agentSplits.workspaceId, workspaceId),
        eq(agentSplits.agentId, agentId),
        isNull(agentSplits.endedAt),
      ),
    );
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
  for (const { agentId, at } of await listLastCalls(db, workspaceId)) of(agentId).lastCallAt = at;
  return figures;
}

/**
 * When each agent had its last call; tests and chats are none. A look-up for each kind of conversation that it had, in the order of their index: there
 * are some dozens of these, and a million conversations.
 */
async function listLastCalls(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<{ agentId: string; at: Date }[]> {
  const facet = sql.raw('call_facet(is_test, channel, direction, sentiment, disposition)');
  const isCall = sql`(not is_test and channel <> 'chat')`;
  const ended = sql`calls where workspace_id = ${workspaceId} and status = 'ended'`;
  const rows = await queryRows<{ agentId: string; at: string }>(
    db,
    sql`with recursive kinds as (
        (select agent_id, ${facet} as facet, ${isCall} as is_call from ${ended} order by agent_id, ${facet} limit 1)
        union all
        select later.agent_id, later.facet, later.is_call from kinds, lateral (
          select agent_id, ${facet} as facet, ${isCall} as is_call from ${ended} and (agent_id, ${facet}) > (kinds.agent_id, kinds.facet)
          order by agent_id, ${facet} limit 1
        ) later
      ),
      moments as (
        select kinds.agent_id, last.date_initiated from kinds, lateral (
          select date_initiated from ${ended} and agent_id = kinds.agent_id and ${facet} = kinds.facet
          order by date_initiated desc, id desc limit 1
        ) last where kinds.is_call
        union all
        select agent_id, date_initiated from calls where workspace_id = ${workspaceId} and status <> 'ended' and ${isCall}
      )
      select agent_id as "agentId", to_char(max(date_initiated) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from moments group by agent_id`,
  );
  return rows.map(({ agentId, at }) => ({ agentId, at: new Date(at) }));
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
