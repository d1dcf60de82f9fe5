import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';
import type { KnowledgeListQuery } from './queries.ts';

const PAGE_SIZE = 25;

export async function loadKnowledgeBases(workspaceId: string, query: KnowledgeListQuery) {
  return runtime().knowledge.bases.list(await loadActor(workspaceId), { ...query, pageSize: PAGE_SIZE });
}

export async function loadKnowledgeBaseNames(workspaceId: string) {
  return runtime().knowledge.bases.listNames(await loadActor(workspaceId));
}

export async function loadKnowledgeBasesOfAgent(workspaceId: string, agentId: string) {
  return orNotFound(runtime().knowledge.bases.listOfAgent(await loadActor(workspaceId), agentId));
}

export async function loadKnowledgeOverview(workspaceId: string, id: string) {
  return orNotFound(runtime().knowledge.bases.overview(await loadActor(workspaceId), id));
}

export async function loadDocuments(workspaceId: string, id: string) {
  return orNotFound(runtime().knowledge.documents.list(await loadActor(workspaceId), id));
}

export async function loadDocument(workspaceId: string, documentId: string) {
  return orNotFound(runtime().knowledge.documents.detail(await loadActor(workspaceId), documentId));
}
