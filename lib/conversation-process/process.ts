import { type ChildProcess, fork, type SendHandle } from 'node:child_process';
import { describeError, type Logger } from '#lib/log.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { AnswerValue, FromProcess, FromProcessList, Lookup, ToldResult, ToProcess } from './protocol.ts';
import { type ConversationClient, ConversationLost, type ConversationOrder } from './host.ts';

/** Pings that may go unanswered before a process counts as stuck. */
const MOST_UNANSWERED = 5;

/** A conversation in a process, as the service sees it. */
type Remote = {
  order: ConversationOrder;
  client: ConversationClient;
  asked: PromiseWithResolvers<void>;
  ended: PromiseWithResolvers<ToldResult>;
};

export type ConversationProcess = ReturnType<typeof startProcess>;

/** Starts one process that runs conversations. `onGone` is called once, when all it said has been heard. */
export function startProcess(options: {
  entry: URL;
  env: NodeJS.ProcessEnv;
  log: Logger;
  onReady(): void;
  onGone(): void;
}) {
  const { log } = options;
  const child = fork(options.entry, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Not those of the service, which may debug or profile itself.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: options.env,
  });
  const remotes = new Map<number, Remote>();
  const lookups = new Map<number, PromiseWithResolvers<Lookup>>();
  let carriers: readonly CarrierKind[] | undefined;
  let lastNumber = 0;
  let unanswered = 0;

  const send = (message: ToProcess, handle?: SendHandle) => {
    // One that is gone hears nothing; `onGone` tells what becomes of its conversations.
    if (child.connected) child.send(message, handle, { keepOpen: false }, () => undefined);
  };

  child.on('message', (list) => {
    for (const message of list as FromProcessList) receive(message);
  });
  child.on('error', (error) =>
    log.error({ event: 'conversation_process_failed', error: describeError(error) }),
  );
  void whenGone(child).then(() => {
    carriers = undefined;
    for (const remote of remotes.values()) lose(remote);
    remotes.clear();
    for (const lookup of lookups.values()) lookup.resolve('unknown');
    options.onGone();
  });

  function lose({ order, asked, ended }: Remote): void {
    const lost = new ConversationLost(order.plan.callId);
    asked.reject(lost);
    ended.reject(lost);
  }

  function receive(message: FromProcess): void {
    switch (message.kind) {
      case 'ready':
        carriers = message.carriers;
        return options.onReady();
      case 'pong':
        unanswered = 0;
        return undefined;
      case 'answer':
        return receiveLookup(message);
      case 'asked':
        return remotes.get(message.call)?.asked.resolve();
      case 'report':
        return remotes.get(message.call)?.client.report(message.report, new Date(message.atMs));
      case 'extend_usage':
        return answer(message, (client) => client.extendUsage(message.totalSeconds));
      case 'search_knowledge':
        return answer(message, (client) => client.searchKnowledge(message.query));
      case 'ended':
        remotes.get(message.call)?.ended.resolve(message.result);
        return undefined;
      case 'broken': {
        const remote = remotes.get(message.call);
        const error = new Error(message.error);
        remote?.asked.reject(error);
        return remote?.ended.reject(error);
      }
    }
  }

  function receiveLookup(message: Extract<FromProcess, { kind: 'answer' }>): void {
    const lookup = lookups.get(message.request);
    lookups.delete(message.request);
    const value = 'value' in message && typeof message.value === 'string' ? message.value : 'unknown';
    lookup?.resolve(value);
  }

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

  return {
    pid: child.pid,
    /** What can carry a call there; undefined until the process is ready, and after its end. */
    carriers: () => carriers,
    callCount: () => remotes.size,
    holds: (callId: string) => [...remotes.values()].some((remote) => remote.order.plan.callId === callId),
    send,

    run(order: ConversationOrder, client: ConversationClient): Pick<Remote, 'asked' | 'ended'> {
      const call = (lastNumber += 1);
      const asked = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<ToldResult>();
      remotes.set(call, { order, client, asked, ended });
      const onClose = () => send({ kind: 'close', call });
      const onFail = () => send({ kind: 'fail', call, reason: describeError(client.failed.reason) });
      client.signal.addEventListener('abort', onClose, { once: true });
      client.failed.addEventListener('abort', onFail, { once: true });
      const forget = () => {
        remotes.delete(call);
        client.signal.removeEventListener('abort', onClose);
        client.failed.removeEventListener('abort', onFail);
      };
      ended.promise.then(forget, forget);
      // Whoever waits for the end hears of it there.
      asked.promise.catch(() => undefined);
      send({ kind: 'run', call, order });
      if (client.signal.aborted) onClose();
      return { asked, ended };
    },

    lookup(carrier: CarrierKind, reference: string): Promise<Lookup> {
      const request = (lastNumber += 1);
      const asked = Promise.withResolvers<Lookup>();
      lookups.set(request, asked);
      send({ kind: 'lookup', request, carrier, reference });
      return asked.promise;
    },

    /** Asks for a sign of life; a process that did not answer the last ones is killed. Called at even intervals. */
    ping(): void {
      if (unanswered >= MOST_UNANSWERED) {
        log.error({ event: 'conversation_process_stuck', pid: child.pid });
        child.kill('SIGKILL');
      }
      unanswered += 1;
      send({ kind: 'ping' });
    },

    kill: () => child.kill('SIGKILL'),
  };
}

/** A process is gone when it has ended and all that it had said was read. */
async function whenGone(child: ChildProcess): Promise<void> {
  const once = (event: 'exit' | 'disconnect') =>
    new Promise<void>((resolve) => {
      child.once(event, () => resolve());
      // One that could not be started never ends.
      child.once('error', () => child.pid === undefined && resolve());
    });
  await Promise.all([once('exit'), once('disconnect')]);
}
