import type { Database } from '#db/client.ts';
import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { confirmationOf } from '#lib/features/confirmation.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { RetentionPreview } from './contract.ts';
import { countOld } from './repository.ts';
import { cutoffOf } from './rules.ts';

type Days = { conversationDays: number | null; recordingDays: number | null };

/** Nobody reads a larger number. */
const COUNTED_MOST = 10_000;

export type RetentionService = ReturnType<typeof createRetentionService>;

/** What keeping conversations and recordings for so many days deletes with the first sweep, counted as far as 10,000. */
export async function retentionEffect(
  db: Database,
  clock: Clock,
  workspaceId: WorkspaceId,
  { conversationDays, recordingDays }: Days,
) {
  const count = async (kept: number | null, onlyRecorded: boolean) =>
    kept === null
      ? null
      : countOld(db, workspaceId, { before: cutoffOf(kept, clock.now()), onlyRecorded, most: COUNTED_MOST });
  return {
    action: 'retention',
    conversationDays,
    recordingDays,
    conversations: await count(conversationDays, false),
    recordings: await count(recordingDays, true),
  };
}

export function createRetentionService(deps: Pick<Dependencies, 'db' | 'clock' | 'sealer'>) {
  return {
    /** What a setting would delete, and the token that it is confirmed with. */
    async preview(
      actor: Actor,
      { conversationDays = null, recordingDays = null }: { [Name in keyof Days]?: Days[Name] | undefined },
    ): Promise<RetentionPreview> {
      const days = { conversationDays, recordingDays };
      const effect = await retentionEffect(deps.db, deps.clock, actor.workspaceId, days);
      const { conversations, recordings } = effect;
      return { conversations, recordings, confirmation: confirmationOf(deps, actor, effect) };
    },
  };
}
