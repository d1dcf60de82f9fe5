import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createProcessFigures, LATE_MS, type ProcessFigures } from '#lib/media/process-figures.ts';
import type { Metrics } from '#lib/ports/metrics.ts';

/** What is read when somebody asks, of all processes together or of this one. */
export type Readings = {
  /** Calls that have not ended, by state; undefined where the database does not answer. */
  backlog(): Promise<Backlog | undefined>;
  conversationProcesses(): { wanted: number; ready: number };
  /** Conversations that run in this process or in its children. */
  conversations(): number;
};

export type Backlog = {
  calls: Readonly<Record<string, number>>;
  documents: Readonly<Record<string, number>>;
  webhooks: Readonly<Record<string, number>>;
  databaseConnections: Readonly<Record<string, number>>;
  /** Calls that wait and may be dialled now. */
  dueCalls: number;
  /** Seconds that the oldest one waits that could be begun; 0 where none waits. */
  oldestCallSeconds: number;
  oldestWebhookSeconds: number;
};

const FAST = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SPOKEN = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];
const AGES = [0.5, 1, 2, 5, 10, 30, 60, 300, 1800];

/** Gauges under the name of a counter: sums of others that are there. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

/** Figures in Prometheus' form (docs/metrics.md names each). `about` are labels of the one figure that tells of the build. */
export function createPrometheusMetrics(about: { version: string; commit: string | null; role: string }): {
  metrics: Metrics;
  /** What is read on request; given when the services are there. */
  readFrom(readings: Readings): void;
} {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const counted = createCounted(registers);
  const kept = createKeptTime(registers);
  const read = createRead(registers);
  const build = new Gauge({
    name: 'callwright_build_info',
    help: 'Always 1: the version, the commit and the role of the process.',
    labelNames: ['version', 'commit', 'role'],
    registers,
  });
  build.set({ ...about, commit: about.commit ?? '' }, 1);
  const ownFigures = createProcessFigures();
  let readings: Readings | undefined;

  return {
    readFrom: (given) => void (readings = given),
    metrics: {
      ...counted,
      conversationProcess: (figures) => kept.add('conversation', figures),
      async expose() {
        kept.add('service', ownFigures());
        kept.show();
        if (readings) await read.show(readings);
        return { contentType: registry.contentType, text: await registry.metrics() };
      },
    },
  };
}

type Registers = { registers: Registry[] }['registers'];
type Counted = Pick<Metrics, 'request' | 'callEnded' | 'turn' | 'modelFailed' | 'webhook'>;

function createCounted(registers: Registers): Counted {
  const { requests, requestSeconds } = requestMetrics(registers);
  const callsEnded = new Counter({
    name: 'callwright_calls_ended_total',
    help: 'Calls and chats that ended, by how they ended.',
    labelNames: ['direction', 'channel', 'carrier', 'outcome'],
    registers,
  });
  const turns = new Histogram({
    name: 'callwright_turn_seconds',
    help: "How long a person waited for an answer, and for each part of it (part='total' is the whole).",
    labelNames: ['part'],
    buckets: SPOKEN,
    registers,
  });
  const modelFailures = new Counter({
    name: 'callwright_model_failures_total',
    help: 'Models that failed on a call, by the kind of failure.',
    labelNames: ['kind'],
    registers,
  });
  const webhooks = new Counter({
    name: 'callwright_webhooks_total',
    help: 'Webhooks that were sent, by what came of it.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const webhookAge = new Histogram({
    name: 'callwright_webhook_age_seconds',
    help: 'From the commit of a delivery to the answer of its receiver.',
    buckets: AGES,
    registers,
  });
  return {
    request({ operation, status, seconds }) {
      requests.inc({ operation, status: String(status) });
      requestSeconds.observe({ operation }, seconds);
    },
    callEnded: (call) => callsEnded.inc({ ...call }),
    turn(timings) {
      for (const [part, ms] of Object.entries(partsOf(timings)))
        if (ms !== null) turns.observe({ part }, ms / 1000);
    },
    modelFailed: (kind) => modelFailures.inc({ kind }),
    webhook({ kind, outcome, ageSeconds }) {
      webhooks.inc({ kind, outcome });
      webhookAge.observe(Math.max(0, ageSeconds));
    },
  };
}

const partsOf = (timings: Parameters<Metrics['turn']>[0]) => ({
  end_of_turn: timings.endOfTurnMs,
  transcription: timings.transcriptionMs,
  first_token: timings.firstTokenMs,
  first_audio: timings.firstAudioMs,
  total: timings.totalMs,
});

