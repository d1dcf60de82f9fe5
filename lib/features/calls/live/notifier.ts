import { describeError } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { MOST_NOTIFICATION_BYTES, sendNotifications } from './notifications.ts';

const CHANNEL = 'callwright_live';
/** Calls bring several changes at once, and a message is a statement: at most so many a second and process. */
const TELL_EVERY_MS = 20;
/** No id has one. */
const SEPARATOR = '\n';

/**
 * Wakes live views as soon as something was written, of this process at once and of others by NOTIFY. Only a hint: the
 * views read the database, so what is lost is seen at their next look.
 */
export function createCallNotifier(deps: Pick<Dependencies, 'db' | 'database' | 'ids' | 'log'>) {
  const waiting = new Map<string, Set<() => void>>();
  const self = deps.ids.next('proc');
  const untold = new Set<string>();
  let telling: NodeJS.Timeout | undefined;

  function wake(topic: string): void {
    const waiters = waiting.get(topic);
    waiting.delete(topic);
    waiters?.forEach((resolve) => resolve());
  }

  /** The embedded database has no other process. */
  function tellOthers(...topics: string[]): void {
    if (deps.database.pglite) return;
    for (const topic of topics) untold.add(topic);
    telling ??= setTimeout(tell, TELL_EVERY_MS).unref();
  }

  function tell(): void {
    telling = undefined;
    const messages = packed(self, untold);
    untold.clear();
    sendNotifications(
      deps.db,
      messages.map((message) => ({ channel: CHANNEL, message })),
    ).catch((error: unknown) => deps.log.warn({ event: 'notify_failed', error: describeError(error) }));
  }

  function hear(message: string): void {
    const [from, ...topics] = message.split(SEPARATOR);
    if (from !== self) topics.forEach(wake);
  }

  return {
    /** Something happened on a call. Call it after the transaction committed. */
    notify(workspaceId: string, callId: string): void {
      wake(callId);
      wake(workspaceId);
      tellOthers(callId, workspaceId);
    },
    /** From now on views of this process are woken by what other processes write. */
    async hearOthers(): Promise<void> {
      await deps.database.listen(CHANNEL, {
        onPayload: hear,
        onListening: () => [...waiting.keys()].forEach(wake),
      });
    },
    /** Resolves at the next notification for a call or a workspace. `cancel` forgets the waiter. */
    waitFor(topic: string): { woken: Promise<void>; cancel: () => void } {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = waiting.get(topic) ?? new Set();
      waiting.set(topic, waiters.add(resolve));
      const cancel = () => {
        waiters.delete(resolve);
        if (waiters.size === 0 && waiting.get(topic) === waiters) waiting.delete(topic);
      };
      return { woken: promise, cancel };
    },
  };
}

/** Who tells, and topics: as many messages as it takes. */
function packed(from: string, topics: ReadonlySet<string>): string[] {
  const messages: string[] = [];
  let message = from;
  for (const topic of topics) {
    if (Buffer.byteLength(message) + 1 + Buffer.byteLength(topic) > MOST_NOTIFICATION_BYTES) {
      messages.push(message);
      message = from;
    }
    message += SEPARATOR + topic;
  }
  return [...messages, message];
}

export type CallNotifier = ReturnType<typeof createCallNotifier>;
