import type { Socket } from 'node:net';
import type { ConversationResult } from '#lib/engine/plan.ts';
import { keepRenewing } from '#lib/heartbeat.ts';
import type { Logger } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { type ConversationHost, ConversationLost } from './host.ts';
import { type Journals, makeJournalFolder, openJournals } from './journal.ts';
import { type ConversationProcess, startProcess } from './process.ts';
import type { ConnectionRequest, ToldResult } from './protocol.ts';

const PING_EVERY_MS = 2_000;
/** A process that fails at once is started again later and later. */
const FIRST_RESTART_MS = 100;
const LAST_RESTART_MS = 30_000;
/** After so long a process counts as one that works. */
const WORKS_AFTER_MS = 60_000;
const STOP_WITHIN_MS = 3_000;

/** Names that a process without a database has no use for: addresses, secrets and the roles that need them. */
const KEPT_FROM_PROCESSES = ['DATABASE_URL', 'AUTH_SECRET', 'PROVISION_FILE', 'ROLE'];

type Slot = { process: ConversationProcess | undefined; failures: number };

/** A connection on its way to the process in which its call lives. */
export type HandedConnection = {
  /** Which door of that process takes it. */
  door: string;
  /** What the door has to know; it can be cloned. */
  params: unknown;
  /** The call that it belongs to, where there is one already. */
  callId?: string;
  request: ConnectionRequest;
  socket: Socket;
  head: Buffer;
};

export type ConversationProcesses = ConversationHost & {
  journals: Journals;
  /**
   * Hands an upgraded connection with all that came on it to the process of its call, or to the one with the fewest calls.
   * False, with the socket as it was, where no process is there.
   */
  handOver(connection: HandedConnection): boolean;
  /** Of the processes that take conversations now. */
  pids(): number[];
};

/**
 * Runs conversations in `count` processes of their own, so that nothing the service does is in the way of a frame of sound
 * (docs/decisions/0170). A process that dies is started again; its calls are lost to it and closed by recovery.
 */
export function createConversationProcesses(options: {
  count: number;
  entry: URL;
  env: NodeJS.ProcessEnv;
  /** Where they keep what is not stored yet. */
  journalFolder: string;
  clock: Clock;
  log: Logger;
}): ConversationProcesses {
  const { clock, log, journalFolder } = options;
  const slots: Slot[] = Array.from({ length: options.count }, () => ({ process: undefined, failures: 0 }));
  const stopping = new AbortController();
  let starting: Promise<void> | undefined;
  let becameReady = Promise.withResolvers<void>();

  const processes = () => slots.flatMap((slot) => slot.process ?? []);
  const readyProcesses = () => processes().filter((each) => each.carriers());
  const freest = () => readyProcesses().toSorted((a, b) => a.callCount() - b.callCount())[0];
  const journals = openJournals(journalFolder, {
    clock,
    isOwn: (pid) => processes().some((each) => each.pid === pid),
  });

  /** With the first call, as a process that only serves pages needs none. */
  function start(): Promise<void> {
    starting ??= makeJournalFolder(journalFolder).then(() => {
      slots.forEach(fill);
      void keepRenewing(stopping.signal, {
        clock,
        everyMs: PING_EVERY_MS,
        renew: async () => processes().forEach((each) => each.ping()),
        onError: () => undefined,
      });
    });
    return starting;
  }

  function fill(slot: Slot): void {
    const startedAt = clock.now().getTime();
    slot.process = startProcess({
      ...options,
      env: withoutSecrets(options.env),
      onReady() {
        becameReady.resolve();
        becameReady = Promise.withResolvers();
      },
      onGone() {
        const lost = slot.process?.callCount() ?? 0;
        slot.process = undefined;
        if (stopping.signal.aborted) return;
        slot.failures = clock.now().getTime() - startedAt >= WORKS_AFTER_MS ? 0 : slot.failures + 1;
        const againInMs = Math.min(LAST_RESTART_MS, FIRST_RESTART_MS * 2 ** (slot.failures - 1));
        log.error({ event: 'conversation_process_died', calls: lost, againInMs });
        clock.sleep(againInMs, stopping.signal).then(
          () => fill(slot),
          () => undefined,
        );
      },
    });
  }

  async function resultOf(
    { hasRecording, ...outcome }: ToldResult,
    callId: string,
  ): Promise<ConversationResult> {
    const recording = hasRecording ? await journals.recording(callId, outcome.durationMs) : null;
    return { ...outcome, recording };
  }

  async function ready(signal: AbortSignal): Promise<void> {
    await start();
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    aborted.catch(() => undefined);
    signal.throwIfAborted();
    while (!freest()) await Promise.race([becameReady.promise, aborted]);
  }

  return {
    journals,
    pids: () => readyProcesses().flatMap((each) => each.pid ?? []),
    ready,
    has: (carrier) => readyProcesses().some((each) => each.carriers()?.includes(carrier)),

    run(order, client) {
      const { callId } = order.plan;
      const process = freest();
      if (!process) {
        const lost = Promise.reject(new ConversationLost(callId));
        lost.catch(() => undefined);
        return { asked: lost, result: lost, forget: async () => {} };
      }
      const { asked, ended } = process.run(order, client);
      const result = ended.promise.then((told) => resultOf(told, callId));
      // Whoever waits for it may wait for something else first.
      result.catch(() => undefined);
      return {
        asked: asked.promise,
        result,
        forget: () => journals.remove(callId),
      };
    },

    /** The process that placed the call knows best; any other can ask the carrier. */
    async lookup(carrier, reference) {
      await ready(stopping.signal);
      const found = await Promise.all(readyProcesses().map((each) => each.lookup(carrier, reference)));
      return found.find((answer) => answer !== 'unknown') ?? 'unknown';
    },

    handOver({ door, params, callId, request, socket, head }) {
      const process = processes().find((each) => callId !== undefined && each.holds(callId)) ?? freest();
      if (!process) return false;
      // What came since the request was read lies in this process, and would be lost with the socket.
      const buffered: unknown = socket.read();
      const rest = Buffer.isBuffer(buffered) ? buffered : Buffer.alloc(0);
      process.send({ kind: 'connection', door, params, request, head: Buffer.concat([head, rest]) }, socket);
      return true;
    },

    async stop() {
      stopping.abort(new Error('the service is stopping'));
      await starting;
      const left = processes();
      for (const each of left) each.send({ kind: 'stop' });
      const until = clock.now().getTime() + STOP_WITHIN_MS;
      while (processes().length > 0 && clock.now().getTime() < until) await clock.sleep(10);
      for (const each of processes()) each.kill();
    },
  };
}

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = { ...env };
  for (const name of KEPT_FROM_PROCESSES) delete kept[name];
  return kept;
}
