import { describeError, type Logger } from '#lib/log.ts';
import { MAX_SENDS_PER_WORKSPACE, placesFor } from './fairness.ts';
import type { WaitingDelivery } from './repository.ts';

/** How many rows one look takes; the next look follows at once while there are more. */
const LOOK_LIMIT = 128;

/** While a workspace has more to send than places, it is looked for more whenever this many of its sends ended. */
const SENDS_PER_LOOK = 16;

/**
 * Sends what waits in the database, as many at once as is fair. Keeps no list of its own: what is not begun is a
 * pending row, found by the next look of this process or of another.
 */
export function createDispatcher(deps: {
  log: Logger;
  listWaiting: (given: {
    limit: number;
    limitPerWorkspace: number;
    withoutWorkspaces: string[];
    withoutIds: string[];
  }) => Promise<WaitingDelivery[]>;
  deliver: (delivery: WaitingDelivery) => Promise<void>;
}) {
  const running = new Map<string, WaitingDelivery>();
  const runningOf = new Map<string, number>();
  let looking: Promise<void> | undefined;
  let isWanted = false;
  let isCrowded = false;
  let isStopped = false;

  function begin(delivery: WaitingDelivery): void {
    running.set(delivery.id, delivery);
    runningOf.set(delivery.workspaceId, (runningOf.get(delivery.workspaceId) ?? 0) + 1);
    void deps
      .deliver(delivery)
      .catch((error: unknown) =>
        deps.log.error({ event: 'webhook_failed', deliveryId: delivery.id, error: describeError(error) }),
      )
      .finally(() => end(delivery));
  }

  function end(delivery: WaitingDelivery): void {
    running.delete(delivery.id);
    const left = (runningOf.get(delivery.workspaceId) ?? 1) - 1;
    if (left > 0) runningOf.set(delivery.workspaceId, left);
    else runningOf.delete(delivery.workspaceId);
    // Something was left waiting for a place: look again, though not after every single send.
    if (isCrowded && left % SENDS_PER_LOOK === 0) wake();
  }

  function placesOf(workspaceId: string): number {
    return placesFor({ ofWorkspace: runningOf.get(workspaceId) ?? 0, inAll: running.size });
  }

  /** One look at the database; true where more may be waiting that there is a place for. */
  async function look(): Promise<boolean> {
    const full = [...runningOf.keys()].filter((workspaceId) => placesOf(workspaceId) === 0);
    const waiting = await deps.listWaiting({
      limit: LOOK_LIMIT,
      limitPerWorkspace: MAX_SENDS_PER_WORKSPACE,
      withoutWorkspaces: full,
      withoutIds: [...running.keys()],
    });
    let begun = 0;
    for (const delivery of waiting) {
      if (isStopped || running.has(delivery.id) || placesOf(delivery.workspaceId) === 0) continue;
      begin(delivery);
      begun++;
    }
    isCrowded =
      begun < waiting.length || [...runningOf.keys()].some((workspaceId) => placesOf(workspaceId) === 0);
    // Who was full when the database was asked, and left out, may have room again by the time it answered.
    const hasRoomAgain = full.some((workspaceId) => placesOf(workspaceId) > 0);
    return hasRoomAgain || (begun > 0 && waiting.length === LOOK_LIMIT);
  }

  async function lookWhileWanted(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false;
      if (await look()) isWanted = true;
    }
  }

  /** Something may be waiting. Cheap to call often: looks are never made side by side. */
  function wake(): void {
    isWanted = true;
    if (looking || isStopped) return;
    looking = lookWhileWanted()
      .catch((error: unknown) =>
        deps.log.error({ event: 'webhook_look_failed', error: describeError(error) }),
      )
      .finally(() => {
        looking = undefined;
        if (isWanted) wake();
      });
  }

  return {
    wake,

    /** Resolves when nothing is under way; for tests and for the end of the process. */
    async idle(): Promise<void> {
      while (looking || running.size > 0) {
        await (looking ?? new Promise((resolve) => setImmediate(resolve)));
      }
    },

    /** Begins nothing more and waits until what was begun has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      await this.idle();
    },
  };
}
