import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { notFound } from '#lib/errors.ts';
import {
  type AgentState,
  findVersion,
  insertVersion,
  lockState,
  statesOf,
} from '#lib/features/versions/repository.ts';
import { changesBetweenContents, type VersionContent } from '#lib/features/versions/rules.ts';
import { currentVersionId } from '#lib/features/versions/service.ts';
import type { EditedState } from './edit.ts';
import { type DraftRow, findDraft, upsertDraft } from './repository.ts';
import { type DraftConflict, joinConflicts, mergeContents } from './rules.ts';

/** What the editor shows: the draft where there is one, else what is published. */
export type Edited = EditedState & {
  content: VersionContent;
  live: VersionContent;
  draft: DraftRow | undefined;
};

/** The draft as it is on what is published now, brought up to it where something was published since. */
export async function loadEdited(
  tx: Database,
  deps: Pick<Dependencies, 'clock' | 'ids'>,
  actor: Actor,
  agentId: string,
): Promise<Edited> {
  const { workspaceId } = actor;
  const live = await lockState(tx, workspaceId, agentId);
  if (!live) throw notFound('Agent');
  const draft = await findDraft(tx, workspaceId, agentId);
  const published = { agent: live.agent, prompts: live.prompts, live: live.content };
  if (!draft) return { ...published, content: live.content, draft };
  const version = await findVersion(tx, workspaceId, { agentId, versionId: draft.versionId });
  const current = live.agent.versionId ?? (await currentVersionId(tx, deps.ids, workspaceId, agentId));
  if (current === draft.baseVersionId || current === undefined)
    return { ...editedOf(version, live.agent), live: live.content, draft };
  const base = await findVersion(tx, workspaceId, { agentId, versionId: draft.baseVersionId });
  const merged = mergeContents(base.content, live.content, version.content);
  const { authorKind, authorId, authorLabel } = version;
  const moved = await keepDraft(tx, deps, actor, {
    agentId,
    draft,
    baseVersionId: current,
    content: merged.content,
    conflicts: joinConflicts(draft.conflicts, merged.conflicts),
    author: { authorKind, authorId, authorLabel },
  });
  return {
    ...editedOf({ ...version, content: merged.content }, live.agent),
    live: live.content,
    draft: moved,
  };
}

function editedOf(version: Parameters<typeof statesOf>[0], live: AgentState) {
  return { ...statesOf(version, live), content: version.content };
}

/** Keeps a state of a draft as a version without a number. */
export async function keepDraft(
  tx: Database,
  { clock, ids }: Pick<Dependencies, 'clock' | 'ids'>,
  actor: Actor,
  kept: {
    agentId: string;
    draft: DraftRow | undefined;
    baseVersionId: string;
    content: VersionContent;
    conflicts: DraftConflict[];
    author?: Pick<Parameters<typeof insertVersion>[2], 'authorKind' | 'authorId' | 'authorLabel'>;
  },
): Promise<DraftRow> {
  const { agentId, draft, baseVersionId, content, conflicts } = kept;
  const { workspaceId } = actor;
  const author = kept.author ?? { authorKind: actor.kind, authorId: actor.id, authorLabel: actor.label };
  const versionId = ids.next('ver');
  const now = clock.now();
  const base = await findVersion(tx, workspaceId, { agentId, versionId: baseVersionId });
  await insertVersion(tx, workspaceId, {
    id: versionId,
    agentId,
    number: null,
    content,
    changes: changesBetweenContents(base.content, content),
    ...author,
    createdAt: now,
  });
  const row = {
    agentId,
    versionId,
    baseVersionId,
    conflicts,
    createdAt: draft?.createdAt ?? now,
    updatedAt: now,
  };
  await upsertDraft(tx, workspaceId, row);
  return { ...row, workspaceId };
}
