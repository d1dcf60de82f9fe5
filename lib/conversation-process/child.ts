import type { Socket } from 'node:net';
import type { CallSinks, ConversationResult } from '#lib/engine/plan.ts';
import { describeError, type Logger } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { converse, type Conversations } from './conversations.ts';
import { type CallReport, type ConversationOrder, sinksOver } from './host.ts';
import { createJournalWriter, LEAVE_WITHIN_MS, recordingPath } from './journal.ts';
import type { Answer, AnswerValue, FromProcess, ToldResult, ToProcess } from './protocol.ts';

/** Journals are written and sound is closed in what is left of LEAVE_WITHIN_MS. */
const GOODBYE_MS = LEAVE_WITHIN_MS - 1_000;

type Channel = { send(message: FromProcess): void; sendNow(message: FromProcess): void };
type Running = { closing: AbortController; failing: AbortController; done: Promise<void> };

/**
 * The inside of a process that runs conversations: takes orders from the service over the channel that `fork` opened,
 * tells what happens, and keeps it in journals until the service has stored it. Without the service it says goodbye in its
 * calls, dials nobody any more and ends.
 */
export function serveConversations(options: {
  conversations: Conversations;
  journalFolder: string;
  clock: Clock;
  log: Logger;
}): void {
  const { conversations, clock, log } = options;
  const channel = openChannel();
  const questions = createQuestions(channel);
  const running = new Map<number, Running>();
  let isLeaving = false;

  async function run(call: number, order: ConversationOrder): Promise<void> {
    const { callId } = order.plan;
    const { closing, failing } = prepared(call);
    const journal = createJournalWriter(options.journalFolder, callId, (error) =>
      log.error({ event: 'journal_failed', callId, error: describeError(error) }),
    );
    const report = (what: CallReport) => {
      const atMs = clock.now().getTime();
      journal.append({ kind: 'report', atMs, report: what });
      channel.send({ kind: 'report', call, atMs, report: what });
    };
    const flush = async () => {
      await journal.flush();
      failing.signal.throwIfAborted();
    };
    const sinks: CallSinks = sinksOver(report, {
      flush,
      failed: failing.signal,
      extendUsage: async (totalSeconds) =>
        (await questions.ask((request) => ({ kind: 'extend_usage', call, request, totalSeconds }))) === true,
    });
    try {
      const result = await converse(conversations, order, {
        sinks,
        searchKnowledge: async (query) => {
          const hits = await questions.ask((request) => ({ kind: 'search_knowledge', call, request, query }));
          return Array.isArray(hits) ? hits : [];
        },
        signal: closing.signal,
        recordingPath: recordingPath(options.journalFolder, callId),
        onAsked: () => channel.sendNow({ kind: 'asked', call }),
        onAccepted: () => report({ type: 'accepted', reference: order.reference }),
      });
      const told = await tell(result);
      journal.append({ kind: 'ended', result: told });
      await journal.close();
      channel.send({ kind: 'ended', call, result: told });
    } catch (error) {
      await journal.close();
      channel.send({ kind: 'broken', call, error: describeError(error) });
    }
  }

  const prepared = (call: number) => {
    const found = running.get(call);
    if (!found) throw new Error('a conversation was not registered');
    return found;
  };

  function begin(call: number, order: ConversationOrder): void {
    if (isLeaving) return;
    const entry: Running = {
      closing: new AbortController(),
      failing: new AbortController(),
      done: Promise.resolve(),
    };
    running.set(call, entry);
    entry.done = run(call, order).finally(() => running.delete(call));
  }

  /** Says goodbye in all calls, as long as that may take, and ends the process. */
  async function leave(): Promise<void> {
    if (isLeaving) return;
    isLeaving = true;
    for (const call of running.values()) call.closing.abort(new Error('the service is gone'));
    questions.giveUp();
    const all = Promise.allSettled([...running.values()].map((call) => call.done));
    await Promise.race([all, clock.sleep(GOODBYE_MS)]);
    await conversations.close().catch(() => undefined);
    process.exit(0);
  }

  function handle(message: ToProcess, socket: Socket | undefined): void {
    switch (message.kind) {
      case 'run':
        return begin(message.call, message.order);
      case 'close':
        return running.get(message.call)?.closing.abort(new Error('the call has to end'));
      case 'fail':
        return running.get(message.call)?.failing.abort(new Error(message.reason));
      case 'answer':
        return questions.answer(message);
      case 'ping':
        return channel.sendNow({ kind: 'pong' });
      case 'stop':
        return void leave();
      case 'lookup':
        return void lookUp(message);
      case 'connection':
        return takeConnection(message, socket);
    }
  }

  async function lookUp({ request, carrier, reference }: Extract<ToProcess, { kind: 'lookup' }>) {
    const value = await conversations.lookup(carrier, reference).catch(() => 'unknown' as const);
    channel.send({ kind: 'answer', request, value });
  }

  function takeConnection(
    message: Extract<ToProcess, { kind: 'connection' }>,
    socket: Socket | undefined,
  ): void {
    // The other side may have closed it on the way.
    if (!socket) return;
    const door = conversations.doors[message.door];
    if (!door || isLeaving) return void socket.destroy();
    door(message.params, { request: message.request, socket, head: Buffer.from(message.head) });
  }

  process.on('message', (message, socket) => handle(message as ToProcess, socket as Socket | undefined));
  process.on('disconnect', () => void leave());
  // The terminal and the system signal every process of the service; the service alone says when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  channel.sendNow({ kind: 'ready', carriers: conversations.carriers });
}

/** What one turn of the event loop has to tell goes out as one list. */
function openChannel(): Channel {
  let outbox: FromProcess[] = [];
  const flush = () => {
    if (outbox.length === 0) return;
    const list = outbox;
    outbox = [];
    // Without the service there is nobody to tell; the journals have it.
    if (process.connected) process.send?.(list, undefined, undefined, () => undefined);
  };
  return {
    send(message) {
      outbox.push(message);
      if (outbox.length === 1) setImmediate(flush);
    },
    sendNow(message) {
      outbox.push(message);
      flush();
    },
  };
}

/** Asks the service, which has the database. */
function createQuestions(channel: Channel) {
  const waiting = new Map<number, PromiseWithResolvers<AnswerValue>>();
  let last = 0;
  let isOver = false;
  return {
    async ask(question: (request: number) => FromProcess): Promise<AnswerValue> {
      if (isOver) throw new Error('the service is gone');
      const request = (last += 1);
      const asked = Promise.withResolvers<AnswerValue>();
      waiting.set(request, asked);
      channel.send(question(request));
      return asked.promise;
    },
    answer(answer: Answer): void {
      const asked = waiting.get(answer.request);
      waiting.delete(answer.request);
      if ('error' in answer) asked?.reject(new Error(answer.error));
      else asked?.resolve(answer.value);
    },
    /** Nobody is there to answer any more. */
    giveUp(): void {
      isOver = true;
      for (const { reject } of waiting.values()) reject(new Error('the service is gone'));
      waiting.clear();
    },
  };
}

/** The recording stays where it was written; its other end reads it there. */
async function tell({ recording, ...outcome }: ConversationResult): Promise<ToldResult> {
  for await (const _ of recording?.body ?? []) break;
  return { ...outcome, hasRecording: recording !== null };
}
