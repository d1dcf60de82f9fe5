import type { Database } from '#db/client.ts';
import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import type { Env } from '#lib/env.ts';
import { AppError } from '#lib/errors.ts';
import { findAgent, listWebhookSettings } from '#lib/features/agents/repository.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { stillAtWork } from '#lib/features/idempotency/rules.ts';
import { makeOnce } from '#lib/features/idempotency/service.ts';
import { findWorkspaceWebhook } from '#lib/features/workspaces/repository.ts';
import { checkWebhookUrl } from '#lib/outgoing/address-rule.ts';
import { parseAllowlist } from '#lib/outgoing/allowlist.ts';
import type { Sender } from '#lib/outgoing/sender.ts';
import { checkUrl } from '#lib/outgoing/url-rule.ts';
import type { Queue } from '#lib/ports/queue.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { DeliveryDetail, DeliverySummary } from './contract.ts';
import { webhookWaiting } from './jobs.ts';
import { createWebhookLog, detailOf, summaryOf } from './log/service.ts';
import { findDelivery, findSettingOfCall, insertCallEvent, insertDelivery } from './repository.ts';
import { decideWebhook, effectiveUrl, encodeBody, requestHeaders, signBody, testPayload } from './rules.ts';
import { resultOf } from './sending/deliver.ts';
import { recordResult } from './sending/repository.ts';
import { createWebhookSettings } from './settings/service.ts';

export type WebhookDeps = Pick<Dependencies, 'db' | 'clock' | 'ids'> & {
  env: Pick<Env, 'webhookAllowlist'>;
  queue: Pick<Queue, 'send' | 'ensure'>;
  sender: Sender;
};

export type WebhookService = ReturnType<typeof createWebhookService>;

export function createWebhookService(deps: WebhookDeps) {
  const { clock, ids, queue } = deps;
  const allowlist = parseAllowlist(deps.env.webhookAllowlist);
  const checkUrlForSaving = (url: string) => checkWebhookUrl(url, { allowlist: deps.env.webhookAllowlist });

  return {
    ...createWebhookLog(deps),
    ...createWebhookSettings({ ...deps, checkUrl: checkUrlForSaving }),

    /**
     * Called inside the transaction that ends a call, connected or not: where the agent asks for a webhook, writes the
     * call's one delivery and queues it in the same transaction; where it asks but there is no URL, a call event says so.
     * A second call for the same conversation does nothing. Throws only when the call does not exist.
     */
    async callEnded(tx: Database, workspaceId: WorkspaceId, callId: string): Promise<void> {
      const decision = decideWebhook(await findSettingOfCall(tx, workspaceId, callId));
      const now = clock.now();
      if (decision.send) {
        const id = ids.next('whd');
        const delivery = {
          id,
          callId,
          kind: 'call',
          status: 'pending',
          url: decision.url,
          createdAt: now,
        } as const;
        const isFirst = await insertDelivery(tx, workspaceId, delivery);
        if (isFirst) await queue.send(webhookWaiting, { deliveryId: id }, { tx });
      } else if (decision.reason !== undefined) {
        const data = { reason: decision.reason };
        await insertCallEvent(tx, workspaceId, { callId, type: 'webhook_not_sent', data, at: now });
      }
    },

    /** Judges a URL that a person wants to save, by its form and by where its name leads now. `reason` follows `<field>: `. */
    checkUrl: checkUrlForSaving,

    /** Judges a URL by its form alone, without the network: for the provision file, read while the service starts. */
    checkUrlForm(url: string): { ok: true } | { ok: false; reason: string } {
      const decision = checkUrl(url, allowlist);
      return decision.ok ? { ok: true } : decision;
    },

    /**
     * Sends the test event while the caller waits (10 s at most), to where the agent sends or to the workspace's URL, and
     * answers with what the receiver answered; a repeat with the key sends nothing. Throws 400 INVALID_STATE where there is
     * no URL, 503 NOT_READY while the first request waits, and what `makeOnce` throws.
     */
    sendTest: (
      actor: Actor,
      input: { agentId?: string | undefined },
      key?: string,
    ): Promise<{ delivery: DeliveryDetail }> => sendTest(deps, actor, input, key),

    /**
     * Queues the webhook of a call once more because a person asked: built and signed anew, to where the agent sends now.
     * Throws 400 INVALID_STATE for test events and where there is no URL any more.
     */
    resend: (actor: Actor, deliveryId: string): Promise<DeliverySummary> => resend(deps, actor, deliveryId),
  };
}

