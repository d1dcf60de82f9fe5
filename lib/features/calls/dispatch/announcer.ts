import type { Dependencies } from '#lib/dependencies.ts';
import { describeError } from '#lib/log.ts';
import { callWaiting } from '../jobs.ts';

/**
 * Tells the workers that a workspace has a call to start. Of each workspace one message is on its way at a time, and one
 * more follows where calls came meanwhile: a job for each call would cost as much as the call. What is lost with the
 * process is found by the next sweep.
 */
export function createAnnouncer({
  queue,
  log,
}: Pick<Dependencies, 'queue' | 'log'>): (workspaceId: string) => void {
  /** Workspaces whose message is on its way; true where calls came since. */
  const sending = new Map<string, boolean>();

  async function send(workspaceId: string): Promise<void> {
    try {
      do {
        sending.set(workspaceId, false);
        await queue.send(callWaiting, { workspaceId }, { singletonKey: workspaceId });
      } while (sending.get(workspaceId));
    } catch (error) {
      log.error({ event: 'announcement_failed', error: describeError(error) });
    } finally {
      sending.delete(workspaceId);
    }
  }

  return (workspaceId) => {
    if (sending.has(workspaceId)) sending.set(workspaceId, true);
    else void send(workspaceId);
  };
}
