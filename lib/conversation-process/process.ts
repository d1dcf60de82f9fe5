import { type ChildProcess, fork, type SendHandle } from 'node:child_process';
import { describeError, type Logger } from '#lib/log.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { IncomingAnswer, IncomingCall } from '#lib/ports/carrier.ts';
import { createRemotes } from './remotes.ts';
import type { Answer, FromProcess, FromProcessList, Lookup, ToProcess } from './protocol.ts';

/** Pings that may go unanswered before a process counts as stuck. */
const MOST_UNANSWERED = 5;

function forkProcess({ entry, env }: { entry: URL; env: NodeJS.ProcessEnv }): ChildProcess {
  return fork(entry, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Not those of the service, which may debug or profile itself.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env,
  });
}

export type ConversationProcess = ReturnType<typeof startProcess>;

export type StartOptions = {
  entry: URL;
  env: NodeJS.ProcessEnv;
  log: Logger;
  onReady(): void;
  /** Somebody calls in, on a carrier of the process. Never rejects. */
  onIncoming(carrier: CarrierKind, call: IncomingCall): Promise<IncomingAnswer>;
  onGone(lostCalls: number): void;
};

/** Starts one process that runs conversations. `onGone` is called once, when all that it said has been heard. */
export function startProcess(options: StartOptions) {
  const { log } = options;
  const child = forkProcess(options);
  const send = (message: ToProcess, handle?: SendHandle) => {
    // One that is gone hears nothing; `onGone` tells what becomes of its conversations.
    if (child.connected) child.send(message, handle, { keepOpen: false }, () => undefined);
  };
  const remotes = createRemotes(send);
  const lookups = createLookups(send);
  const pinger = createPinger(send, () => {
    log.error({ event: 'conversation_process_stuck', pid: child.pid });
    child.kill('SIGKILL');
  });
  let carriers: readonly CarrierKind[] | undefined;

  function receive(message: FromProcess): void {
    if ('call' in message) return remotes.receive(message);
    switch (message.kind) {
      case 'ready':
        carriers = message.carriers;
        return options.onReady();
      case 'pong':
        return pinger.answered();
      case 'answer':
        return lookups.answered(message);
      case 'incoming':
        return void options
          .onIncoming(message.carrier, message.incoming)
          .then((value) => send({ kind: 'answer', request: message.request, value }));
    }
  }

  child.on('message', (list) => {
    for (const message of list as FromProcessList) receive(message);
  });
  child.on('error', (error) =>
    log.error({ event: 'conversation_process_failed', error: describeError(error) }),
  );
  void whenGone(child).then(() => {
    carriers = undefined;
    const lostCalls = remotes.count();
    remotes.loseAll();
    lookups.giveUp();
    options.onGone(lostCalls);
  });

  return {
    pid: child.pid,
    /** What can carry a call there; undefined until the process is ready, and after its end. */
    carriers: () => carriers,
    callCount: remotes.count,
    holds: remotes.holds,
    supervisor: remotes.supervisor,
    run: remotes.run,
    lookup: lookups.ask,
    send,

    ping: pinger.ping,
    kill: () => child.kill('SIGKILL'),
  };
}

/** Asks for a sign of life, at even intervals; `onStuck` where the last ones brought none. */
function createPinger(send: (message: ToProcess) => void, onStuck: () => void) {
  let unanswered = 0;
  return {
    ping(): void {
      if (unanswered >= MOST_UNANSWERED) onStuck();
      unanswered += 1;
      send({ kind: 'ping' });
    },
    answered(): void {
      unanswered = 0;
    },
  };
}

/** Asks the carriers of a process what became of a call. */
function createLookups(send: (message: ToProcess) => void) {
  const waiting = new Map<number, (found: Lookup) => void>();
  let lastRequest = 0;
  return {
    ask(carrier: CarrierKind, reference: string): Promise<Lookup> {
      const request = (lastRequest += 1);
      return new Promise((resolve) => {
        waiting.set(request, resolve);
        send({ kind: 'lookup', request, carrier, reference });
      });
    },
    answered(answer: Answer): void {
      const found = 'value' in answer && typeof answer.value === 'string' ? answer.value : 'unknown';
      waiting.get(answer.request)?.(found);
      waiting.delete(answer.request);
    },
    giveUp(): void {
      for (const resolve of waiting.values()) resolve('unknown');
      waiting.clear();
    },
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
