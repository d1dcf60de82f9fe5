import { systemActor } from '#lib/auth/mint.ts';
import { hashKey } from '#lib/auth/key-ring.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { findOptedOut, insertOptOuts } from '#lib/features/opt-outs/repository.ts';
import { listIntegrations } from '#lib/features/integrations/repository.ts';
import { DEFAULT_RATE_CARD } from '#lib/features/workspaces/rules.ts';
import type { Database } from '#db/client.ts';
import type { Runtime } from '#lib/runtime.ts';
import type { ProvisionFile, ProvisionWorkspace } from '../contract.ts';
import {
  findTag,
  findWorkspace,
  lockProvisioning,
  upsertKey,
  upsertTag,
  upsertWorkspace,
} from '../repository.ts';
import { applyAgent } from './agent.ts';
import { given } from './given.ts';
import { type Applying, auditChange, isWanted, loadItems, noteKept } from './items.ts';
import { applyPeople, preparePeople } from './people.ts';
import { findProvisionedWorkspaceId } from './repository.ts';
import { applyKnowledge, applyNumbers } from './relations.ts';

/**
 * Creates what is missing and updates what is described differently, workspace by workspace; deletes nothing, and
 * leaves what people decided as it is: passwords, roles, removals, revoked keys, a new secret (docs/decisions/0085).
 */
