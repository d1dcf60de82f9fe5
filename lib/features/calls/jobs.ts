import type { JobKind } from '#lib/ports/queue.ts';

/**
 * A workspace has calls to start. The rows in `calls` are the work: whoever gets the job starts what may be started now,
 * so a job that runs twice, or not at all, changes nothing but the moment.
 */
export const callWaiting: JobKind<{ workspaceId: string }> = { name: 'calls.waiting' };
