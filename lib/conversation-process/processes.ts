import type { ConversationResult } from '#lib/engine/plan.ts';
import { AppError } from '#lib/errors.ts';
import type { Logger } from '#lib/log.ts';
import { type Metrics, noMetrics } from '#lib/ports/metrics.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { IncomingAnswer } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';
import {
  type ConversationClient,
  type ConversationHost,
  ConversationLost,
  type RunningConversation,
  type TakeFromCarrier,
} from './host.ts';
import type { HearCarrierState } from './conversations.ts';
import { type Crew, createCrew } from './crew.ts';
import { type Journals, openJournalFolder, openJournals } from './journal.ts';
import type { ConversationProcess } from './process.ts';
import type { ConversationOrder, ToldResult } from './protocol.ts';

/** A connection that comes first starts the processes. */
const READY_WITHIN_MS = 10_000;
/** A connection of a call that nobody here has taken waits so long for an order, and looks so often. */
const LINE_WITHIN_MS = 3_000;
const LOOK_AGAIN_MS = 50;
/** A connection and the call that it belongs to come within moments. */
const MEET_WITHIN_MS = 60_000;

/** Names that a process without a database has no use for: addresses, secrets and the roles that need them. */
const KEPT_FROM_PROCESSES = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'AUTH_SECRET',
  'METRICS_TOKEN',
  'PROVISION_FILE',
  'ROLE',
];

/** Trunks and firewalls know such a carrier by the address on which it listens. */
const ONE_ADDRESS: readonly CarrierKind[] = ['sip'];

export type ConversationProcesses = ConversationHost & {
  /** Of the processes that take conversations now. */
  pids(): number[];
  /** How many there should be, how many take conversations now, and how many of these do not die again and again. */
  counts(): { wanted: number; ready: number; steady: number };
  /** Conversations that run in them. */
  conversationCount(): number;
};

type ProcessesOptions = {
  count: number;
  entry: URL;
  env: NodeJS.ProcessEnv;
  /** Where they keep what is not stored yet. */
  journalFolder: string;
  clock: Clock;
  log: Logger;
  metrics?: Pick<Metrics, 'conversationProcess'>;
  /** They run what nobody waits for: every other process goes first. */
  goesLast?: boolean;
};

/**
 * Runs conversations in `count` processes of their own, so that nothing the service does is in the way of a frame of sound
 * (docs/decisions/0170). A process that dies is started again; its calls are lost to it and closed by recovery.
 */
export function createConversationProcesses(options: ProcessesOptions): ConversationProcesses {
  const { clock, journalFolder } = options;
  const door = createDoor();
  const crew = createCrew({
    metrics: noMetrics,
    ...options,
    env: withoutSecrets(options.env),
    onChange: () => door.chooseListener(crew),
    onIncoming: (process, carrier, call) =>
      door.take(carrier, call, (callId) => chosen.give(callId, process)),
    onCarrierState: (carrier, state) => hearState(carrier, state),
  });
  const journals = openJournals(journalFolder, {
    clock,
    isOwn: (pid) => crew.all().some((each) => each.pid === pid),
  });
  const chosen = createChoices(crew, clock);
  /** References of calls that were taken here and have not ended. */
  const expected = new Set<string>();
  let hearState: HearCarrierState = () => undefined;
  let opening: Promise<void> | undefined;

  /** They are started with the first call, as a process that only serves pages needs none. */
  async function ready(signal: AbortSignal): Promise<void> {
    await (opening ??= openJournalFolder(journalFolder, clock).then(crew.start));
    await crew.untilReady(signal);
  }

  return {
    journals,
    pids: () => crew.ready().flatMap((each) => each.pid ?? []),
    counts: () => ({
      wanted: options.count,
      ready: crew.ready().length,
      steady: crew.steady().length,
    }),
    conversationCount: () => crew.all().reduce((sum, each) => sum + each.callCount(), 0),
    ready,
    has: (carrier) => crew.ready().some((each) => each.carriers()?.includes(carrier)),

    run(order, client) {
      const { callId } = order.plan;
      const process = chosen.take(callId, door.listenerOf(order.carrier));
      if (!process) {
        const lost = Promise.reject(new ConversationLost(callId));
        lost.catch(() => undefined);
        return { asked: lost, result: lost, forget: async () => {} };
      }
      return runIn(process, { order, client, journals });
    },

    async listen(take, onState) {
      hearState = onState;
      door.open(take);
      await ready(never);
      door.chooseListener(crew);
    },

    supervisor: (callId) =>
      crew
        .all()
        .find((each) => each.holds(callId))
        ?.supervisor(callId),

    decline: (line) => chosen.take(line.callId)?.send({ kind: 'decline', line }),

    /** The process that placed the call knows best; any other can ask the carrier, which is asked by one where that is enough. */
    async lookup(carrier, reference, placed) {
      await ready(never);
      const listener = door.listenerOf(carrier);
      const asked = listener ? [listener] : crew.ready();
      const found = await Promise.all(asked.map((each) => each.lookup(carrier, reference, placed)));
      return found.find((answer) => answer !== 'unknown') ?? 'unknown';
    },

    async tell(carrier, reference, news) {
      const told = await Promise.all(crew.ready().map((each) => each.tell(carrier, reference, news)));
      return told.find((reply) => reply !== undefined);
    },

    async handOver(carrier, callId, connection) {
      await ready(AbortSignal.timeout(READY_WITHIN_MS));
      const process = crew.all().find((each) => each.holds(callId)) ?? chosen.next(callId);
      if (!process) throw new AppError('NOT_READY', 'No process can take the connection');
      return process.handOver({ carrier, callId, connection });
    },

    async handOverLine(carrier, reference, connection) {
      const holder = () => crew.ready().find((each) => each.holdsLine(reference));
      const waits = (waitedMs: number) => expected.has(reference) || waitedMs < LINE_WITHIN_MS;
      for (let waitedMs = 0; !holder() && waits(waitedMs); waitedMs += LOOK_AGAIN_MS)
        await clock.sleep(LOOK_AGAIN_MS);
      const process = holder();
      if (!process) throw new AppError('NOT_FOUND', 'No process of this service runs the call');
      return process.handOver({ carrier, callId: reference, connection });
    },

    expectLine(reference) {
      expected.add(reference);
      return () => expected.delete(reference);
    },

    async stop() {
      await opening;
      await crew.stop();
    },
  };
}

