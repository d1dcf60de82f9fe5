import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { findAgent } from '#lib/features/agents/repository.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import type { OverviewService } from '#lib/features/overview/service.ts';
import {
  findNamedAgent,
  findVersion,
  insertVersion,
  listNumbers,
  lockState,
  nextNumber,
} from '#lib/features/versions/repository.ts';
import { changesBetweenContents } from '#lib/features/versions/rules.ts';
import { currentVersionId } from '#lib/features/versions/service.ts';
import { deleteDraft } from '../drafts/repository.ts';
import { loadEdited } from '../drafts/edited.ts';
import { assertLookedAt } from '../drafts/not-judged.ts';
import { applyContent, assertWebhookUrlOf, type PublishingDeps } from '../service.ts';
import type { Split, SplitResults } from './contract.ts';
import {
  findRunningSplit,
  findSplit,
  insertSplit,
  listSplits,
  type SplitRow,
  updateSplit,
} from './repository.ts';
import { comparedVersions } from './results.ts';
import type { SplitStep } from './rules.ts';

/** So many versions are shown beside each other. */
const COMPARED = 6;

export type SplitsService = ReturnType<typeof createSplitsService>;

type SplitsDeps = PublishingDeps & Pick<Dependencies, 'sealer'> & { overview: OverviewService };

/**
 * Second versions that get a share of an agent's conversations, and what came of it. One at a time for each agent; whoever
 * starts, changes or ends one does so under the agent's lock.
 */
export function createSplitsService(deps: SplitsDeps) {
  return { ...createReads(deps), ...createChanges(deps) };
}

function createReads({ db, overview }: SplitsDeps) {
  return {
    /** Throws 403 and 404; so everywhere below. */
    async list(actor: Actor, agentId: string): Promise<Split[]> {
      await findNamedAgent(db, actor.workspaceId, agentId);
      return shown(db, actor, await listSplits(db, actor.workspaceId, agentId));
    },

    /** What each version came to since they share the conversations, tests left out. */
    async get(actor: Actor, splitId: string): Promise<SplitResults> {
      const { workspaceId } = actor;
      const row = await findSplit(db, workspaceId, splitId);
      const agent = await findNamedAgent(db, workspaceId, row.agentId);
      const publishedId = (row.endedAt ? null : agent.versionId) ?? row.steps.at(-1)?.publishedId ?? '';
      const found = await overview.ofVersions(workspaceId, {
        agentId: row.agentId,
        startsAt: row.startedAt,
        endsAt: row.endedAt,
        always: [row.versionId, publishedId],
        limit: COMPARED,
      });
      const ids = [...found.map(({ versionId }) => versionId), row.versionId, publishedId];
      const numbers = await listNumbers(db, workspaceId, ids);
      return {
        ...(await shownOne(db, actor, row)),
        agentName: agent.name,
        isAgentDeleted: agent.deletedAt !== null,
        ...comparedVersions(found, { sharedId: row.versionId, publishedId, numbers }),
      };
    },
  };
}

