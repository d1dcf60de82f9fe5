import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { RetentionPreview } from './contract.ts';
import { countOld } from './repository.ts';
import { cutoffOf } from './rules.ts';

/** Nobody reads a larger number. */
const COUNTED_MOST = 10_000;

export type RetentionService = ReturnType<typeof createRetentionService>;

export function createRetentionService({ db, clock }: Pick<Dependencies, 'db' | 'clock'>) {
  return {
    /** What a setting would delete with its first sweep, counted as far as 10,000. */
    async preview(
      actor: Actor,
      days: { conversationDays?: number | undefined; recordingDays?: number | undefined },
    ): Promise<RetentionPreview> {
      const count = async (kept: number | undefined, onlyRecorded: boolean) =>
        kept === undefined
          ? null
          : countOld(db, actor.workspaceId, {
              before: cutoffOf(kept, clock.now()),
              onlyRecorded,
              most: COUNTED_MOST,
            });
      return {
        conversations: await count(days.conversationDays, false),
        recordings: await count(days.recordingDays, true),
      };
    },
  };
}
