import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { ConversationHost } from '#lib/conversation-process/host.ts';
import { type CallSupervisor, createWatchers, type Watchers } from '#lib/conversation-process/watchers.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { keepRenewing } from '#lib/heartbeat.ts';
import { describeError } from '#lib/log.ts';
import { readWatchNews, watchChannel } from '../live/watch-messages.ts';
import { findCall } from '../repository.ts';
import { endWatch, keepWatches, listOver } from './repository.ts';

const RENEW_EVERY_MS = 2_000;
/** After which the other process stops telling one that is gone without a word. */
const WATCH_MS = 6_000;

export type CallWatching = ReturnType<typeof createCallWatching>;

/** A call of another process that people of this one follow. */
type Followed = { workspaceId: WorkspaceId; watchers: Watchers; hasSound: boolean };

/**
 * Follows calls in progress wherever they run. Of a call of another process this one asks by a row of `call_watches`, and
 * hears by notifications (docs/decisions/0286). `isHeldHere`: the call is this process's own.
 */
export function createCallWatching(
  deps: Pick<Dependencies, 'db' | 'database' | 'clock' | 'ids' | 'log'> & {
    conversationHost: Pick<ConversationHost, 'supervisor'>;
    isHeldHere(callId: string): boolean;
  },
) {
  const { db, database, clock, log } = deps;
  const self = deps.ids.next('proc');
  const followed = new Map<string, Followed>();
  let hearing: Promise<void> | undefined;
  let renewing: AbortController | undefined;
  /** One statement about watches at a time, so that the last one of a call is the one that counts. */
  let writing: Promise<void> = Promise.resolve();

  function hear(text: string): void {
    const { callId, news } = readWatchNews(text);
    const watchers = followed.get(callId)?.watchers;
    if (news.kind === 'words') watchers?.words(news.words);
    else if (news.kind === 'sound') watchers?.sound(news.sound);
    else end(callId);
  }

  function end(callId: string): void {
    const call = followed.get(callId);
    if (!call) return;
    forget(callId, call);
    call.watchers.end();
  }

  function forget(callId: string, { workspaceId }: Followed): void {
    followed.delete(callId);
    if (followed.size === 0) renewing?.abort();
    write(() => endWatch(db, workspaceId, { callId, process: self }));
  }

  function write(statement: () => Promise<void>): void {
    writing = writing
      .then(statement)
      .catch((error: unknown) => log.warn({ event: 'watch_failed', error: describeError(error) }));
  }

  /** The rows last, as the others begin to tell then. */
  function renew(): void {
    hearing ??= database
      .listen(watchChannel(self), { onPayload: hear, onListening: () => undefined })
      .catch((error: unknown) => {
        hearing = undefined;
        throw error;
      });
    write(async () => {
      await hearing;
      const watches = [...followed].map(([callId, { workspaceId, hasSound }]) => ({
        callId,
        workspaceId,
        hasSound,
      }));
      await keepWatches(db, watches, { process: self, forMs: WATCH_MS });
    });
  }

  /** A process that died tells nobody that its calls are over. */
  async function look(): Promise<void> {
    for (const callId of await listOver(db, [...followed.keys()])) end(callId);
    if (followed.size > 0) renew();
  }

  function keepLooking(): void {
    if (renewing && !renewing.signal.aborted) return;
    renewing = new AbortController();
    void keepRenewing(renewing.signal, {
      clock,
      everyMs: RENEW_EVERY_MS,
      renew: look,
      onError: (error) => log.warn({ event: 'watch_failed', error: describeError(error) }),
    });
  }

  function follow(workspaceId: WorkspaceId, callId: string): Followed {
    const known = followed.get(callId);
    if (known) return known;
    const watchers = createWatchers(({ words, sound }) => {
      if (!words && !sound) return forget(callId, call);
      call.hasSound = sound;
      followed.set(callId, call);
      keepLooking();
      return renew();
    });
    const call: Followed = { workspaceId, watchers, hasSound: false };
    return call;
  }

  return {
    /** A call that is run now, by this process or by another one; undefined where none has begun to. Throws 403 and 404. */
    async find(workspaceId: WorkspaceId, callId: string): Promise<Pick<CallSupervisor, 'watch'> | undefined> {
      const here = deps.conversationHost.supervisor(callId);
      // The embedded database has no other process.
      if (here || database.pglite || deps.isHeldHere(callId)) return here;
      const { leaseOwner, status } = await findCall(db, workspaceId, callId);
      if (leaseOwner === null || status === 'ended') return undefined;
      return { watch: (watcher) => follow(workspaceId, callId).watchers.watch(watcher) };
    },
    stop: () => renewing?.abort(),
  };
}