function createChanges(deps: SplitsDeps) {
  const { db, clock, ids } = deps;

  /** Changes a split that runs, under the lock of its agent. Throws 400 INVALID_STATE for one that has ended. */
  async function change(
    actor: Actor,
    splitId: string,
    write: (tx: Database, row: SplitRow) => Promise<void>,
  ): Promise<Split> {
    const { agentId } = await findSplit(db, actor.workspaceId, splitId);
    await db.transaction(async (tx) => {
      if (!(await lockState(tx, actor.workspaceId, agentId))) throw notFound('Agent');
      const row = await findSplit(tx, actor.workspaceId, splitId);
      if (row.endedAt !== null)
        throw new AppError('INVALID_STATE', 'The versions do not share conversations any more');
      await write(tx, row);
    });
    return shownOne(db, actor, await findSplit(db, actor.workspaceId, splitId));
  }

  async function nextStep(
    tx: Database,
    actor: Actor,
    step: Pick<SplitStep, 'kind' | 'percent'> & { agentId: string },
  ): Promise<SplitStep> {
    const { agentId, kind, percent } = step;
    const publishedId = await currentVersionId(tx, ids, actor.workspaceId, agentId);
    if (publishedId === undefined) throw notFound('Agent');
    const author = { kind: actor.kind, label: actor.label };
    return { kind, percent, publishedId, at: clock.now().toISOString(), author };
  }

  async function record(
    tx: Database,
    actor: Actor,
    { agentId, versionId }: Pick<SplitRow, 'agentId' | 'versionId'>,
    entry: { action: string; data: Record<string, unknown> },
  ): Promise<void> {
    const { name } = await findNamedAgent(tx, actor.workspaceId, agentId);
    const { number } = await findVersion(tx, actor.workspaceId, { agentId, versionId });
    const data = { name, number, ...entry.data };
    await recordAudit(tx, clock, actor, { action: entry.action, targetId: agentId, data });
  }

  return {
    /**
     * Gives a version of before a share of the new conversations, or the draft, which is published for it. Throws 400
     * INVALID_STATE where another one has a share, for what is published, and where there is no draft; 428 where nobody
     * looked at what simulations of the draft did not judge.
     */
    async start(
      actor: Actor,
      agentId: string,
      { versionId: wanted, percent }: { versionId: string | null; percent: number },
    ): Promise<Split> {
      const { workspaceId } = actor;
      await findAgent(db, workspaceId, agentId);
      const id = ids.next('split');
      await db.transaction(async (tx) => {
        if (!(await lockState(tx, workspaceId, agentId))) throw notFound('Agent');
        if (await findRunningSplit(tx, workspaceId, agentId))
          throw new AppError('INVALID_STATE', 'Another version has a share of the conversations already');
        const first = await nextStep(tx, actor, { agentId, kind: 'started', percent });
        const versionId = wanted ?? (await publishDraftForShare(tx, deps, actor, agentId));
        await assertShareable(tx, actor, { agentId, versionId, publishedId: first.publishedId });
        const startedAt = clock.now();
        const split = { id, agentId, versionId, percent, steps: [first], startedAt, endedAt: null };
        await insertSplit(tx, workspaceId, split);
        await record(tx, actor, split, { action: 'agent.split_started', data: { percent } });
      });
      return shownOne(db, actor, await findSplit(db, workspaceId, id));
    },

    /** Conversations that began keep their version. Throws 400 INVALID_STATE for one that has ended. */
    change: (actor: Actor, splitId: string, percent: number): Promise<Split> =>
      change(actor, splitId, async (tx, row) => {
        if (row.percent === percent) return;
        const step = await nextStep(tx, actor, { agentId: row.agentId, kind: 'changed', percent });
        await updateSplit(tx, actor.workspaceId, splitId, {
          percent,
          steps: [...row.steps, step],
          endedAt: null,
        });
        await record(tx, actor, row, {
          action: 'agent.split_changed',
          data: { percent, before: row.percent },
        });
      }),

    /**
     * Makes the second version what the agent is, which is a new version, or gives it no more conversations. Throws 400
     * INVALID_STATE for one that has ended, 403 where somebody below admin would change where transcripts go.
     */
    end: (actor: Actor, splitId: string, how: 'publish' | 'stop'): Promise<Split> =>
      change(actor, splitId, async (tx, row) => {
        const { agentId, versionId, percent } = row;
        const kind = how === 'publish' ? 'published' : 'stopped';
        const step = await nextStep(tx, actor, { agentId, kind, percent });
        const endedAt = clock.now();
        await updateSplit(tx, actor.workspaceId, splitId, { percent, steps: [...row.steps, step], endedAt });
        if (how === 'publish') await publishForAll(tx, deps, actor, row);
        const data = { percent };
        await record(tx, actor, { agentId, versionId }, { action: `agent.split_${kind}`, data });
      }),
  };
}

async function publishForAll(
  tx: Database,
  deps: PublishingDeps,
  actor: Actor,
  { agentId, versionId }: SplitRow,
): Promise<void> {
  const agent = await findAgent(tx, actor.workspaceId, agentId);
  const { content, number } = await findVersion(tx, actor.workspaceId, { agentId, versionId });
  await assertWebhookUrlOf(deps, content, agent.postConversationWebhookUrl);
  const entry = { action: 'agent.restored', data: { number }, restoredNumber: number };
  await applyContent(tx, deps, actor, { agentId, content, entry });
}

/** Keeps what the draft says as a version that the agent itself never was, and drops the draft. Gives its id. */
async function publishDraftForShare(
  tx: Database,
  deps: SplitsDeps,
  actor: Actor,
  agentId: string,
): Promise<string> {
  const { workspaceId } = actor;
  const { content, live, draft } = await loadEdited(tx, deps, actor, agentId);
  if (!draft) throw new AppError('INVALID_STATE', 'The agent has no draft');
  await assertLookedAt(tx, deps, actor, draft);
  const id = deps.ids.next('ver');
  await insertVersion(tx, workspaceId, {
    id,
    agentId,
    number: await nextNumber(tx, workspaceId, agentId),
    content,
    changes: changesBetweenContents(live, content),
    isShareOnly: true,
    authorKind: actor.kind,
    authorId: actor.id,
    authorLabel: actor.label,
    createdAt: deps.clock.now(),
  });
  await deleteDraft(tx, workspaceId, agentId);
  return id;
}

async function assertShareable(
  tx: Database,
  { workspaceId }: Actor,
  { agentId, versionId, publishedId }: { agentId: string; versionId: string; publishedId: string },
): Promise<void> {
  const { number } = await findVersion(tx, workspaceId, { agentId, versionId });
  if (number === null) throw new AppError('INVALID_STATE', 'A draft gets a share by being published for it');
  if (versionId === publishedId)
    throw new AppError('INVALID_STATE', 'This version is what is published: the others have it already');
}

async function shownOne(db: Database, actor: Actor, row: SplitRow): Promise<Split> {
  const [split] = await shown(db, actor, [row]);
  if (!split) throw notFound('Split');
  return split;
}

async function shown(db: Database, actor: Actor, rows: readonly SplitRow[]): Promise<Split[]> {
  const ids = rows.flatMap(({ versionId, steps }) => [versionId, ...steps.map((step) => step.publishedId)]);
  const numbers = await listNumbers(db, actor.workspaceId, ids);
  const named = (id: string) => ({ id, number: numbers.get(id) ?? null });
  return rows.map(({ id, agentId, versionId, percent, steps, startedAt, endedAt }) => ({
    id,
    agentId,
    version: named(versionId),
    percent,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    steps: steps.map(({ publishedId, ...step }) => ({ ...step, published: named(publishedId) })),
  }));
}
