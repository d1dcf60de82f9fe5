import type { JobKind } from '#lib/ports/queue.ts';

/**
 * A workspace has a call to place. The row in `calls` is the work: whoever gets the job takes the oldest call that
 * may be placed now, so a job that runs twice, or not at all, changes nothing but the moment.
 */
export const callWaiting: JobKind<{ workspaceId: string }> = { name: 'calls.waiting' };
