import type { Actor } from '#lib/auth/actor.ts';
import { findAgent } from '#lib/features/agents/repository.ts';
import {
  findNamedAgent,
  findNamedVersion,
  findVersion,
  type ListedVersion,
  listVersions,
} from '#lib/features/versions/repository.ts';
import type { VersionedPrompt } from '#lib/features/versions/rules.ts';
import { currentVersionId } from '#lib/features/versions/service.ts';
import { applyContent, assertWebhookUrlOf, type PublishingDeps } from '../service.ts';
import type { VersionDetail, VersionPage, VersionSummary } from './contract.ts';

export type HistoryService = ReturnType<typeof createHistoryService>;

/** The versions of agents: listed, opened, and restored. Those of a deleted agent can be opened. */
export function createHistoryService(deps: PublishingDeps) {
  const { db, ids } = deps;

  return {
    /** Throws 403 and 404. */
    async get(actor: Actor, versionId: string): Promise<VersionDetail> {
      const { version, agent } = await findNamedVersion(db, actor.workspaceId, versionId);
      const { outboundPrompts } = version.content;
      return {
        ...summaryOf(version, agent.versionId),
        agentId: agent.id,
        agentName: agent.name,
        isAgentDeleted: agent.deletedAt !== null,
        agent: version.content.agent,
        outboundPrompts: outboundPrompts.map(shownPrompt),
      };
    },

    /** The latest first. Throws 403 and 404. */
    async list(
      actor: Actor,
      agentId: string,
      { before, limit }: { before?: number | undefined; limit: number },
    ): Promise<VersionPage> {
      const { workspaceId } = actor;
      const { deletedAt, ...agent } = await findNamedAgent(db, workspaceId, agentId);
      const current =
        agent.versionId ??
        (deletedAt === null ? await currentVersionId(db, ids, workspaceId, agentId) : null);
      const rows = await listVersions(db, workspaceId, agentId, { before, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      return {
        versions: shown.map((row) => summaryOf(row, current ?? null)),
        nextBefore: rows.length > limit ? (shown.at(-1)?.number ?? null) : null,
      };
    },

    /**
     * Makes the agent what it was; whether it is switched on stays. Throws 403 and 404, 400 for a webhook address that is
     * refused today.
     */
    async restore(actor: Actor, place: { agentId: string; versionId: string }): Promise<VersionSummary> {
      const { agentId } = place;
      const agent = await findAgent(db, actor.workspaceId, agentId);
      const { content, number } = await findVersion(db, actor.workspaceId, place);
      await assertWebhookUrlOf(deps, content, agent.postConversationWebhookUrl);
      const entry = { action: 'agent.restored', data: { number }, restoredNumber: number };
      const versionId = await db.transaction((tx) =>
        applyContent(tx, deps, actor, { agentId, content, entry }),
      );
      return summaryOf(await findVersion(db, actor.workspaceId, { agentId, versionId }), versionId);
    },
  };
}

function shownPrompt(prompt: VersionedPrompt): VersionDetail['outboundPrompts'][number] {
  const { id, createdAt: _, ...fields } = prompt;
  return { id, title: prompt.title, fields };
}

function summaryOf(row: ListedVersion, publishedId: string | null): VersionSummary {
  return {
    id: row.id,
    number: row.number,
    createdAt: row.createdAt.toISOString(),
    author: { kind: row.authorKind, label: row.authorLabel },
    changes: row.changes,
    restoredNumber: row.restoredNumber,
    isPublished: row.id === publishedId,
    isShareOnly: row.isShareOnly,
  };
}
