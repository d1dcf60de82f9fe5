import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { validationError } from '#lib/errors.ts';
import { listWebhookSettings } from '#lib/features/agents/repository.ts';
import { assertBase } from '#lib/features/base.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import {
  findWorkspaceWebhook,
  lockWorkspace,
  updateWorkspaceWebhook,
} from '#lib/features/workspaces/repository.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { WebhookSettings } from '../contract.ts';
import { effectiveUrl, newSecret } from '../rules.ts';

export type SettingsDeps = Pick<Dependencies, 'db' | 'clock' | 'ids'> & {
  checkUrl: (url: string) => Promise<{ ok: true } | { ok: false; reason: string }>;
};

/** The workspace's webhook URL and secret, managed by its admins. */
export function createWebhookSettings(deps: SettingsDeps) {
  const { db, clock } = deps;

  async function settingsOf(workspaceId: WorkspaceId): Promise<WebhookSettings> {
    const { url, secretChangedAt } = await findWorkspaceWebhook(db, workspaceId);
    const agents = await listWebhookSettings(db, workspaceId);
    return {
      url,
      secretChangedAt: secretChangedAt.toISOString(),
      agents: agents.map((agent) => ({
        id: agent.id,
        name: agent.name,
        enabled: agent.isEnabled,
        ownUrl: agent.agentUrl,
        effectiveUrl: effectiveUrl({ agentUrl: agent.agentUrl, workspaceUrl: url }) ?? null,
      })),
    };
  }

  return {
    /** The workspace's URL, and where each agent sends. */
    getSettings: (actor: Actor) => settingsOf(actor.workspaceId),

    /** Sets or (null, blank) clears the workspace's URL. Throws 400 VALIDATION_ERROR with the reason of a refusal. */
    async updateSettings(actor: Actor, input: { url: string | null }): Promise<WebhookSettings> {
      const url = input.url?.trim() ? input.url.trim() : null;
      const decision = url === null ? { ok: true as const } : await deps.checkUrl(url);
      if (!decision.ok) throw validationError([{ field: 'url', reason: decision.reason }]);
      await db.transaction(async (tx) => {
        await lockWorkspace(tx, actor.workspaceId);
        const before = await findWorkspaceWebhook(tx, actor.workspaceId);
        assertBase(actor, { url: before.url });
        if (before.url === url) return;
        await updateWorkspaceWebhook(tx, actor.workspaceId, { webhookUrl: url, updatedAt: clock.now() });
        const data = { from: before.url, to: url };
        await recordAudit(tx, clock, actor, { action: 'webhook.url.updated', targetId: null, data });
      });
      return settingsOf(actor.workspaceId);
    },

    /** The signing secret in full; that it was looked at is in the audit log. */
    async getSecret(actor: Actor): Promise<{ secret: string; changedAt: string }> {
      const { secret, secretChangedAt } = await findWorkspaceWebhook(db, actor.workspaceId);
      await recordAudit(db, clock, actor, { action: 'webhook.secret.shown', targetId: null });
      return { secret, changedAt: secretChangedAt.toISOString() };
    },

    /** Replaces the secret at once (contract, Delivery 5): whatever is sent from now on is signed with the new one. */
    async regenerateSecret(actor: Actor): Promise<{ secret: string; changedAt: string }> {
      const secret = newSecret(deps.ids);
      const now = clock.now();
      await db.transaction(async (tx) => {
        const change = { webhookSecret: secret, webhookSecretChangedAt: now, updatedAt: now };
        await updateWorkspaceWebhook(tx, actor.workspaceId, change);
        await recordAudit(tx, clock, actor, { action: 'webhook.secret.regenerated', targetId: null });
      });
      return { secret, changedAt: now.toISOString() };
    },
  };
}
