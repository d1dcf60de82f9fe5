import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import pLimit from 'p-limit';
import { AppError } from '#lib/errors.ts';
import { describeError, type Logger } from '#lib/log.ts';
import type { Metrics } from '#lib/ports/metrics.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { CarrierNews, IncomingAnswer, IncomingCall, PlacedCall } from '#lib/ports/carrier.ts';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import type { HearCarrierState } from './conversations.ts';
import { createRemotes } from './remotes.ts';
import type { Answer, AnswerValue, FromProcess, FromProcessList, Lookup, ToProcess } from './protocol.ts';

/**
 * Pings that may go unanswered before a process counts as stuck. One that still loads its code answers none, for tens of
 * seconds where the machine is busy; one that goes last may have to wait for its turn.
 */
const MOST_UNANSWERED = { starting: 20, usual: 5, last: 20 };

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
  metrics: Pick<Metrics, 'conversationProcess'>;
  /** Every other process goes first. */
  goesLast?: boolean;
  onReady(): void;
  /** Somebody calls in, on a carrier of the process. Never rejects. */
  onIncoming(carrier: CarrierKind, call: IncomingCall): Promise<IncomingAnswer>;
  onCarrierState: HearCarrierState;
  onGone(lostCalls: number): void;
};

/** Starts one process that runs conversations. `onGone` is called once, when all that it said has been heard. */
export function startProcess(options: StartOptions) {
  const { log } = options;
  const child = forkProcess(options);
  const send = (message: ToProcess, socket?: Socket) => {
    // One that is gone hears nothing; `onGone` tells what becomes of its conversations.
    if (!child.connected) return;
    child.send(message, socket, { keepOpen: true }, (error) => {
      if (error)
        log.warn({ event: 'message_not_sent', kind: message.kind, pid: child.pid, error: error.message });
    });
  };
  const remotes = createRemotes(send);
  const questions = createQuestions(send);
  let carriers: readonly CarrierKind[] | undefined;
  const mostUnanswered = () => MOST_UNANSWERED[!carriers ? 'starting' : options.goesLast ? 'last' : 'usual'];
  const pinger = createPinger(send, mostUnanswered, () => {
    log.error({ event: 'conversation_process_stuck', pid: child.pid });
    child.kill('SIGKILL');
  });

  function receive(message: FromProcess): void {
    if ('call' in message) return remotes.receive(message);
    switch (message.kind) {
      case 'ready':
        carriers = message.carriers;
        pinger.answered();
        return options.onReady();
      case 'pong':
        options.metrics.conversationProcess(message.figures);
        return pinger.answered();
      case 'carrier_state':
        return options.onCarrierState(message.carrier, message.state);
      case 'answer':
        return questions.answered(message);
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
    questions.giveUp();
    options.onGone(lostCalls);
  });

  return {
    pid: child.pid,
    /** What can carry a call there; undefined until the process is ready, and after its end. */
    carriers: () => carriers,
    callCount: remotes.count,
    holds: remotes.holds,
    supervisor: remotes.supervisor,
    holdsLine: remotes.holdsLine,
    run: remotes.run,
    /** What became of a call, as the carriers of the process see it. */
    async lookup(carrier: CarrierKind, reference: string, placed?: PlacedCall): Promise<Lookup> {
      const found = await questions.ask((request) => ({
        kind: 'lookup',
        request,
        carrier,
        reference,
        placed,
      }));
      return typeof found === 'string' ? found : 'unknown';
    },
    /** What the process answers to news of a call; undefined where it is none of its calls. */
    async tell(carrier: CarrierKind, reference: string, news: CarrierNews): Promise<string | undefined> {
      const told = await questions.ask((request) => ({ kind: 'news', request, carrier, reference, news }));
      return typeof told === 'object' && 'reply' in told ? told.reply : undefined;
    },
    handOver: createHandOver(send, questions),
    send,
    ping: pinger.ping,
    kill: () => child.kill('SIGKILL'),
  };
}

type HandedOver = { carrier: CarrierKind; callId: string; connection: WebConnection };

/**
 * Gives connections to a process. The socket stays ours until the process says that it has it: one that may open no more
 * files gets the message without it, and the far end can still be refused. One after the other, as Node sends one socket at
 * a time, and what is sent meanwhile waits behind all of those that were handed to it.
 */
function createHandOver(
  send: (message: ToProcess, socket?: Socket) => void,
  questions: ReturnType<typeof createQuestions>,
) {
  const oneAtATime = pLimit(1);
  return ({ carrier, callId, connection }: HandedOver): Promise<void> =>
    oneAtATime(async () => {
      const { socket, head } = connection;
      if (!(socket instanceof Socket)) throw new Error('only a plain connection can be handed over');
      if (socket.destroyed) throw new AppError('NOT_READY', 'The far end closed the connection before');
      const handed = await questions.ask((request) => {
        send({ kind: 'socket', request }, socket);
        return { kind: 'has_socket', request };
      });
      if (handed !== true)
        throw new AppError('NOT_READY', 'The connection did not reach the process of its call', {
          retryAfterSeconds: 1,
        });
      // What came since the request was read lies in this process, and would be lost with the socket.
      const buffered: unknown = socket.read();
      const all = Buffer.isBuffer(buffered) ? Buffer.concat([head, buffered]) : head;
      socket.destroy();
      send({ kind: 'connection', carrier, callId, request: connection.request, head: all });
    });
}

/** Asks for a sign of life, at even intervals; `onStuck` where the last ones brought none. */
function createPinger(send: (message: ToProcess) => void, mostUnanswered: () => number, onStuck: () => void) {
  let unanswered = 0;
  return {
    ping(): void {
      if (unanswered >= mostUnanswered()) onStuck();
      unanswered += 1;
      send({ kind: 'ping' });
    },
    answered(): void {
      unanswered = 0;
    },
  };
}

/** Asks a process; undefined where it is gone, or could not answer. */
function createQuestions(send: (message: ToProcess) => void) {
  const waiting = new Map<number, (found: AnswerValue | undefined) => void>();
  let lastRequest = 0;
  let isGone = false;
  return {
    async ask(question: (request: number) => ToProcess): Promise<AnswerValue | undefined> {
      if (isGone) return undefined;
      const request = (lastRequest += 1);
      return new Promise((resolve) => {
        waiting.set(request, resolve);
        send(question(request));
      });
    },
    answered(answer: Answer): void {
      waiting.get(answer.request)?.('value' in answer ? answer.value : undefined);
      waiting.delete(answer.request);
    },
    giveUp(): void {
      isGone = true;
      for (const resolve of waiting.values()) resolve(undefined);
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
