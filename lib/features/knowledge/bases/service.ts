import type { Actor } from '#lib/auth/actor.ts';
import { assertAgent, lockAgent, lockAgentsForUse } from '#lib/features/agents/repository.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import { assertBase } from '#lib/features/base.ts';
import type { EmbedderCatalog } from '#lib/ports/embedder.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { DocumentProcessing } from '../documents/processing/service.ts';
import { deleteLeftovers } from '../content/repository.ts';
import { storageKeysOfBase, totalsOfBase } from '../documents/repository.ts';
import type { EmbeddingService } from '../embedding/service.ts';
import {
  type BaseListing,
  countBases,
  deleteBaseRow,
  findBase,
  insertBase,
  type KnowledgeBaseRow,
  listAgentsOfBase,
  listBasePage,
  listBases,
  listBasesOfAgent,
  lockBase,
  lockBases,
  replaceAgentsOfBase,
  replaceBasesOfAgent,
  updateBase,
} from './repository.ts';

type Deps = Pick<Dependencies, 'db' | 'clock' | 'ids' | 'storage'> & {
  embedders: EmbedderCatalog;
  processing: DocumentProcessing;
  embedding: EmbeddingService;
};

/** Knowledge bases and which agents answer from them (contract, Knowledge base). */
export function createKnowledgeBaseService(deps: Deps) {
  return {
    ...createReads(deps),
    ...createChanges(deps),
    remove: removeWith(deps),
    ...createAttachments(deps),
  };
}

function createReads(deps: Deps) {
  return {
    /** One page; past the end it is empty. `pageIndex` is the page asked for. */
    async list(actor: Actor, listing: BaseListing) {
      const total = await countBases(deps.db, actor.workspaceId);
      const rows = await listBasePage(deps.db, actor.workspaceId, listing);
      return {
        knowledgeBases: rows.map((row) => ({
          ...shownBase(row.base),
          _count: { documents: row.documents, agents: row.agents },
        })),
        pageCount: Math.ceil(total / listing.pageSize),
        pageIndex: listing.page,
        pageSize: listing.pageSize,
        sortBy: listing.sortBy,
        sortOrder: listing.sortOrder,
      };
    },

    listNames: (actor: Actor) => listBases(deps.db, actor.workspaceId),

    get: async (actor: Actor, id: string) => shownBase(await findBase(deps.db, actor.workspaceId, id)),

    async listOfAgent(actor: Actor, agentId: string) {
      await assertAgent(deps.db, actor.workspaceId, agentId);
      return (await listBasesOfAgent(deps.db, actor.workspaceId, agentId)).map(shownBase);
    },

    async overview(actor: Actor, id: string) {
      const base = await findBase(deps.db, actor.workspaceId, id);
      const totals = await totalsOfBase(deps.db, actor.workspaceId, id);
      const agents = await listAgentsOfBase(deps.db, actor.workspaceId, id);
      const embedding = await deps.embedding.state(actor.workspaceId, base);
      return { ...shownBase(base), ...totals, agents, embedding };
    },
  };
}

function createChanges(deps: Deps) {
  return {
    /** Creates the base and its collection, on the model of the settings. `id` is for provisioning. */
    async create(actor: Actor, input: { id?: string; name: string; description: string }) {
      return deps.db.transaction(async (tx) => {
        const now = deps.clock.now();
        const row = await insertBase(tx, actor.workspaceId, {
          id: input.id ?? deps.ids.next('kb'),
          name: input.name,
          description: input.description,
          embeddingModel: deps.embedders.current.model,
          createdAt: now,
          updatedAt: now,
        });
        await recordAudit(tx, deps.clock, actor, {
          action: 'knowledge_base.created',
          targetId: row.id,
          data: { name: row.name },
        });
        return shownBase(row);
      });
    },

    /** Fields left out stay; with none, nothing changes. */
    async update(
      actor: Actor,
      id: string,
      change: { name?: string | undefined; description?: string | undefined },
    ) {
      return deps.db.transaction(async (tx) => {
        const before = await lockBase(tx, actor.workspaceId, id);
        assertBase(actor, before);
        const changes = changesBetween<typeof change>(before, change);
        if (Object.keys(changes).length === 0) return shownBase(before);
        await updateBase(tx, actor.workspaceId, { id, ...change, now: deps.clock.now() });
        await recordAudit(tx, deps.clock, actor, {
          action: 'knowledge_base.updated',
          targetId: id,
          data: changes,
        });
        return shownBase(await findBase(tx, actor.workspaceId, id));
      });
    },
  };
}

/** Removes the base and its documents at once, then files, chunks and vectors (the sweep finds what a crash leaves). */
function removeWith(deps: Deps) {
  return async (actor: Actor, id: string): Promise<null> => {
    const files = await deps.db.transaction(async (tx) => {
      const base = await findBase(tx, actor.workspaceId, id);
      const keys = await storageKeysOfBase(tx, actor.workspaceId, id);
      await deleteBaseRow(tx, actor.workspaceId, id);
      await recordAudit(tx, deps.clock, actor, {
        action: 'knowledge_base.deleted',
        targetId: id,
        data: { name: base.name, documents: keys.length },
      });
      return keys;
    });
    for (const file of files) {
      deps.processing.abandon(file.id);
      await deps.storage.delete(file.storageKey);
    }
    await deleteLeftovers(
      deps.db,
      files.map((file) => file.id),
    );
    return null;
  };
}

/** Which agents answer from which bases. */
function createAttachments(deps: Deps) {
  return {
    /** The list becomes the agent's whole set. Repeats are taken once. */
    async setOfAgent(actor: Actor, agentId: string, knowledgeBaseIds: string[]): Promise<null> {
      const ids = [...new Set(knowledgeBaseIds)];
      await deps.db.transaction(async (tx) => {
        await lockAgent(tx, actor.workspaceId, agentId);
        await lockBases(tx, actor.workspaceId, ids);
        const before = await listBasesOfAgent(tx, actor.workspaceId, agentId);
        assertBase(actor, { knowledgeBaseIds: before.map((base) => base.id).toSorted() });
        if (
          isSameSet(
            before.map((base) => base.id),
            ids,
          )
        )
          return;
        await replaceBasesOfAgent(tx, actor.workspaceId, agentId, ids);
        await recordAudit(tx, deps.clock, actor, {
          action: 'agent.knowledge_changed',
          targetId: agentId,
          data: { knowledgeBaseIds: ids },
        });
      });
      return null;
    },

    /** The same set, seen from the knowledge base. */
    async setAgents(actor: Actor, id: string, agentIds: string[]): Promise<null> {
      const ids = [...new Set(agentIds)];
      await deps.db.transaction(async (tx) => {
        await lockAgentsForUse(tx, actor.workspaceId, ids);
        await lockBase(tx, actor.workspaceId, id);
        const before = await listAgentsOfBase(tx, actor.workspaceId, id);
        const attached = before.filter((agent) => agent.isAttached).map((agent) => agent.id);
        assertBase(actor, { agentIds: attached.toSorted() });
        if (isSameSet(attached, ids)) return;
        await replaceAgentsOfBase(tx, actor.workspaceId, id, ids);
        await recordAudit(tx, deps.clock, actor, {
          action: 'knowledge_base.agents_changed',
          targetId: id,
          data: { agentIds: ids },
        });
      });
      return null;
    },
  };
}

/** Two lists without repeats. */
function isSameSet(left: string[], right: string[]): boolean {
  return left.length === right.length && new Set([...left, ...right]).size === left.length;
}

function shownBase(row: KnowledgeBaseRow) {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