function requestMetrics(registers: Registers) {
  return {
    requests: new Counter({
      name: 'callwright_http_requests_total',
      help: 'Requests to operations of the API and the dashboard, by operation and status.',
      labelNames: ['operation', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'callwright_http_request_seconds',
      help: 'How long operations took to answer.',
      labelNames: ['operation'],
      buckets: FAST,
      registers,
    }),
  };
}

type ProcessKind = 'service' | 'conversation';

/** How processes keep time: frames add up, of delays the longest since the last look is shown. */
function createKeptTime(registers: Registers) {
  const sent = new Counter({
    name: 'callwright_frames_sent_total',
    help: 'Frames of sound, of 20 ms each, that were sent to people.',
    registers,
  });
  const late = new Counter({
    name: 'callwright_frames_late_total',
    help: 'Frames of sound that were sent later than so many milliseconds after their time.',
    labelNames: ['over_ms'],
    registers,
  });
  const delays = (['p50', 'p99', 'max'] as const).map((part) => ({
    part,
    figure: new Gauge({
      name: `callwright_event_loop_delay_${part}_seconds`,
      help: `How long the event loop kept work waiting since the last look (${part}); of several processes, the worst.`,
      labelNames: ['process'],
      registers,
    }),
  }));
  const worst = new Map<ProcessKind, ProcessFigures['eventLoopMs']>();
  LATE_MS.forEach((limitMs) => late.inc({ over_ms: String(limitMs) }, 0));

  return {
    add(process: ProcessKind, { frames, eventLoopMs }: ProcessFigures): void {
      sent.inc(frames.sent);
      LATE_MS.forEach((limitMs, index) => late.inc({ over_ms: String(limitMs) }, frames.late[index] ?? 0));
      const before = worst.get(process);
      worst.set(process, {
        p50: Math.max(before?.p50 ?? 0, eventLoopMs.p50),
        p99: Math.max(before?.p99 ?? 0, eventLoopMs.p99),
        max: Math.max(before?.max ?? 0, eventLoopMs.max),
      });
    },
    show(): void {
      for (const [process, longest] of worst)
        for (const { part, figure } of delays) figure.set({ process }, longest[part] / 1000);
      worst.clear();
    },
  };
}

function createRead(registers: Registers) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const isUp = gauge(
    'callwright_database_up',
    '1 where the database answered when the figures were asked for.',
  );
  const byState: { figure: Gauge<'state'>; of: (backlog: Backlog) => Readonly<Record<string, number>> }[] = [
    {
      figure: gauge('callwright_calls', 'Calls that have not ended, of the installation, by state.', [
        'state',
      ]),
      of: ({ calls }) => calls,
    },
    {
      figure: gauge('callwright_documents_open', 'Documents that are not processed yet, by state.', [
        'state',
      ]),
      of: ({ documents }) => documents,
    },
    {
      figure: gauge('callwright_webhooks_open', 'Webhooks without a result yet, by state.', ['state']),
      of: ({ webhooks }) => webhooks,
    },
    {
      figure: gauge(
        'callwright_database_connections',
        'Connections to the database, of all processes, by state.',
        ['state'],
      ),
      of: ({ databaseConnections }) => databaseConnections,
    },
  ];
  const due = gauge('callwright_calls_due', 'Calls of the installation that wait and may be dialled now.');
  const queueAge = gauge(
    'callwright_queue_age_seconds',
    'How long the oldest call waits that may be dialled now.',
  );
  const webhookWait = gauge(
    'callwright_webhook_oldest_seconds',
    'How long the oldest webhook waits that was not sent.',
  );
  const processes = gauge(
    'callwright_conversation_processes',
    'Processes of conversations of this process, by state.',
    ['state'],
  );
  const conversations = gauge(
    'callwright_conversations',
    'Conversations that run in this process or its children.',
  );

  return {
    async show(readings: Readings): Promise<void> {
      const { wanted, ready } = readings.conversationProcesses();
      processes.set({ state: 'wanted' }, wanted);
      processes.set({ state: 'ready' }, ready);
      conversations.set(readings.conversations());
      const backlog = await readings.backlog();
      isUp.set(backlog ? 1 : 0);
      for (const { figure, of } of byState) {
        figure.reset();
        for (const [state, count] of Object.entries(backlog ? of(backlog) : {})) figure.set({ state }, count);
      }
      // A figure that is not known is not there, rather than 0.
      due.remove();
      queueAge.remove();
      webhookWait.remove();
      if (!backlog) return;
      due.set(backlog.dueCalls);
      queueAge.set(backlog.oldestCallSeconds);
      webhookWait.set(backlog.oldestWebhookSeconds);
    },
  };
}
