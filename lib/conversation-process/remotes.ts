import { describeError } from '#lib/log.ts';
import { type ConversationClient, ConversationLost } from './host.ts';
import { type CallSupervisor, createWatchers, type Watchers } from './watchers.ts';
import type { AnswerValue, ConversationOrder, FromProcess, ToldResult, ToProcess } from './protocol.ts';

/** A conversation in another process, as the service sees it. */
type Remote = {
  order: ConversationOrder;
  client: ConversationClient;
  asked: PromiseWithResolvers<void>;
  ended: PromiseWithResolvers<ToldResult>;
  /** What carriers know the lines of the call by: its own, and those of whom it is handed to. */
  lines: Set<string>;
  watchers: Watchers;
  supervisor: CallSupervisor;
};

function fail({ asked, ended }: Remote, error: Error): void {
  asked.reject(error);
  ended.reject(error);
}

export type AboutCall = Extract<FromProcess, { call: number }>;
export type Remotes = ReturnType<typeof createRemotes>;

/** The conversations of one process: orders go to it by `send`, and what it tells of them comes in by `receive`. */
export function createRemotes(send: (message: ToProcess) => void) {
  const remotes = new Map<number, Remote>();
  let lastCall = 0;

  function answer(
    { call, request }: { call: number; request: number },
    ask: (client: ConversationClient) => Promise<AnswerValue>,
  ): void {
    const client = remotes.get(call)?.client;
    if (!client) return send({ kind: 'answer', request, error: 'the call is over' });
    ask(client).then(
      (value) => send({ kind: 'answer', request, value }),
      (error: unknown) => send({ kind: 'answer', request, error: describeError(error) }),
    );
  }

  function supervise(call: number): Pick<Remote, 'watchers' | 'supervisor'> {
    const watchers = createWatchers((wanted) => send({ kind: 'want', call, wanted }));
    const order: CallSupervisor['order'] = (given) => send({ kind: 'order', call, order: given });
    return { watchers, supervisor: { order, watch: watchers.watch } };
  }

  return {
    count: () => remotes.size,
    holdsLine: (reference: string) => [...remotes.values()].some((remote) => remote.lines.has(reference)),
    holds: (callId: string) => [...remotes.values()].some((remote) => remote.order.plan.callId === callId),

    /** People's hold on one of the calls. */
    supervisor: (callId: string): CallSupervisor | undefined =>
      [...remotes.values()].find((remote) => remote.order.plan.callId === callId)?.supervisor,

    run(order: ConversationOrder, client: ConversationClient): Pick<Remote, 'asked' | 'ended'> {
      const call = (lastCall += 1);
      const asked = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<ToldResult>();
      const onClose = () => send({ kind: 'close', call });
      const onFail = () => send({ kind: 'fail', call, reason: describeError(client.failed.reason) });
      client.signal.addEventListener('abort', onClose, { once: true });
      client.failed.addEventListener('abort', onFail, { once: true });
      const supervised = supervise(call);
      const forget = () => {
        remotes.delete(call);
        supervised.watchers.end();
        client.signal.removeEventListener('abort', onClose);
        client.failed.removeEventListener('abort', onFail);
      };
      ended.promise.then(forget, forget);
      // Whoever waits for the end hears of it there.
      asked.promise.catch(() => undefined);
      const lines = new Set([order.reference]);
      remotes.set(call, { order, client, asked, ended, lines, ...supervised });
      send({ kind: 'run', call, order });
      if (client.signal.aborted) onClose();
      return { asked, ended };
    },

    receive(message: AboutCall): void {
      const remote = remotes.get(message.call);
      switch (message.kind) {
        case 'asked':
          return remote?.asked.resolve();
        case 'report':
          return remote?.client.report(message.report, new Date(message.atMs));
        case 'words':
          return remote?.watchers.words(message.words);
        case 'sound':
          return remote?.watchers.sound(message.sound);
        case 'extend_usage':
          return answer(message, (client) => client.extendUsage(message.totalSeconds));
        case 'search_knowledge':
          return answer(message, (client) => client.searchKnowledge(message.query));
        case 'use_workspace_tool':
          return answer(message, async (client) => ({ result: await client.useWorkspaceTool(message.use) }));
        case 'begin_transfer':
          return answer(message, async (client) => {
            const reference = await client.beginTransfer(message.to);
            if (reference !== undefined) remote?.lines.add(reference);
            return { reference };
          });
        case 'ended':
          return remote?.ended.resolve(message.result);
        case 'broken':
          return remote && fail(remote, new Error(message.error));
      }
    },

    /** The process is gone, and all that it had told was received. */
    loseAll(): void {
      for (const remote of remotes.values()) fail(remote, new ConversationLost(remote.order.plan.callId));
    },
  };
}
