import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CallNotifier } from '#lib/features/calls/live/notifier.ts';
import { describeError } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { type EventScope, findCallStatus, listEventsAfter } from '../repository.ts';
import { BATCH, createCursor, type EventRow } from './cursor.ts';

/** What another process writes is seen after at most this long, should its notification be lost. */
const POLL_MS = 1_000;
/** Whoever is further behind reads the database. */
const MOST_KEPT = 1_000;

/** What is followed: one call, or the state changes of a workspace. `topic` is what the notifier calls it. */
export type Followed = { workspaceId: WorkspaceId; scope: EventScope; topic: string };

type FeedDeps = Pick<Dependencies, 'db' | 'clock' | 'log'> & { notifier: CallNotifier };

/** The newest events of what is followed, read once for all who follow it in this process. */
export type EventFeed = {
  /** At most `BATCH` events after a position, oldest first, as they are stored. */
  after(position: number): Promise<EventRow[]>;
  /** The call has ended and nothing came after it. */
  isOver(): boolean;
  /** Resolves when something comes, or the call is over. `cancel` forgets the waiter. */
  waitForNews(): { woken: Promise<void>; cancel: () => void };
  leave(): void;
};

export function createEventFeeds(deps: FeedDeps) {
  const feeds = new Map<string, { feed: ReturnType<typeof startFeed>; followers: number }>();
  return {
    /** Joins whoever follows the same. The first one decides from where events are kept. */
    join(followed: Followed, from: number): EventFeed {
      const { topic } = followed;
      const joined = feeds.get(topic) ?? { feed: startFeed(deps, followed, from), followers: 0 };
      joined.followers += 1;
      feeds.set(topic, joined);
      return {
        ...joined.feed,
        leave() {
          joined.followers -= 1;
          if (joined.followers > 0) return;
          joined.feed.stop();
          feeds.delete(topic);
        },
      };
    },
  };
}

function startFeed(
  { db, clock, log, notifier }: FeedDeps,
  { workspaceId, scope, topic }: Followed,
  from: number,
) {
  const stopped = new AbortController();
  const waiting = new Set<() => void>();
  const cursor = createCursor(from);
  /** By id, without a gap after `keptAfter`. */
  let kept: EventRow[] = [];
  let keptAfter = from;
  let isOver = false;

  const wakeAll = () => [...waiting].forEach((wake) => wake());
  const read = (position: number) => listEventsAfter(db, workspaceId, scope, position, BATCH);

  function keep(fresh: readonly EventRow[]): void {
    kept = [...kept, ...fresh].toSorted((a, b) => a.id - b.id);
    const dropped = kept.splice(0, kept.length - MOST_KEPT);
    keptAfter = dropped.at(-1)?.id ?? keptAfter;
  }

  /** Whether there may be more. */
  async function look(): Promise<boolean> {
    const rows = await read(cursor.position());
    const fresh = cursor.take(rows, clock.now());
    keep(fresh);
    if (fresh.length === 0 && 'callId' in scope)
      isOver = (await findCallStatus(db, workspaceId, scope.callId)) === 'ended';
    if (fresh.length > 0 || isOver) wakeAll();
    return fresh.length === BATCH;
  }

  async function run({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      const hint = notifier.waitFor(topic);
      const waited = new AbortController();
      try {
        if (await look()) continue;
        const later = clock.sleep(POLL_MS, AbortSignal.any([signal, waited.signal]));
        await Promise.race([hint.woken, later.catch(() => undefined)]);
      } catch (error) {
        // Those who follow wait with us for a database that is away.
        log.warn({ event: 'feed_failed', topic, error: describeError(error) });
        await clock.sleep(POLL_MS, signal).catch(() => undefined);
      } finally {
        waited.abort();
        hint.cancel();
      }
    }
  }
  void run(stopped);

  return {
    stop: () => stopped.abort(),
    isOver: () => isOver,
    async after(position: number): Promise<EventRow[]> {
      if (position < keptAfter) return read(position);
      return kept.slice(kept.findLastIndex(({ id }) => id <= position) + 1).slice(0, BATCH);
    },
    waitForNews() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      return { woken: promise, cancel: () => void waiting.delete(resolve) };
    },
  };
}
