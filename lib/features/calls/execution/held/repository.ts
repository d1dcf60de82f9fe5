import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { campaigns } from '#db/schema/campaigns.ts';
import { chatWidgets } from '#db/schema/chats.ts';
import { agentSplits, agentVersions } from '#db/schema/versions.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { RetryRule } from '#lib/features/prompts/retry/rules.ts';
import { listCustomTags } from '#lib/features/tags/repository.ts';
import type { AgentState } from '#lib/features/versions/repository.ts';
import type { VersionContent } from '#lib/features/versions/rules.ts';
import type { CallRow } from '../../repository.ts';
import { listToolUses, listTurns } from '../repository.ts';

/** The version that a call was held with; undefined where it never came to that, and once it was deleted. */
export async function findHeldVersionId(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
): Promise<string | undefined> {
  const [row] = await db
    .select({ versionId: calls.agentVersionId })
    .from(calls)
    .where(and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId)));
  return row?.versionId ?? undefined;
}

/**
 * What the end of a call is computed from. What it shall yield, and whether its person is called again, stand in the version
 * that it was held with; nobody is called again with a prompt that was deleted or does not want it any more.
 */
export async function loadEndedCall(db: Database, workspaceId: WorkspaceId, callId: string) {
  const [found] = await db
    .select({
      call: calls,
      rateCard: workspaces.rateCard,
      // A chat's only where the agent's widget asks for it (docs/decisions/0190).
      hasWebhook: sql<boolean>`${agents.hasPostConversationWebhook} and not ${calls.isTest}
        and (${calls.channel} = 'call' or coalesce(${chatWidgets.sendsWebhook}, false))`,
      resultFields: agents.resultFields,
      retry: outboundPrompts.retry,
      // Texts, so only where it is not what the agent is.
      held: agentVersions.content,
      isShared: sql<boolean>`${agentSplits.id} is not null`,
      callingHours: workspaces.callingHours,
      workspaceZone: workspaces.timeZone,
      isCampaignCancelled: sql<boolean>`coalesce(${campaigns.state} = 'cancelled', false)`,
    })
    .from(calls)
    .innerJoin(workspaces, eq(workspaces.id, calls.workspaceId))
    .innerJoin(agents, eq(agents.id, calls.agentId))
    .leftJoin(chatWidgets, eq(chatWidgets.agentId, agents.id))
    .leftJoin(outboundPrompts, eq(outboundPrompts.id, calls.outboundPromptId))
    .leftJoin(campaigns, eq(campaigns.id, calls.campaignId))
    .leftJoin(
      agentVersions,
      and(
        eq(agentVersions.id, calls.agentVersionId),
        sql`${agents.versionId} is distinct from ${calls.agentVersionId}`,
      ),
    )
    .leftJoin(
      agentSplits,
      and(
        eq(agentSplits.agentId, calls.agentId),
        eq(agentSplits.versionId, calls.agentVersionId),
        isNull(agentSplits.endedAt),
      ),
    )
    .where(and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId)));
  if (!found) return undefined;
  const { held, isShared, ...live } = found;
  const row = held ? { ...live, ...rulesOf(held, live, isShared) } : live;
  // Nothing was said on a call that nobody answered.
  if (!row.call.outcome?.connected) return { ...row, customTags: [], turns: [], toolUses: [] };
  return {
    ...row,
    customTags: await listCustomTags(db, workspaceId),
    turns: await listTurns(db, workspaceId, callId),
    toolUses: await listToolUses(db, workspaceId, callId),
  };
}

/**
 * The rules of a version for calls that were held with it; one from before there were such rules has the agent's. Further
 * attempts that were switched off since are off, unless the version has a share of the conversations and rules of its own.
 */
function rulesOf(
  { agent, outboundPrompts: prompts }: VersionContent,
  live: { call: CallRow; resultFields: AgentState['resultFields']; retry: RetryRule | null },
  isShared: boolean,
): Pick<typeof live, 'resultFields' | 'retry'> {
  const prompt = prompts.find(({ id }) => id === live.call.outboundPromptId);
  const isOff = live.retry === null || (!live.retry.isOn && !isShared);
  return {
    resultFields: (agent.resultFields as AgentState['resultFields'] | undefined) ?? live.resultFields,
    retry: isOff ? live.retry : ((prompt?.retry as RetryRule | undefined) ?? live.retry),
  };
}