export async function applyProvisionFile(runtime: Runtime, file: ProvisionFile): Promise<void> {
  for (const [index, workspace] of file.workspaces.entries()) {
    const place = `workspaces.${index}`;
    try {
      await checkWebhook(runtime, workspace);
      const people = await preparePeople(runtime, workspace.users);
      const applied = await runtime.db.transaction(async (tx) => {
        await lockProvisioning(tx);
        const applying = await applyWorkspaceRow(runtime, tx, workspace);
        await applyPeople(applying, people);
        await applyContents(applying, workspace);
        return applying;
      });
      await followUp(applied);
    } catch (error) {
      throw new Error(
        `The provision file could not be applied: ${place}: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  }
}

/** What the change of a workspace asks for once it is stored. */
async function followUp({ runtime, actor, ...applied }: Applying): Promise<void> {
  for (const agentId of applied.changedWidgets) await runtime.chatWidgets.endRefused(actor, agentId);
  if (applied.isReplanned) await runtime.calls.startReplanned(actor.workspaceId);
  if (applied.hasNewOptOuts) await runtime.calls.endOptedOut(actor.workspaceId);
}

async function checkWebhook(runtime: Runtime, workspace: ProvisionWorkspace): Promise<void> {
  const urls = [workspace.webhook?.url, ...workspace.agents.map((agent) => agent.postConversationWebhookUrl)];
  for (const url of urls) {
    if (!url) continue;
    const decision = runtime.webhooks.checkUrlForm(url);
    if (!decision.ok) throw new Error(`webhook URL ${url}: ${decision.reason}`);
  }
}

async function applyWorkspaceRow(
  runtime: Runtime,
  tx: Database,
  wanted: ProvisionWorkspace,
): Promise<Applying> {
  const now = runtime.clock.now();
  // Without an id it is known by the name in the file, and somebody may have given it another one since.
  const id = wanted.id ?? (await findProvisionedWorkspaceId(tx, wanted.name));
  const existing = await findWorkspace(tx, { id, name: wanted.name });
  const actor = systemActor(existing?.id ?? wanted.id ?? runtime.ids.next('ws'), 'provision file');
  const { workspaceId } = actor;
  const change = await upsertWorkspace(
    tx,
    existing,
    {
      id: workspaceId,
      name: wanted.name,
      rateCard: DEFAULT_RATE_CARD,
      createdAt: now,
      updatedAt: now,
      webhookSecret: wanted.webhook?.secret ?? `whsec_${runtime.ids.secret(32)}`,
      webhookSecretChangedAt: now,
    },
    given({
      name: wanted.name,
      timeZone: wanted.timeZone,
      country: wanted.country,
      monthlyUsageLimitMinutes: wanted.monthlyUsageLimitMinutes,
      refusesIncomingAtLimit: wanted.refusesIncomingAtLimit,
      maxConcurrentCalls: wanted.maxConcurrentCalls,
      callingHours: wanted.callingHours,
      hasRecordingAnnouncement: wanted.hasRecordingAnnouncement,
      recordingAnnouncement: wanted.recordingAnnouncement,
      conversationRetentionDays: wanted.conversationRetentionDays,
      recordingRetentionDays: wanted.recordingRetentionDays,
      webhookUrl: wanted.webhook?.url,
    }),
  );
  const items = await loadItems(tx, actor, now);
  const isReplanned = change.fields.some((field) => field === 'callingHours' || field === 'timeZone');
  const applying = { runtime, tx, actor, now, items, changedWidgets: [], isReplanned, hasNewOptOuts: false };
  await items.remember('workspace', wanted.id ?? wanted.name, workspaceId);
  await auditChange(applying, { noun: 'workspace', targetId: workspaceId }, change);
  if (existing) await applySecret(applying, wanted.webhook, existing);
  return applying;
}

/** A secret that differs was regenerated by somebody, or is new in the file: only `reset` replaces it. */
async function applySecret(
  applying: Applying,
  wanted: ProvisionWorkspace['webhook'],
  existing: NonNullable<Awaited<ReturnType<typeof findWorkspace>>>,
): Promise<void> {
  const { tx, actor, now, runtime } = applying;
  if (wanted?.secret === undefined || wanted.secret === existing.webhookSecret) return;
  if (!wanted.reset) {
    noteKept(applying, { kind: 'webhook', targetId: existing.id, what: 'secret' });
    return;
  }
  const secret = { webhookSecret: wanted.secret, webhookSecretChangedAt: now };
  await upsertWorkspace(tx, existing, { ...existing, updatedAt: now }, secret);
  await recordAudit(tx, runtime.clock, actor, { action: 'webhook.secret.replaced', targetId: null });
}

async function applyContents(applying: Applying, wanted: ProvisionWorkspace): Promise<void> {
  await applyKeys(applying, wanted.apiKeys);
  for (const tag of wanted.customTags) await applyTag(applying, tag);
  for (const integration of wanted.integrations) await applyIntegration(applying, integration);
  for (const agent of wanted.agents) await applyAgent(applying, agent, wanted.name);
  await applyNumbers(applying, wanted);
  await applyKnowledge(applying, wanted);
  await applyOptOuts(applying, wanted.optOuts);
}

/** Numbers of the file that are on the list already stay as they are. */
async function applyOptOuts(applying: Applying, wanted: ProvisionWorkspace['optOuts']): Promise<void> {
  const { tx, runtime, actor, now, items } = applying;
  const { workspaceId } = actor;
  const numbers = wanted.map(({ number }) => number);
  const known = await findOptedOut(tx, workspaceId, numbers);
  for (const { number, note = null, reset } of wanted) {
    const isThere = known.has(number);
    if (!isWanted(applying, { kind: 'opt_out', name: number, isThere, reset })) continue;
    await items.remember('opt_out', number, number);
    if (isThere) continue;
    const added = { source: 'api', addedBy: actor.label, callId: null, note, createdAt: now } as const;
    await insertOptOuts(tx, workspaceId, [number], added);
    const entry = { action: 'opt_out.added', targetId: number, data: { number } };
    await recordAudit(tx, runtime.clock, actor, entry);
    applying.hasNewOptOuts = true;
  }
}

/** Characters. A shorter key may be guessed by whoever asks for long enough; the service makes its own of 53. */
const HARD_TO_GUESS = 24;

async function applyKeys(applying: Applying, keys: ProvisionWorkspace['apiKeys']): Promise<void> {
  const { tx, runtime, actor, now } = applying;
  for (const { name, key, reset } of keys) {
    const [hash, lastFour] = [hashKey(key), key.slice(-4)];
    const wanted = { id: runtime.ids.next('key'), name, hash, lastFour, reset, now };
    const { id, change } = await upsertKey(tx, actor.workspaceId, wanted);
    if (key.length < HARD_TO_GUESS)
      runtime.log.warn({
        event: 'short_api_key',
        workspaceId: actor.workspaceId,
        keyId: id,
        atLeast: HARD_TO_GUESS,
      });
    const entry = { targetId: id, data: { name, lastFour } };
    if (!change.fields.includes('revokedAt')) await auditChange(applying, { noun: 'key', ...entry }, change);
    else await recordAudit(tx, runtime.clock, actor, { action: 'key.restored', ...entry });
  }
}

/** Known by its id, or without one by its name. */
async function applyIntegration(
  applying: Applying,
  wanted: ProvisionWorkspace['integrations'][number],
): Promise<void> {
  const { tx, actor, items, runtime } = applying;
  const item = { kind: 'integration', name: wanted.id ?? wanted.name } as const;
  const knownId = wanted.id ?? items.targetOf(item.kind, item.name);
  const all = await listIntegrations(tx, actor.workspaceId);
  const existing = all.find(({ id, name }) =>
    knownId === undefined ? name === wanted.name : id === knownId,
  );
  if (!isWanted(applying, { ...item, isThere: existing !== undefined, reset: wanted.reset })) return;
  const id = existing?.id ?? knownId ?? runtime.ids.next('int');
  const change = await runtime.integrations.apply(tx, actor, { id, existing, from: wanted });
  await items.remember(item.kind, item.name, id);
  await auditChange(applying, { noun: 'integration', targetId: id, data: { name: wanted.name } }, change);
}

async function applyTag(applying: Applying, tag: ProvisionWorkspace['customTags'][number]): Promise<void> {
  const { tx, actor, now, items } = applying;
  const { name, description, reset } = tag;
  const isThere = (await findTag(tx, actor.workspaceId, name)) !== undefined;
  if (!isWanted(applying, { kind: 'tag', name, isThere, reset })) return;
  const change = await upsertTag(tx, actor.workspaceId, { name, description, now });
  await items.remember('tag', name, name);
  await auditChange(applying, { noun: 'tag', targetId: name, data: { description } }, change);
}
