import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { assertConfirmed, confirmationOf } from '#lib/features/confirmation.ts';
import { listNotJudged } from '#lib/features/simulations/repository.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { DraftPublishing } from './contract.ts';
import type { DraftRow } from './repository.ts';

type SealingDeps = Pick<Dependencies, 'sealer' | 'clock'>;

/** What simulations of this state of a draft did not judge, and the token of a person who looked at it. */
export async function publishing(
  db: Database,
  deps: SealingDeps,
  actor: Actor,
  draft: DraftRow,
): Promise<DraftPublishing> {
  const effect = await effectOf(db, actor, draft);
  return { notJudged: effect.notJudged, confirmation: confirmationOf(deps, actor, effect) };
}

/** Throws 428 CONFIRMATION_REQUIRED where simulations left something to judge that the person has not looked at. */
export async function assertLookedAt(
  tx: Database,
  deps: SealingDeps,
  actor: Actor,
  draft: DraftRow,
): Promise<void> {
  const effect = await effectOf(tx, actor, draft);
  if (effect.notJudged.length === 0) return;
  const message = 'Confirm that you looked at what simulations did not judge; nothing was published';
  assertConfirmed(deps, actor, effect, message);
}

async function effectOf(
  db: Database,
  { workspaceId }: Actor,
  { agentId, versionId }: Pick<DraftRow, 'agentId' | 'versionId'>,
) {
  const notJudged = await listNotJudged(db, workspaceId, { agentId, versionId });
  return { action: 'draft.publish', agentId, versionId, notJudged };
}