function runIn(
  process: ConversationProcess,
  { order, client, journals }: { order: ConversationOrder; client: ConversationClient; journals: Journals },
): RunningConversation {
  const { callId } = order.plan;
  const { asked, ended } = process.run(order, client);
  const result = ended.promise.then((told) => withRecording(told, callId, journals));
  // Whoever waits for it may wait for something else first.
  result.catch(() => undefined);
  return { asked: asked.promise, result, forget: () => journals.remove(callId) };
}

/** Lets one process at a time take calls that come in: two could not listen on one address. */
function createDoor() {
  let asked: TakeFromCarrier | undefined;
  let listening: ConversationProcess | undefined;
  return {
    open: (take: TakeFromCarrier) => void (asked = take),
    /** Whose address calls of the carrier should have, those that go out as well. */
    listenerOf: (carrier: CarrierKind) =>
      ONE_ADDRESS.includes(carrier) && listening?.carriers() ? listening : undefined,
    take: async (...call: Parameters<TakeFromCarrier>): Promise<IncomingAnswer> =>
      asked ? asked(...call) : { ok: false, reason: 'failed' },
    chooseListener({ ready }: Pick<Crew, 'ready'>): void {
      if (!asked || listening?.carriers()) return;
      listening = ready()[0];
      listening?.send({ kind: 'listen' });
    },
  };
}

const never = new AbortController().signal;

/**
 * Which process gets the next call: the one with the fewest, unless its line, or a connection of that call that has
 * come before it, is in another.
 */
function createChoices({ freest }: Pick<Crew, 'freest'>, clock: Clock) {
  const given = new Map<string, { process: ConversationProcess; atMs: number }>();

  function give(callId: string, process: ConversationProcess): void {
    const atMs = clock.now().getTime();
    given.set(callId, { process, atMs });
    for (const [oldest, choice] of given) if (choice.atMs < atMs - MEET_WITHIN_MS) given.delete(oldest);
  }

  return {
    /** For a call whose line is in that process. */
    give,
    /** For a connection whose call is on its way. */
    next(callId: string): ConversationProcess | undefined {
      const known = given.get(callId)?.process;
      const process = known?.carriers() ? known : freest();
      if (process) give(callId, process);
      return process;
    },
    /** For the call itself. */
    take(callId: string, preferred?: ConversationProcess): ConversationProcess | undefined {
      const process = given.get(callId)?.process;
      given.delete(callId);
      return process?.carriers() ? process : (preferred ?? freest());
    },
  };
}

async function withRecording(
  { hasRecording, ...outcome }: ToldResult,
  callId: string,
  journals: Journals,
): Promise<ConversationResult> {
  const recording = hasRecording ? await journals.recording(callId, outcome.durationMs) : null;
  return { ...outcome, recording };
}

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = { ...env };
  for (const name of KEPT_FROM_PROCESSES) delete kept[name];
  return kept;
}
