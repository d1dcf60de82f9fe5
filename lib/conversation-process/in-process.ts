import type { Clock } from '#lib/ports/clock.ts';
import type { Journals } from './journal.ts';
import { converse, type Conversations } from './conversations.ts';
import { type ConversationHost, sinksOver } from './host.ts';

/** Runs conversations in this process: for tests, for the demo's calls, and where CONVERSATION_PROCESSES is 0. */
export function createInProcessHost(
  conversations: Conversations,
  { clock, journals }: { clock: Clock; journals: Journals },
): ConversationHost {
  return {
    journals,
    ready: async (signal) => signal.throwIfAborted(),
    has: (carrier) => conversations.carriers.includes(carrier),
    run(order, client) {
      const asked = Promise.withResolvers<void>();
      const result = converse(conversations, order, {
        sinks: sinksOver((report) => client.report(report, clock.now()), client),
        searchKnowledge: client.searchKnowledge,
        signal: client.signal,
        recordingPath: undefined,
        onAsked: asked.resolve,
        onAccepted: () => client.report({ type: 'accepted', reference: order.reference }, clock.now()),
      });
      // Whoever waits for it may wait for something else first.
      result.catch(() => undefined);
      return { asked: asked.promise, result, forget: async () => {} };
    },
    listen: (take) => conversations.listen((carrier) => (call) => take(carrier, call)),
    // Where the caller is gone already, nobody is left to be told.
    decline: (line) => void conversations.decline(line).catch(() => undefined),
    lookup: conversations.lookup,
    handOver: conversations.connect,
    stop: () => conversations.close(),
  };
}
