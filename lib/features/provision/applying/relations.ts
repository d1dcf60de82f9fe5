import { recordAudit } from '#lib/features/audit/service.ts';
import type { ProvisionWorkspace } from '../contract.ts';
import {
  agentsOf,
  attachKnowledgeBase,
  findKnowledgeBase,
  findNumber,
  upsertKnowledgeBase,
  upsertNumber,
} from '../repository.ts';
import { given } from './given.ts';
import { type Applying, auditChange, isWanted } from './items.ts';

/** The file's numbers. Which agent has one is set once for each agent that the file names: later it is people's choice. */
export async function applyNumbers(applying: Applying, wanted: ProvisionWorkspace): Promise<void> {
  const agentOf = await agentFinder(applying);
  const claimed = new Map(
    wanted.agents.flatMap((agent) =>
      agent.phoneNumberId && agent.id ? [[agent.phoneNumberId, agent.id]] : [],
    ),
  );
  for (const number of wanted.phoneNumbers) {
    const named = number.agentId ?? (number.id ? claimed.get(number.id) : undefined);
    await applyNumber(applying, number, agentOf(named ?? undefined, `phoneNumbers: ${number.number}`));
  }
}

async function applyNumber(
  applying: Applying,
  wanted: ProvisionWorkspace['phoneNumbers'][number],
  agentId: string | undefined,
): Promise<void> {
  const { tx, runtime, now, items, actor } = applying;
  const { workspaceId } = actor;
  const { number, reset } = wanted;
  const existing = await findNumber(tx, workspaceId, number);
  if (!isWanted(applying, { kind: 'number', name: number, isThere: existing !== undefined, reset })) return;
  const id = existing?.id ?? wanted.id ?? runtime.ids.next('pn');
  const pair = `${number}/${agentId}`;
  const isAssigned = existing !== undefined && items.targetOf('number_agent', pair) !== undefined && !reset;
  const change = await upsertNumber(
    tx,
    existing,
    { id, workspaceId, number, createdAt: now, updatedAt: now },
    given({
      agentId: isAssigned ? undefined : agentId,
      carrier: wanted.carrier,
      maxConcurrentCalls: wanted.maxConcurrentCalls,
    }),
  );
  await items.remember('number', number, id);
  if (agentId !== undefined) await items.remember('number_agent', pair, id);
  await auditChange(applying, { noun: 'number', targetId: id, data: { number } }, change);
}

/** The file's knowledge bases. Attached to an agent once: who detaches one later means it. */
export async function applyKnowledge(applying: Applying, wanted: ProvisionWorkspace): Promise<void> {
  const { tx, runtime, now, items, actor } = applying;
  const agentOf = await agentFinder(applying);
  for (const base of wanted.knowledgeBases) {
    const { name, description, reset } = base;
    const item = { kind: 'knowledge_base', name: base.id ?? name } as const;
    const knownId = base.id ?? items.targetOf(item.kind, item.name);
    const existing = await findKnowledgeBase(tx, actor.workspaceId, { id: knownId, name });
    if (!isWanted(applying, { ...item, isThere: existing !== undefined, reset })) continue;
    const id = existing?.id ?? knownId ?? runtime.ids.next('kb');
    const embeddingModel = runtime.embedders.current.model;
    const times = { createdAt: now, updatedAt: now };
    const row = { id, workspaceId: actor.workspaceId, name, description, embeddingModel, ...times };
    const change = await upsertKnowledgeBase(tx, existing, row);
    await items.remember(item.kind, item.name, id);
    await auditChange(applying, { noun: 'knowledge_base', targetId: id, data: { name } }, change);
    const agentIds = base.agentIds.map((agentId) => agentOf(agentId, `knowledgeBases: ${name}`));
    await attachOnce(applying, { id, isNew: existing === undefined, agentIds, reset });
  }
}

async function attachOnce(
  applying: Applying,
  base: { id: string; isNew: boolean; agentIds: (string | undefined)[]; reset: boolean },
): Promise<void> {
  const { tx, items, actor, runtime } = applying;
  const attached: string[] = [];
  for (const agentId of base.agentIds) {
    if (agentId === undefined) continue;
    const pair = `${base.id}/${agentId}`;
    const wasAttached = items.targetOf('knowledge_base_agent', pair) !== undefined;
    if (wasAttached && !base.isNew && !base.reset) continue;
    if (await attachKnowledgeBase(tx, actor.workspaceId, agentId, base.id)) attached.push(agentId);
    await items.remember('knowledge_base_agent', pair, base.id);
  }
  if (attached.length === 0) return;
  const entry = { action: 'knowledge_base.agents_changed', targetId: base.id, data: { attached } };
  await recordAudit(tx, runtime.clock, actor, entry);
}

/** Finds agents that the file names; undefined for one that was deleted, an error for one that never was. */
async function agentFinder({ tx, actor }: Applying) {
  const known = await agentsOf(tx, actor.workspaceId);
  return (agentId: string | undefined, place: string): string | undefined => {
    const agent = agentId === undefined ? undefined : known.get(agentId);
    if (agentId === undefined || agent) return agent?.isDeleted ? undefined : agentId;
    throw new Error(`${place}: agent ${agentId} is not in this workspace`);
  };
}
