import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { countPlaces } from '#lib/features/conversations/listing/repository.ts';
import type { ModelHealthService } from '#lib/features/conversations/model-health/service.ts';
import { countFailedDocuments } from '#lib/features/knowledge/documents/repository.ts';
import { readLastHour } from '#lib/features/status/repository.ts';
import type { WebhookService } from '#lib/features/webhooks/service.ts';
import type { WorkspacesService } from '#lib/features/workspaces/service.ts';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';
import type { Attention } from './contract.ts';

export type AttentionService = ReturnType<typeof createAttentionService>;

const WEEK_MS = 7 * 86_400_000;
const NEAR_LIMIT = 0.8;
/** A carrier with fewer failures than these is not in trouble: a number that does not exist fails too. */
const CARRIER_IN_TROUBLE = { failed: 3, share: 0.2 };

/** What somebody of a workspace has to look after. */
export function createAttentionService(
  deps: Pick<Dependencies, 'db' | 'clock'> & {
    webhooks: Pick<WebhookService, 'getHealth'>;
    modelHealth: ModelHealthService;
    workspaces: Pick<WorkspacesService, 'usage'>;
  },
) {
  const { db, clock } = deps;

  async function actionNeeded(workspaceId: WorkspaceId): Promise<Attention['actionNeeded']> {
    const since = clock.now().getTime() - WEEK_MS;
    const found = await countPlaces(db, workspaceId, {
      filter: { status: 'ended', tag: 'action_needed', tests: 'without', review: 'open', dateStart: since },
    });
    return found.count === 0 ? null : { ...found, since };
  }

  async function assigned({ workspaceId, id: assignee }: Actor): Promise<Attention['assigned']> {
    const filter = { status: 'ended', assignee, review: 'open' } as const;
    const found = await countPlaces(db, workspaceId, { filter });
    return found.count === 0 ? null : found;
  }

  /** Null where fewer were reviewed than were not: who looks at one now and then does not mean to look at all. */
  async function toReview(workspaceId: WorkspaceId): Promise<Attention['toReview']> {
    const since = clock.now().getTime() - WEEK_MS;
    const ofWeek = { status: 'ended', tests: 'without', dateStart: since } as const;
    const done = await countPlaces(db, workspaceId, { filter: { ...ofWeek, review: 'done' } });
    const found = await countPlaces(db, workspaceId, { filter: { ...ofWeek, review: 'open' } });
    return found.count === 0 || done.count < found.count ? null : { ...found, since };
  }

  async function webhooks(actor: Actor): Promise<Attention['webhooks']> {
    const { failedCount, lastCount, lastFailure } = await deps.webhooks.getHealth(actor);
    if (!lastFailure) return null;
    return { failed: failedCount, of: lastCount, lastId: lastFailure.id, error: lastFailure.error };
  }

  async function limit(actor: Actor): Promise<Attention['limit']> {
    const { usedMinutes, reservedMinutes, limitMinutes, refusesIncomingAtLimit } =
      await deps.workspaces.usage(actor);
    const minutes = usedMinutes + reservedMinutes;
    return limitMinutes === null || minutes < limitMinutes * NEAR_LIMIT
      ? null
      : { minutes, limitMinutes, refusesIncomingAtLimit };
  }

  async function carriers(workspaceId: WorkspaceId): Promise<Attention['carriers']> {
    const lastHour = await readLastHour(db, workspaceId, clock.now());
    return lastHour.carriers.flatMap(({ kind: name, calls, failed }) => {
      const kind = NUMBER_CARRIERS.find((known) => known === name);
      const isInTrouble = failed >= CARRIER_IN_TROUBLE.failed && failed >= calls * CARRIER_IN_TROUBLE.share;
      return kind && isInTrouble ? [{ kind, calls, failed }] : [];
    });
  }

  return {
    async get(actor: Actor): Promise<Attention> {
      const { workspaceId } = actor;
      const failed = await countFailedDocuments(db, workspaceId);
      return {
        actionNeeded: await actionNeeded(workspaceId),
        assigned: await assigned(actor),
        toReview: await toReview(workspaceId),
        webhooks: await webhooks(actor),
        documents: failed.count === 0 ? null : { failed: failed.count, knowledgeBaseId: failed.onlyBaseId },
        limit: await limit(actor),
        model: (await deps.modelHealth.get(actor)).problem,
        carriers: await carriers(workspaceId),
      };
    },
  };
}
