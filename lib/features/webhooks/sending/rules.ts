/** Sends under way in one process. Sockets are cheap; what is bounded is how many receivers may hang at once. */
export const MAX_SENDS = 512;
export const MAX_SENDS_PER_WORKSPACE = 64;

/**
 * How many further sends a workspace may begin: never more than half of what is free, so that no number of
 * workspaces with hanging receivers takes the last slot from the next one.
 */
export function freeSlots(running: { ofWorkspace: number; inAll: number }): number {
  const free = MAX_SENDS - running.inAll;
  if (free <= 0) return 0;
  const share = Math.min(MAX_SENDS_PER_WORKSPACE, Math.max(1, Math.floor(free / 2)));
  return Math.max(0, share - running.ofWorkspace);
}
