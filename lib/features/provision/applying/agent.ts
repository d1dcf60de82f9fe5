import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { provisionedColumns as provisionedAgent } from '#lib/features/agents/rules.ts';
import { type CardOwner, provisionedColumns as provisionedPrompt } from '#lib/features/prompts/rules.ts';
import type { Runtime } from '#lib/runtime.ts';
import type { ProvisionAgent } from '../contract.ts';
import { bringAgent, bringPrompt, findAgent, findPrompt } from '../repository.ts';
import { given } from './given.ts';

const NO_CARD_OWNER: CardOwner = {
  personaName: null,
  businessName: null,
  hasLanguage: false,
  language: null,
};

/** Brings one agent and its outbound prompts to what the file says, voice cards derived by the rules. */
export async function applyAgent(
  runtime: Runtime,
  tx: Database,
  actor: Actor,
  wanted: ProvisionAgent,
  workspaceName: string,
): Promise<void> {
  const now = runtime.clock.now();
  const { workspaceId } = actor;
  const existing = await findAgent(tx, workspaceId, { id: wanted.id, name: wanted.name });
  // Somebody deleted it since the file was written.
  if (existing?.deletedAt) return;
  const agentId = existing?.id ?? wanted.id ?? runtime.ids.next('agent');
  const { id: _id, outboundPrompts, phoneNumberId: _number, createdAt, updatedAt, ...fields } = wanted;
  const times = {
    createdAt: createdAt ? new Date(createdAt) : now,
    updatedAt: updatedAt ? new Date(updatedAt) : now,
  };
  const columns = provisionedAgent(existing, fields, workspaceName);
  await bringAgent(tx, existing, { id: agentId, workspaceId, name: wanted.name, ...times }, given(columns));
  const owner = { ...NO_CARD_OWNER, ...existing, ...given(columns) };
  for (const [index, prompt] of outboundPrompts.entries()) {
    const found = await findPrompt(tx, workspaceId, agentId, { id: prompt.id, title: prompt.title });
    if (found && found.agentId !== agentId)
      throw new Error(`outbound prompt ${found.id} belongs to another agent already`);
    const promptId = found?.id ?? prompt.id ?? runtime.ids.next('prompt');
    const { id: _promptId, ...promptFields } = prompt;
    // The first prompt is the default one, and prompts are ordered by their time: keep the file's order.
    const createdAt = new Date(now.getTime() + index);
    const create = {
      id: promptId,
      workspaceId,
      agentId,
      title: prompt.title,
      instructions: prompt.instructions,
      createdAt,
      updatedAt: createdAt,
    };
    await bringPrompt(tx, found, create, given(provisionedPrompt(found, promptFields, owner, workspaceName)));
  }
}
