import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { notFound, validationError } from '#lib/errors.ts';
import { updateAgent } from '#lib/features/agents/repository.ts';
import { type AgentChange, assertMayRedirect, redirections } from '#lib/features/agents/rules.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import {
  deletePrompt,
  insertPrompt,
  type PromptRow,
  updatePrompt,
} from '#lib/features/prompts/repository.ts';
import { lockState } from '#lib/features/versions/repository.ts';
import type { VersionContent } from '#lib/features/versions/rules.ts';
import { noteVersion } from '#lib/features/versions/service.ts';
import { checkWebhookUrl } from '#lib/outgoing/address-rule.ts';
import { type ContentPlan, isEmpty, planContent } from './rules.ts';

export type PublishingDeps = Pick<Dependencies, 'db' | 'clock' | 'ids' | 'env'>;

/**
 * Makes an agent with its outbound prompts what `content` says, in one transaction with the audit entry and the version that
 * this is. Nothing is written where it is that already. Gives the id of the version that holds it. Throws 404 for an agent
 * that is gone, 403 where somebody below admin changes where transcripts go.
 */
export async function applyContent(
  tx: Database,
  deps: PublishingDeps,
  actor: Actor,
  {
    agentId,
    content,
    entry,
  }: {
    agentId: string;
    content: VersionContent;
    entry: { action: string; data: Record<string, unknown>; restoredNumber?: number | null };
  },
): Promise<string> {
  const live = await lockState(tx, actor.workspaceId, agentId);
  if (!live) throw notFound('Agent');
  const plan = planContent(live, content);
  if (!isEmpty(plan)) {
    const columns = plan.agent as AgentChange;
    const changes = changesBetween<AgentChange>(live.agent, columns);
    assertMayRedirect(actor, changes);
    await writePlan(tx, deps, actor, { agentId, plan });
    await recordAudit(tx, deps.clock, actor, {
      action: entry.action,
      targetId: agentId,
      data: { name: columns.name ?? live.agent.name, ...entry.data, ...redirections(changes) },
    });
  }
  const { restoredNumber = null } = entry;
  const versionId = await noteVersion(tx, deps, actor, agentId, { restoredNumber });
  if (versionId === undefined) throw notFound('Agent');
  return versionId;
}

async function writePlan(
  tx: Database,
  { clock }: Pick<PublishingDeps, 'clock'>,
  { workspaceId }: Actor,
  { agentId, plan }: { agentId: string; plan: ContentPlan },
): Promise<void> {
  const updatedAt = clock.now();
  for (const { id } of plan.remove) await deletePrompt(tx, workspaceId, id);
  for (const { id, change } of plan.update) await updatePrompt(tx, workspaceId, id, { ...change, updatedAt });
  for (const columns of plan.insert)
    await insertPrompt(tx, workspaceId, { ...(columns as PromptRow), agentId, updatedAt });
  if (Object.keys(plan.agent).length > 0)
    await updateAgent(tx, workspaceId, agentId, { ...plan.agent, updatedAt });
}

/** Throws 400 for a webhook address of a content that the rules of today refuse, where it is not what there is already. */
export async function assertWebhookUrlOf(
  deps: Pick<Dependencies, 'env'>,
  content: VersionContent,
  current: string | null,
): Promise<void> {
  const url = content.agent.postConversationWebhookUrl;
  if (typeof url !== 'string' || url === '' || url === current) return;
  const decision = await checkWebhookUrl(url, { allowlist: deps.env.webhookAllowlist });
  if (!decision.ok) throw validationError([{ field: 'postConversationWebhookUrl', reason: decision.reason }]);
}
