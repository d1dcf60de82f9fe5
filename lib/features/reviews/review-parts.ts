import type { Dependencies } from '#lib/dependencies.ts';
import { createCallExportService } from '#lib/features/conversations/export/service.ts';
import { createDeletionService } from '#lib/features/deletion/service.ts';
import { createNotesService } from '#lib/features/notes/service.ts';
import { createRetentionService } from '#lib/features/retention/service.ts';
import { createRetentionSweep } from '#lib/features/retention/sweep/service.ts';
import { createSavedViewService } from '#lib/features/saved-views/service.ts';
import { createOpenShareService } from '#lib/features/shares/opening/service.ts';
import { createShareService } from '#lib/features/shares/service.ts';
import { createReviewService } from './service.ts';

export type ReviewParts = ReturnType<typeof createReviewParts>;

/** What people do with conversations that are over: judge, note, export, find, show, delete. */
export function createReviewParts(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'env' | 'signingSecret' | 'sealer' | 'storage' | 'log'>,
) {
  const deletion = createDeletionService(deps);
  return {
    notes: createNotesService(deps),
    callExport: createCallExportService(deps),
    reviews: createReviewService(deps),
    savedViews: createSavedViewService(deps),
    shares: createShareService(deps),
    openShares: createOpenShareService(deps),
    deletion,
    retention: createRetentionService(deps),
    retentionSweep: createRetentionSweep({ ...deps, deletion }),
  };
}
