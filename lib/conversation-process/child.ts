import type { Socket } from 'node:net';
import type { ConversationResult } from '#lib/engine/plan.ts';
import { createSupervision, type Supervision } from '#lib/engine/supervision.ts';
import { describeError, type Logger } from '#lib/log.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import { createProcessFigures } from '#lib/media/process-figures.ts';
import type { TakeIncoming } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { refuseUpgrade } from '#lib/web-connection.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import { type Channel, openChannel } from './channel.ts';
import { converse, type Conversations } from './conversations.ts';
import { sinksOver } from './host.ts';
import { createJournalWriter, LEAVE_WITHIN_MS, recordingPath } from './journal.ts';
import type { CallReport, ConversationOrder, ToldResult, ToProcess } from './protocol.ts';

/** Journals are written and sound is closed in what is left of LEAVE_WITHIN_MS. */
const GOODBYE_MS = LEAVE_WITHIN_MS - 1_000;

type Served = { conversations: Conversations; journalFolder: string; clock: Clock; log: Logger };
type Running = {
  closing: AbortController;
  failing: AbortController;
  supervision: Supervision;
  done: Promise<void>;
};

/**
 * The inside of a process that runs conversations: takes orders from the service over the channel that `fork` opened,
 * tells what happens, and keeps it in journals until the service has stored it. Without the service it says goodbye in its
 * calls, dials nobody any more and ends.
 */
export function serveConversations(served: Served): void {
  const { conversations, clock } = served;
  const channel = openChannel();
  const running = new Map<number, Running>();
  const arrivals = createArrivals(channel);
  const takeFigures = createProcessFigures();
  let isLeaving = false;

  function begin(call: number, order: ConversationOrder): void {
    if (isLeaving) return;
    const supervision = createSupervision({
      words: (words) => channel.sendLive({ kind: 'words', call, words }),
      sound: (sound) => channel.sendLive({ kind: 'sound', call, sound }),
    });
    const parts = { closing: new AbortController(), failing: new AbortController(), supervision };
    const done = runOne(served, channel, { call, order, ...parts }).finally(() => running.delete(call));
    running.set(call, { ...parts, done });
  }

  /** Says goodbye in all calls, as long as that may take, and ends the process. */
  async function leave(): Promise<void> {
    if (isLeaving) return;
    isLeaving = true;
    for (const call of running.values()) call.closing.abort(new Error('the service is gone'));
    channel.giveUp();
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
      case 'order':
        return running.get(message.call)?.supervision.order(message.order);
      case 'want':
        return running.get(message.call)?.supervision.want(message.wanted);
      case 'answer':
        return channel.answered(message);
      case 'ping':
        return channel.sendNow({ kind: 'pong', figures: takeFigures() });
      case 'stop':
        return void leave();
      case 'decline':
        return void conversations.decline(message.line).catch(() => undefined);
      case 'listen':
        return void listen(served, channel);
      case 'lookup':
        return void lookUp(served, channel, message);
      case 'news':
        return void hearNews(served, channel, message);
      case 'socket':
        return isLeaving ? void socket?.destroy() : socket && arrivals.add(message.request, socket);
      case 'has_socket':
        return arrivals.refuseMissing(message.request);
      case 'connection':
        return takeConnection(served, message, arrivals.take());
    }
  }

  process.on('message', (message, socket) => handle(message as ToProcess, socket as Socket | undefined));
  process.on('disconnect', () => void leave());
  ignoreSignals();
  // Of a service that died meanwhile no event comes any more.
  if (!process.connected) void leave();
  channel.sendNow({ kind: 'ready', carriers: conversations.carriers });
}

/** The socket that comes before its connection is named; there is one at a time. */
function createArrivals(channel: Pick<Channel, 'sendNow'>) {
  let arrived: { request: number; socket: Socket } | undefined;
  return {
    add(request: number, socket: Socket): void {
      // Without a listener an error would end the process.
      socket.on('error', () => undefined);
      arrived = { request, socket };
      channel.sendNow({ kind: 'answer', request, value: true });
    },
    refuseMissing(request: number): void {
      if (arrived?.request !== request) channel.sendNow({ kind: 'answer', request, value: false });
    },
    take(): Socket | undefined {
      const socket = arrived?.socket;
      arrived = undefined;
      return socket;
    },
  };
}

function takeConnection(
  { conversations, log }: Served,
  { carrier, callId, request, head }: Extract<ToProcess, { kind: 'connection' }>,
  socket: Socket | undefined,
): void {
  if (!socket) return;
  conversations
    .connect(carrier, callId, { request, socket, head: Buffer.from(head) })
    .catch((error: unknown) => {
      log.warn({ event: 'connection_refused', callId, error: describeError(error) });
      // After the handshake an answer would be no frame.
      if (socket.bytesWritten > 0) socket.destroy();
      else refuseUpgrade(socket, 404);
    });
}

