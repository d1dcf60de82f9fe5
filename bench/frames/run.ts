/**
 * How late frames of sound leave while the rest of the service is loaded.
 *
 *   node bench/frames/run.ts [port=4660] [seconds=30] [streams=50]
 *
 * Streams send a frame each 20 ms from the process of conversations, first in quiet, then while the service takes a document
 * of 50 MB, makes checkpoints of its embedded database, checks thirty sign-ins and renders pages. Beside it, as the peer in
 * the same run, the same streams in the service's own process. Needs a build (`npm start` once).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { madeText } from '../knowledge/made-text.ts';
import { signIn } from '../sign-in.ts';
import { BUCKET_MS, type FrameLine } from './streams.ts';

const [port = 4660, seconds = 30, streams = 50] = process.argv.slice(2).map(Number);
const SIGN_INS = 30;
const DOCUMENT_BYTES = 50 * 1024 * 1024;
const address = `http://localhost:${port}`;
const KEY = { 'x-api-key': 'cw_test_bench_frames' };
const OWNER = { email: 'owner@frames.test', password: 'frames-password-1' };

const folder = await mkdtemp(join(tmpdir(), 'callwright-frames-'));
const provisionFile = join(folder, 'provision.json');
await writeFile(
  provisionFile,
  JSON.stringify({
    workspaces: [
      {
        id: 'ws_frames',
        name: 'Frames',
        users: [{ ...OWNER, name: 'Owner', role: 'owner' }],
        apiKeys: [{ name: 'bench', key: KEY['x-api-key'] }],
        agents: [{ id: 'agent_frames', name: 'Front desk', inboundPrompt: 'You are Mia.' }],
        knowledgeBases: [{ id: 'kb_frames', name: 'Handbook', description: 'All', agentIds: [] }],
      },
    ],
  }),
);
const far = createSocket('udp4');
await new Promise<void>((resolve) => far.bind(0, '127.0.0.1', resolve));
far.on('message', () => undefined);
const document = madeText(3, DOCUMENT_BYTES).slice(0, DOCUMENT_BYTES - 1);

async function start(where: 'process' | 'service', log: string): Promise<ChildProcess> {
  const service = spawn(process.execPath, [new URL('./service.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: join(folder, where),
      PROVISION_FILE: provisionFile,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      FRAMES_IN: where,
      FRAMES_LOG: log,
      FRAMES_PORT: String(far.address().port),
      FRAMES_STREAMS: String(streams),
    },
  });
  for (let tries = 0; tries < 600; tries += 1) {
    const lines = await readFile(log, 'utf8').catch(() => '');
    if (lines !== '' && (await fetch(`${address}/api/ready`).catch(() => undefined))?.ok) return service;
    await delay(500);
  }
  throw new Error('the service was not ready after five minutes');
}

/** Keeps the service busy until it is told to stop, and counts what it did. */
async function load(service: ChildProcess, signal: AbortSignal) {
  const done = { uploads: 0, checkpoints: 0, signIns: 0, pages: 0 };
  const cookie = await signIn(address, OWNER);
  const repeat = async (what: () => Promise<unknown>) => {
    while (!signal.aborted) await what().catch(() => delay(100));
  };
  await Promise.all([
    repeat(async () => {
      const form = new FormData();
      form.set('file', new File([document], 'handbook.txt', { type: 'text/plain' }));
      const response = await fetch(`${address}/api/knowledge-bases/kb_frames/documents`, {
        method: 'POST',
        headers: KEY,
        body: form,
      });
      if (response.ok) done.uploads += 1;
      // One of that size is enough for any window.
      await delay(seconds * 1_000, undefined, { signal }).catch(() => undefined);
    }),
    repeat(async () => {
      await delay(2_000);
      if (service.kill('SIGUSR2')) done.checkpoints += 1;
    }),
    repeat(async () => {
      await delay((seconds * 1_000) / SIGN_INS / 2);
      if (done.signIns >= SIGN_INS) return;
      await signIn(address, OWNER);
      done.signIns += 1;
    }),
    repeat(async () => {
      const response = await fetch(`${address}/w/ws_frames/agents`, {
        headers: { cookie, accept: 'text/html' },
      });
      await response.text();
      if (response.status === 200) done.pages += 1;
      await delay(50);
    }),
  ]);
  return done;
}

/** What the lines between two moments tell. */
async function summarize(log: string, fromMs: number, toMs: number) {
  const lines = (await readFile(log, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FrameLine)
    .filter((line) => line.atMs > fromMs + 1_000 && line.atMs <= toMs);
  const buckets = lines.reduce<number[]>(
    (sum, line) => line.buckets.map((count, index) => count + (sum[index] ?? 0)),
    [],
  );
  const frames = buckets.reduce((sum, count) => sum + count, 0);
  const upTo = (ms: number) =>
    buckets.slice(0, ms / BUCKET_MS).reduce((sum, count) => sum + count, 0) / Math.max(1, frames);
  const at = (share: number) => {
    let seen = 0;
    return (buckets.findIndex((count) => (seen += count) >= share * frames) + 1) * BUCKET_MS;
  };
  return {
    frames,
    within10msPercent: Math.round(upTo(10) * 100_000) / 1_000,
    over10ms: Math.round((1 - upTo(10)) * frames),
    p99Ms: at(0.99),
    p999Ms: at(0.999),
    latestMs: Math.round(10 * Math.max(0, ...lines.map((line) => line.latestMs))) / 10,
  };
}

const late: Record<string, number> = {};
try {
  for (const where of ['process', 'service'] as const) {
    const log = join(folder, `${where}.log`);
    const service = await start(where, log);
    await delay(5_000);
    const quietFrom = Date.now();
    await delay(seconds * 1_000);
    const loadFrom = Date.now();
    const done = await load(service, AbortSignal.timeout(seconds * 1_000));
    await delay(1_100);
    console.log(
      JSON.stringify({
        where,
        quiet: await summarize(log, quietFrom, loadFrom),
        loaded: await summarize(log, loadFrom, Date.now()),
        done,
        load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
      }),
    );
    late[where] = (await summarize(log, loadFrom, Date.now())).over10ms;
    service.kill('SIGTERM');
    await new Promise((resolve) => service.once('exit', resolve));
  }
  console.log(
    `frames later than 10 ms under load: ${late.process} beside ${late.service} in the service's own process`,
  );
} finally {
  far.close();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
