import { spawnSync } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createPrometheusMetrics } from './prometheus.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

const readings = {
  backlog: async () => ({
    calls: { queued: 3, in_progress: 1 },
    documents: { PROCESSING: 1 },
    webhooks: { pending: 2 },
    databaseConnections: { idle: 4 },
    dueCalls: 2,
    oldestCallSeconds: 12.5,
    oldestWebhookSeconds: 0,
  }),
  conversationProcesses: () => ({ wanted: 2, ready: 1 }),
  conversations: () => 1,
};

function open() {
  const { metrics, readFrom } = createPrometheusMetrics({
    version: '3.2.1',
    commit: 'abc123',
    role: 'worker',
  });
  const expose = async () => (await metrics.expose())?.text ?? '';
  return { metrics, readFrom, expose };
}

function countOneOfEach({ metrics }: ReturnType<typeof open>): void {
  metrics.request({ operation: 'queueOutboundCall', status: 201, seconds: 0.02 });
  metrics.callEnded({ direction: 'OUTBOUND', channel: 'call', carrier: 'sip', outcome: 'COMPLETED' });
  metrics.turn({
    transcriptionMs: 200,
    endOfTurnMs: 400,
    firstTokenMs: null,
    firstAudioMs: 90,
    totalMs: 900,
  });
  metrics.modelFailed('overloaded');
  metrics.webhook({ kind: 'call', outcome: 'delivered', ageSeconds: 0.4 });
  metrics.conversationProcess({
    frames: { sent: 1_000, late: [20, 5, 2, 0, 0] },
    eventLoopMs: { p50: 1, p99: 4, max: 9 },
  });
}

it('shows what was counted, and what is read when somebody asks', async () => {
  const opened = open();
  opened.readFrom(readings);
  const lateIn = (text: string) => Number(/frames_late_total\{over_ms="10"\} (\d+)/.exec(text)?.[1]);
  // Other tests of this process may have sent frames.
  const lateBefore = lateIn(await opened.expose());
  countOneOfEach(opened);
  const text = await opened.expose();
  expect(lateIn(text) - lateBefore).toBe(2);
  for (const line of [
    'callwright_http_requests_total{operation="queueOutboundCall",status="201"} 1',
    'callwright_calls_ended_total{direction="OUTBOUND",channel="call",carrier="sip",outcome="COMPLETED"} 1',
    'callwright_turn_seconds_sum{part="total"} 0.9',
    'callwright_model_failures_total{kind="overloaded"} 1',
    'callwright_webhooks_total{kind="call",outcome="delivered"} 1',
    'callwright_event_loop_delay_p99_seconds{process="conversation"} 0.004',
    'callwright_calls{state="queued"} 3',
    'callwright_calls_due 2',
    'callwright_queue_age_seconds 12.5',
    'callwright_conversation_processes{state="ready"} 1',
    'callwright_build_info{version="3.2.1",commit="abc123",role="worker"} 1',
  ])
    expect(text).toContain(`${line}\n`);
  // The model was not asked: that part has no figure.
  expect(text).not.toContain('part="first_token"');
});

it('says that the database is away, and nothing of what it would have told', async () => {
  const opened = open();
  opened.readFrom(readings);
  expect(await opened.expose()).toContain('callwright_database_up 1\n');
  opened.readFrom({ ...readings, backlog: async () => undefined });
  const text = await opened.expose();
  expect(text).toContain('callwright_database_up 0\n');
  expect(text).not.toContain('callwright_calls{');
  expect(text).not.toMatch(/^callwright_queue_age_seconds /m);
});

it('has every figure that the dashboard, the alerts and the documentation name, and documents every one', async () => {
  const opened = open();
  opened.readFrom(readings);
  countOneOfEach(opened);
  const known = new Set([...(await opened.expose()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const baseOf = (name: string) => (known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''));
  const documented = new Set<string>();
  const told = ['docs/metrics.md', 'docs/monitoring/*', 'deploy/kubernetes/autoscaling/*.yaml'];
  for await (const path of glob(told, { cwd: ROOT })) {
    const text = await readFile(ROOT + path, 'utf8');
    const named = [...text.matchAll(/\b(?:callwright|process|nodejs)_\w+/g)].map(([name]) => name);
    if (!path.startsWith('deploy/')) expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect(known, `${path} names ${name}`).toContain(baseOf(name));
    if (path === 'docs/metrics.md') named.forEach((name) => documented.add(baseOf(name)));
  }
  for (const name of known) if (name?.startsWith('callwright_')) expect(documented).toContain(name);
});

it('names its figures as Prometheus asks for: counters alone end in _total, summaries alone have quantiles', async () => {
  const opened = open();
  opened.readFrom(readings);
  countOneOfEach(opened);
  const text = await opened.expose();
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
  }));
  expect(types.length).toBeGreaterThan(30);
  for (const { name, type } of types) {
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
    if (type !== 'summary') expect(text).not.toMatch(new RegExp(`^${name}\\{[^}]*\\bquantile=`, 'm'));
  }
  expect(promtool(['check', 'metrics'], text)).toBe('');
});

it('has alerts that Prometheus reads', () => {
  expect(promtool(['check', 'rules', 'docs/monitoring/alerts.yml'], '')).not.toContain('FAILED');
});

/** What it complains of; nothing where it is not installed. */
function promtool(given: string[], input: string): string {
  const { stdout, stderr } = spawnSync('promtool', given, { cwd: ROOT, input, encoding: 'utf8' });
  return `${stdout ?? ''}${stderr ?? ''}`;
}
