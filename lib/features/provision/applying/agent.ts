import { provisionedColumns as provisionedAgent } from '#lib/features/agents/rules.ts';
import { type CardOwner, provisionedColumns as provisionedPrompt } from '#lib/features/prompts/rules.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import { noteVersion } from '#lib/features/versions/service.ts';
import { findWidgetOfAgent, upsertWidget } from '#lib/features/chats/widget/repository.ts';
import type { ProvisionAgent } from '../contract.ts';
import { findAgent, findPrompt, upsertAgent, upsertPrompt } from '../repository.ts';
import { given } from './given.ts';
import { type Applying, auditChange, isWanted } from './items.ts';

const NO_CARD_OWNER: CardOwner = {
  personaName: null,
  businessName: null,
  hasLanguage: false,
  language: null,
};

/** Makes one agent and its outbound prompts what the file says, voice cards derived by the rules. */
export async function applyAgent(
  applying: Applying,
  wanted: ProvisionAgent,
  workspaceName: string,
): Promise<void> {
  const { tx, runtime, now, items } = applying;
  const { workspaceId } = applying.actor;
  const item = { kind: 'agent', name: wanted.id ?? wanted.name } as const;
  // Somebody may have given it another name since.
  const id = wanted.id ?? items.targetOf(item.kind, item.name);
  const existing = await findAgent(tx, workspaceId, { id, name: wanted.name });
  const isDeleted = existing !== undefined && existing.deletedAt !== null;
  if (isDeleted) await items.remember(item.kind, item.name, existing.id);
  const isThere = existing !== undefined && !isDeleted;
  if (!isWanted(applying, { ...item, isThere, reset: wanted.reset })) return;
  const agentId = existing?.id ?? id ?? runtime.ids.next('agent');
  const {
    id: _id,
    reset: _reset,
    phoneNumberId: _number,
    outboundPrompts,
    chatWidget,
    ...described
  } = wanted;
  const { createdAt, updatedAt, ...fields } = described;
  const times = {
    createdAt: createdAt ? new Date(createdAt) : now,
    updatedAt: updatedAt ? new Date(updatedAt) : now,
  };
  const columns = { ...given(provisionedAgent(existing, fields, workspaceName)), deletedAt: null };
  const create = { id: agentId, workspaceId, name: wanted.name, ...times };
  const change = await upsertAgent(tx, existing, create, columns);
  await items.remember(item.kind, item.name, agentId);
  await auditChange(applying, { noun: 'agent', targetId: agentId, data: { name: wanted.name } }, change);
  await applyWidget(applying, { agentId, name: wanted.name }, chatWidget);
  const owner = { agentId, card: { ...NO_CARD_OWNER, ...existing, ...columns }, workspaceName };
  let isChanged = change.kind !== 'unchanged';
  for (const [index, prompt] of outboundPrompts.entries()) {
    // The prompts of a deleted agent went with it, and come back with it.
    const wantedPrompt = { ...prompt, reset: prompt.reset || isDeleted };
    if (await applyPrompt(applying, owner, wantedPrompt, index)) isChanged = true;
  }
  if (isChanged) await noteVersion(tx, runtime, applying.actor, agentId);
}

/** The website widget, with the id of the file where it has none yet: it stands in pages of the website. */
async function applyWidget(
  { tx, runtime, now, actor, changedWidgets }: Applying,
  { agentId, name }: { agentId: string; name: string },
  wanted: ProvisionAgent['chatWidget'],
): Promise<void> {
  if (!wanted) return;
  const { id = `wgt_${runtime.ids.secret(18)}`, ...settings } = wanted;
  const change = given(settings);
  const before = await findWidgetOfAgent(tx, actor.workspaceId, agentId);
  const changes = changesBetween<typeof change>(before ?? {}, change);
  if (before && Object.keys(changes).length === 0) return;
  const made = { id, agentId, createdAt: now, updatedAt: now };
  await upsertWidget(tx, actor.workspaceId, made, change);
  changedWidgets.push(agentId);
  const entry = { action: 'agent.widget.updated', targetId: agentId, data: { name, changes } };
  await recordAudit(tx, runtime.clock, actor, entry);
}

/** Whether anything was written. */
async function applyPrompt(
  applying: Applying,
  owner: { agentId: string; card: CardOwner; workspaceName: string },
  wanted: ProvisionAgent['outboundPrompts'][number],
  index: number,
): Promise<boolean> {
  const { tx, runtime, now, items, actor } = applying;
  const { workspaceId } = actor;
  const { agentId, workspaceName } = owner;
  const item = { kind: 'outbound_prompt', name: wanted.id ?? `${agentId}/${wanted.title}` } as const;
  const id = wanted.id ?? items.targetOf(item.kind, item.name);
  const found = await findPrompt(tx, workspaceId, agentId, { id, title: wanted.title });
  if (found && found.agentId !== agentId)
    throw new Error(`outbound prompt ${found.id} belongs to another agent already`);
  if (!isWanted(applying, { ...item, isThere: found !== undefined, reset: wanted.reset })) return false;
  const promptId = found?.id ?? id ?? runtime.ids.next('prompt');
  const { id: _id, reset: _reset, ...fields } = wanted;
  const { title, instructions } = wanted;
  // The first prompt is the default one, and prompts are ordered by their time: keep the file's order.
  const createdAt = new Date(now.getTime() + index);
  const create = { id: promptId, workspaceId, agentId, title, instructions, createdAt, updatedAt: createdAt };
  const columns = given(provisionedPrompt(found, fields, owner.card, workspaceName));
  const change = await upsertPrompt(tx, found, create, columns);
  await items.remember(item.kind, item.name, promptId);
  await auditChange(
    applying,
    { noun: 'outbound_prompt', targetId: promptId, data: { title, agentId } },
    change,
  );
  return change.kind !== 'unchanged';
}