async function sendTest(
  deps: WebhookDeps,
  actor: Actor,
  input: { agentId?: string | undefined },
  key: string | undefined,
): Promise<{ delivery: DeliveryDetail }> {
  const { db, clock, ids } = deps;
  const { workspaceId } = actor;
  const workspace = await findWorkspaceWebhook(db, workspaceId);
  const agent = input.agentId === undefined ? undefined : await findAgent(db, workspaceId, input.agentId);
  const url = effectiveUrl({
    agentUrl: agent?.postConversationWebhookUrl ?? null,
    workspaceUrl: workspace.url,
  });
  if (!url) throw new AppError('INVALID_STATE', 'There is no webhook URL to send to; save one first');
  const now = clock.now();
  const agentId = agent?.id ?? (await listWebhookSettings(db, workspaceId))[0]?.id ?? 'agent_test';
  const body = encodeBody(testPayload({ id: ids.next('test'), workspaceId, agentId, now }));
  const signature = signBody(body, workspace.secret);
  const request = { key, operation: 'sendTestWebhook', input, prefix: 'whd' };
  const { id, isFirst } = await makeOnce(deps, actor, request, async (tx, deliveryId) => {
    await insertDelivery(tx, workspaceId, {
      id: deliveryId,
      kind: 'test',
      status: 'sending',
      url,
      body,
      signature,
      createdAt: now,
      sendingAt: now,
      requestedBy: actor.label,
    });
    await recordAudit(tx, clock, actor, {
      action: 'webhook.test.sent',
      targetId: agent?.id ?? null,
      data: { url },
    });
  });
  if (!isFirst) {
    const first = await findDelivery(db, workspaceId, id);
    if (first.status === 'sending') throw stillAtWork(1);
    return { delivery: detailOf(first, workspace.secret) };
  }
  const outcome = await deps.sender.send({
    url,
    method: 'POST',
    headers: requestHeaders(signature),
    body,
  });
  await recordResult(db, workspaceId, id, resultOf(outcome, clock.now()));
  return { delivery: detailOf(await findDelivery(db, workspaceId, id), workspace.secret) };
}

async function resend(deps: WebhookDeps, actor: Actor, deliveryId: string): Promise<DeliverySummary> {
  const { db, clock, ids, queue } = deps;
  const { workspaceId } = actor;
  const original = await findDelivery(db, workspaceId, deliveryId);
  const { callId } = original;
  if (callId === null) {
    throw new AppError('INVALID_STATE', 'A test event belongs to no call; send a new test event instead');
  }
  const url = effectiveUrl(await findSettingOfCall(db, workspaceId, callId));
  if (!url) throw new AppError('INVALID_STATE', 'Neither the agent nor the workspace has a webhook URL now');
  await queue.ensure(webhookWaiting);
  const id = ids.next('whd');
  await db.transaction(async (tx) => {
    await insertDelivery(tx, workspaceId, {
      id,
      callId,
      kind: 'resend',
      status: 'pending',
      url,
      createdAt: clock.now(),
      requestedBy: actor.label,
    });
    await recordAudit(tx, clock, actor, {
      action: 'webhook.resent',
      targetId: callId,
      data: { deliveryId: id },
    });
    await queue.send(webhookWaiting, { deliveryId: id }, { tx });
  });
  return summaryOf(await findDelivery(db, workspaceId, id));
}