/** The terminal and the system signal every process of the service; the service alone says when this one ends. */
function ignoreSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
}

/** Runs a conversation to its end. Never rejects: how it ended, or that it broke, is told. */
async function runOne(
  { conversations, journalFolder, clock, log }: Served,
  channel: Channel,
  {
    call,
    order,
    closing,
    failing,
    supervision,
  }: Omit<Running, 'done'> & { call: number; order: ConversationOrder },
): Promise<void> {
  const { callId } = order.plan;
  const journal = createJournalWriter(journalFolder, callId, (error) =>
    log.error({ event: 'journal_failed', callId, error: describeError(error) }),
  );
  const report = (what: CallReport) => {
    const atMs = clock.now().getTime();
    journal.append({ kind: 'report', atMs, report: what });
    channel.send({ kind: 'report', call, atMs, report: what });
    passFaultPoint('conversation.told');
  };
  const sinks = sinksOver(report, {
    // What is in the journal outlives this process; the service stores it in its own time.
    async flush() {
      await journal.flush();
      passFaultPoint('conversation.flushed');
      failing.signal.throwIfAborted();
    },
    failed: failing.signal,
    extendUsage: async (totalSeconds) =>
      (await channel.ask((request) => ({ kind: 'extend_usage', call, request, totalSeconds }))) === true,
  });
  passFaultPoint('conversation.begun');
  try {
    const result = await converse(conversations, order, {
      sinks,
      async searchKnowledge(query) {
        const hits = await channel.ask((request) => ({ kind: 'search_knowledge', call, request, query }));
        return Array.isArray(hits) ? hits : [];
      },
      async useWorkspaceTool(use) {
        const used = await channel.ask((request) => ({ kind: 'use_workspace_tool', call, request, use }));
        if (typeof used === 'object' && 'result' in used) return used.result;
        throw new Error('The service did not use the tool');
      },
      async beginTransfer(to) {
        const begun = await channel.ask((request) => ({ kind: 'begin_transfer', call, request, to }));
        return typeof begun === 'object' && 'reference' in begun ? begun.reference : undefined;
      },
      signal: closing.signal,
      supervision,
      recordingPath: recordingPath(journalFolder, callId),
      onAsked() {
        channel.sendNow({ kind: 'asked', call });
        passFaultPoint('conversation.asked');
      },
      onAccepted() {
        report({ type: 'accepted', reference: order.reference });
        passFaultPoint('conversation.accepted');
      },
    });
    const told = await withoutRecording(result);
    journal.append({ kind: 'ended', result: told });
    await journal.close();
    passFaultPoint('conversation.closing');
    channel.send({ kind: 'ended', call, result: told });
  } catch (error) {
    await journal.close();
    channel.send({ kind: 'broken', call, error: describeError(error) });
  }
}

/** Lets carriers bring calls; whether one may come in, the service knows. */
async function listen({ conversations, log }: Served, channel: Channel): Promise<void> {
  const takeFrom =
    (carrier: CarrierKind): TakeIncoming =>
    async (incoming) => {
      const answer = await channel
        .ask((request) => ({ kind: 'incoming', request, carrier, incoming }))
        .catch(() => undefined);
      return typeof answer === 'object' && 'ok' in answer ? answer : { ok: false, reason: 'failed' };
    };
  await conversations
    .listen(takeFrom, (carrier, state) => channel.sendNow({ kind: 'carrier_state', carrier, state }))
    .catch((error: unknown) => log.error({ event: 'listening_failed', error: describeError(error) }));
}

async function lookUp(
  { conversations }: Served,
  channel: Channel,
  { request, carrier, reference, placed }: Extract<ToProcess, { kind: 'lookup' }>,
): Promise<void> {
  const value = await conversations.lookup(carrier, reference, placed).catch(() => 'unknown' as const);
  channel.send({ kind: 'answer', request, value });
}

async function hearNews(
  { conversations, log }: Served,
  channel: Channel,
  { request, carrier, reference, news }: Extract<ToProcess, { kind: 'news' }>,
): Promise<void> {
  const reply = await conversations.tell(carrier, reference, news).catch((error: unknown) => {
    log.error({ event: 'carrier_news_failed', reference, error: describeError(error) });
    return undefined;
  });
  // Whoever called waits for the answer.
  channel.sendNow({ kind: 'answer', request, value: { reply } });
}

/** The recording stays where it was written; the service reads it there. */
async function withoutRecording({ recording, ...outcome }: ConversationResult): Promise<ToldResult> {
  for await (const _ of recording?.body ?? []) break;
  return { ...outcome, hasRecording: recording !== null };
}
