import { describeError, type Logger } from '#lib/log.ts';
import type { WaitingDelivery } from './repository.ts';
import { freeSlots, MAX_SENDS_PER_WORKSPACE } from './rules.ts';

/** How many rows one poll takes; the next poll follows at once while there are more. */
const POLL_LIMIT = 128;

/** While a workspace has more to send than slots, it is polled for more whenever this many of its sends ended. */
const SENDS_PER_POLL = 16;

type DispatcherDeps = {
  log: Logger;
  listWaiting: (given: {
    limit: number;
    limitPerWorkspace: number;
    withoutWorkspaces: string[];
    withoutIds: string[];
  }) => Promise<WaitingDelivery[]>;
  deliver: (delivery: WaitingDelivery) => Promise<void>;
};

/**
 * Sends what waits in the database, as many at once as is fair. Keeps no list of its own: what is not begun is a
 * pending row, found by the next poll of this process or of another.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const sends = createSendsUnderWay();
  let isAtCapacity = false;
  let isStopped = false;
  const polling = createPolling(poll, deps.log);

  function begin(delivery: WaitingDelivery): void {
    sends.add(delivery);
    void deps
      .deliver(delivery)
      .catch((error: unknown) =>
        deps.log.error({ event: 'webhook_failed', deliveryId: delivery.id, error: describeError(error) }),
      )
      .finally(() => {
        const left = sends.remove(delivery);
        // Something was left waiting for a slot: poll again, though not after every single send.
        if (isAtCapacity && left % SENDS_PER_POLL === 0) polling.wake();
      });
  }

  /** Asks the database once; true where more may be waiting that there is a slot for. */
  async function poll(): Promise<boolean> {
    const full = sends.fullWorkspaces();
    const waiting = await deps.listWaiting({
      limit: POLL_LIMIT,
      limitPerWorkspace: MAX_SENDS_PER_WORKSPACE,
      withoutWorkspaces: full,
      withoutIds: sends.ids(),
    });
    let begun = 0;
    for (const delivery of waiting) {
      if (isStopped || sends.has(delivery) || sends.free(delivery.workspaceId) === 0) continue;
      begin(delivery);
      begun++;
    }
    isAtCapacity = begun < waiting.length || sends.fullWorkspaces().length > 0;
    // Who was full when the database was asked, and left out, may have room again by the time it answered.
    const hasRoomAgain = full.some((workspaceId) => sends.free(workspaceId) > 0);
    return hasRoomAgain || (begun > 0 && waiting.length === POLL_LIMIT);
  }

  /** Resolves when nothing is under way; for tests and for the end of the process. */
  async function idle(): Promise<void> {
    while (polling.current() || sends.count() > 0) {
      await (polling.current() ?? new Promise((resolve) => setImmediate(resolve)));
    }
  }

  return {
    wake: polling.wake,
    idle,

    /** Begins nothing more and waits until what was begun has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      polling.stop();
      await idle();
    },
  };
}

/** The sends of this process, counted for each workspace. */
function createSendsUnderWay() {
  const ids = new Set<string>();
  const countOf = new Map<string, number>();
  const free = (workspaceId: string) =>
    freeSlots({ ofWorkspace: countOf.get(workspaceId) ?? 0, inAll: ids.size });

  return {
    free,
    has: (delivery: WaitingDelivery) => ids.has(delivery.id),
    ids: () => [...ids],
    count: () => ids.size,

    /** Workspaces with sends under way that have no free slot. */
    fullWorkspaces: () => [...countOf.keys()].filter((workspaceId) => free(workspaceId) === 0),

    add(delivery: WaitingDelivery): void {
      ids.add(delivery.id);
      countOf.set(delivery.workspaceId, (countOf.get(delivery.workspaceId) ?? 0) + 1);
    },

    /** Gives back how many sends of its workspace are left. */
    remove(delivery: WaitingDelivery): number {
      ids.delete(delivery.id);
      const left = (countOf.get(delivery.workspaceId) ?? 1) - 1;
      if (left > 0) countOf.set(delivery.workspaceId, left);
      else countOf.delete(delivery.workspaceId);
      return left;
    },
  };
}

/** Polls when woken, one poll after the other, and again for as long as `poll` says that there may be more. */
function createPolling(poll: () => Promise<boolean>, log: Logger) {
  let current: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;

  async function pollWhileWanted(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false;
      if (await poll()) isWanted = true;
    }
  }

  /** Something may be waiting. Cheap to call often: polls are never made side by side. */
  function wake(): void {
    isWanted = true;
    if (current || isStopped) return;
    current = pollWhileWanted()
      .catch((error: unknown) => log.error({ event: 'webhook_poll_failed', error: describeError(error) }))
      .finally(() => {
        current = undefined;
        if (isWanted) wake();
      });
  }

  return {
    wake,
    /** The polling under way, if any. */
    current: () => current,
    stop: () => {
      isStopped = true;
    },
  };
}
