import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadOutboundPrompts(workspaceId: string, agentId: string) {
  return orNotFound(runtime().drafts.listPrompts(await loadActor(workspaceId), agentId));
}

export async function loadOutboundPrompt(workspaceId: string, agentId: string, promptId: string) {
  return orNotFound(runtime().drafts.getPromptDetail(await loadActor(workspaceId), { agentId, promptId }));
}

export async function loadPromptCatalog(workspaceId: string) {
  return runtime().prompts.catalog(await loadActor(workspaceId));
}
