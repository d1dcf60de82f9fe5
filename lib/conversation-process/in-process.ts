import type { Clock } from '#lib/ports/clock.ts';
import type { Journals } from './journal.ts';
import { converse, type Conversations } from './conversations.ts';
import { createSupervision } from '#lib/engine/supervision.ts';
import { type ConversationHost, sinksOver } from './host.ts';
import { type CallSupervisor, createWatchers } from './watchers.ts';

/** Runs conversations in this process: for tests, for the demo's calls, and where CONVERSATION_PROCESSES is 0. */
export function createInProcessHost(
  conversations: Conversations,
  { clock, journals }: { clock: Clock; journals: Journals },
): ConversationHost {
  const running = new Map<string, CallSupervisor>();

  function supervise(callId: string) {
    const watchers = createWatchers((wanted) => supervision.want(wanted));
    const supervision = createSupervision(watchers);
    running.set(callId, { order: supervision.order, watch: watchers.watch });
    const end = () => {
      running.delete(callId);
      watchers.end();
    };
    return { supervision, end };
  }

  return {
    journals,
    ready: async (signal) => signal.throwIfAborted(),
    has: (carrier) => conversations.carriers.includes(carrier),
    run(order, client) {
      const asked = Promise.withResolvers<void>();
      const { supervision, end } = supervise(order.plan.callId);
      const result = converse(conversations, order, {
        sinks: sinksOver((report) => client.report(report, clock.now()), client),
        searchKnowledge: client.searchKnowledge,
        useWorkspaceTool: client.useWorkspaceTool,
        beginTransfer: client.beginTransfer,
        signal: client.signal,
        supervision,
        recordingPath: undefined,
        onAsked: asked.resolve,
        onAccepted: () => client.report({ type: 'accepted', reference: order.reference }, clock.now()),
      });
      // Whoever waits for it may wait for something else first.
      result.catch(() => undefined).finally(end);
      return { asked: asked.promise, result, forget: async () => {} };
    },
    listen: (take, onState) => conversations.listen((carrier) => (call) => take(carrier, call), onState),
    supervisor: (callId) => running.get(callId),
    // Where the caller is gone already, nobody is left to be told.
    decline: (line) => void conversations.decline(line).catch(() => undefined),
    lookup: conversations.lookup,
    tell: conversations.tell,
    handOver: conversations.connect,
    handOverLine: conversations.connect,
    // Its carrier keeps what comes before the order.
    expectLine: () => () => {},
    stop: () => conversations.close(),
  };
}
