/**
 * Telephones over SIP on this machine, with the service as it runs a call: database, fences, engine, voice, recording. What
 * is left out are pages and the models' time to think (model-server.ts answers at once).
 *
 *   node bench/phones/run.ts [--calls=100] [--seconds=30] [--new=10000] [--rate=20] [--rest=40]
 *     [--only=ours] [--profile=FOLDER] [--collections=yes] [--out=FILE]
 *
 * - `--calls` people call, speak a sentence every eight seconds and listen; each packet that comes back is timed where it is
 *   received, in a process of its own (callers.ts, wire.ts).
 * - `--new` calls begin, `--rate` in a second, stay for half a second and hang up (SIPp); `--new=0` leaves them out. What the
 *   service holds (memory, open files, threads) is read before them, at every tenth of them, and `--rest` seconds after the
 *   last: SIP waits 32 s for what may still come.
 * - `--collections` counts the collections of garbage while people talk, in each thread of the service (collections.ts).
 *
 * Beside it, unless `--only=ours`, in the same run and measured in the same way: SIPp, which sends every packet back as it comes (`-rtp_echo`)
 * and answers every call at once. Needs SIPp (Debian: sip-tester).
 */
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { freeUdpPort } from '#lib/adapters/carriers/sip/peers/peers-testing.ts';
import { staysFor } from '#lib/adapters/carriers/sip/peers/sipp-scenarios.ts';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { encodeG711 } from '#lib/media/g711.ts';
import { resample } from '#lib/media/resample.ts';
import { atLevel } from '#lib/media/testing.ts';
import { summarizeCollections } from './garbage.ts';
import { heldBy } from './held.ts';
import { startModelServer } from './model-server.ts';
import { type CallersOptions, type CallersReport, quantile } from './wire.ts';

const HOST = '127.0.0.1';
const P99_BAR_MS = 10;
const STAYS_MS = 500;
/** Of Linux: ticks of processor time in a second. */
const TICKS_PER_SECOND = 100;
const SPEECH = 'I would like to make an appointment for next Tuesday.';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
    new: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '20' },
    rest: { type: 'string', default: '40' },
    only: { type: 'string' },
    profile: { type: 'string' },
    collections: { type: 'string' },
    out: { type: 'string' },
  },
});
const calls = Number(values.calls);
const seconds = Number(values.seconds);
const newCalls = Number(values.new);
const rate = Number(values.rate);
const restMs = Number(values.rest) * 1_000;
const folder = await mkdtemp(join(tmpdir(), 'callwright-phones-'));
const here = (name: string) => new URL(name, import.meta.url).pathname;
const models = await startModelServer();
const speechFile = join(folder, 'speech.pcmu');

type Side = { port: number; pids: number[]; stop(): Promise<void> };

async function startService(): Promise<Side> {
  const port = await freeUdpPort();
  const child = spawn(process.execPath, [here('./service.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      SIP_LISTEN: `udp:${HOST}:${port}`,
      RTP_PORTS: '40000-48999',
      CONVERSATION_PROCESSES: '1',
      OPENAI_BASE_URL: models.baseUrl,
      SPEECH_MODEL: 'local',
      TRANSCRIPTION_MODE: 'batch',
      ...(values.collections && {
        COLLECTIONS: folder,
        NODE_OPTIONS: `--import=${here('./collections.ts')}`,
      }),
      ...(values.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` }),
    },
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      said += part.toString();
      if (said.includes('working')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}:\n${said}`)));
  });
  const conversations = /processes(.*)/.exec(said)?.[1]?.trim().split(' ').map(Number) ?? [];
  return { port, pids: [child.pid ?? 0, ...conversations], stop: () => stop(child) };
}

async function startEcho(): Promise<Side> {
  const port = await freeUdpPort();
  const mediaPort = 49_000 + 2 * Math.floor(Math.random() * 400);
  const args = ['-sn', 'uas', '-rtp_echo', '-i', HOST, '-p', String(port), '-mi', HOST];
  const child = spawn('sipp', [...args, '-mp', String(mediaPort), '-nostdin'], {
    cwd: folder,
    stdio: 'ignore',
  });
  await delay(1_000);
  return { port, pids: [child.pid ?? 0], stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(child.spawnfile === 'sipp' ? 'SIGKILL' : 'SIGTERM');
  await exited;
}

async function cpuSeconds(pids: number[]): Promise<number[]> {
  return Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    }),
  );
}

/** People who talk: packets are counted once all calls are up. */
async function talk(side: Side) {
  const options: CallersOptions = {
    calls,
    port: side.port,
    seconds,
    spreadMs: calls * 60,
    warmUpMs: 5_000,
    speechFile,
  };
  const heardBefore = models.heard();
  const before = await cpuSeconds(side.pids);
  const startedAt = performance.now();
  const report = await new Promise<CallersReport>((resolve, reject) => {
    const child = fork(here('./callers.ts'), { env: { ...process.env, CALLERS: JSON.stringify(options) } });
    child.once('message', (told) => resolve(told as CallersReport));
    child.once('exit', (code) => reject(new Error(`the callers ended with ${code}`)));
  });
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  const after = await cpuSeconds(side.pids);
  const { deviationsMs, gapsMs, packets, lost, silentCalls } = report;
  const answered = report.answeredAfterMs.toSorted((one, other) => one - other);
  return {
    calls,
    packets,
    lost,
    silentCalls,
    deviationMs: spread(deviationsMs),
    gapMs: spread(gapsMs),
    within10msPercent: rounded((100 * deviationsMs.filter((ms) => ms <= 10).length) / packets, 3),
    answeredAfterMs: spread(answered),
    understood: models.heard() - heardBefore,
    corePercent: after.map((used, index) => rounded((100 * (used - (before[index] ?? 0))) / tookSeconds, 1)),
    load: rounded(loadavg()[0] ?? 0, 1),
    ...(values.collections && { collections: await summarizeCollections(folder, seconds) }),
  };
}

/** Calls that begin and end, one after the other at a steady pace. */
async function ring(side: Side) {
  const cwd = await mkdtemp(join(folder, 'ring-'));
  const scenario = join(cwd, 'stays.xml');
  await writeFile(scenario, staysFor(STAYS_MS));
  const port = await freeUdpPort();
  const before = await cpuSeconds(side.pids);
  const held = [await Promise.all(side.pids.map(heldBy))];
  const looking = setInterval(
    () => {
      void Promise.all(side.pids.map(heldBy)).then((now) => held.push(now));
    },
    newCalls * (100 / rate),
  );
  const startedAt = performance.now();
  const own = ['-sf', scenario, '-i', HOST, '-p', String(port), '-mi', HOST, '-mp', '49900', '-nostdin'];
  const counted = ['-trace_rtt', '-rtt_freq', '1', '-trace_stat', '-stf', join(cwd, 'stat.csv')];
  const pace = ['-r', String(rate), '-m', String(newCalls), '-l', '200', '-s', '+15550100001'];
  // It fails where a call did; the counts tell how many.
  await promisify(execFile)('sipp', [`${HOST}:${side.port}`, ...own, ...counted, ...pace], { cwd }).catch(
    () => undefined,
  );
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  clearInterval(looking);
  const after = await cpuSeconds(side.pids);
  await delay(restMs);
  held.push(await Promise.all(side.pids.map(heldBy)));
  const lines = (await readFile(join(cwd, 'stat.csv'), 'utf8')).trim().split('\n');
  const names = lines[0]?.split(';') ?? [];
  const last = lines.at(-1)?.split(';') ?? [];
  const field = (name: string) => Number(last[names.indexOf(name)]);
  const times = (await readdir(cwd)).find((name) => name.endsWith('_rtt.csv'));
  const answered = (await readFile(join(cwd, times ?? ''), 'utf8'))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(';')[1]))
    .sort((one, other) => one - other);
  return {
    calls: newCalls,
    perSecond: rounded(newCalls / tookSeconds, 1),
    answered: field('SuccessfulCall(C)'),
    failed: newCalls - field('SuccessfulCall(C)'),
    repeatedMessages: field('Retransmissions(C)'),
    answeredAfterMs: spread(answered),
    corePercent: after.map((used, index) => rounded((100 * (used - (before[index] ?? 0))) / tookSeconds, 1)),
    load: rounded(loadavg()[0] ?? 0, 1),
    /** Of each process: before, meanwhile, and after all calls were over. */
    held: side.pids.map((_, index) => held.map((moment) => moment[index])),
  };
}

const spread = (sorted: readonly number[]) => ({
  p50: rounded(quantile(sorted, 0.5), 2),
  p99: rounded(quantile(sorted, 0.99), 2),
  p999: rounded(quantile(sorted, 0.999), 2),
  max: rounded(sorted.at(-1) ?? Number.NaN, 2),
});

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

async function measure(name: string, start: () => Promise<Side>) {
  const side = await start();
  try {
    const talking = calls > 0 ? await talk(side) : undefined;
    if (talking) {
      const { deviationMs, within10msPercent, silentCalls } = talking;
      const off = `off by ${deviationMs.p50} ms, the hundredth by ${deviationMs.p99}, at most by ${deviationMs.max}`;
      console.log(
        `${name}: ${calls} calls that talk: packets ${off}; ${within10msPercent} % within 10 ms; silent calls: ${silentCalls}`,
      );
    }
    const ringing = newCalls > 0 ? await ring(side) : undefined;
    if (ringing) {
      const { perSecond, failed, answeredAfterMs } = ringing;
      const answered = `answered after ${answeredAfterMs.p50} ms, p99 ${answeredAfterMs.p99}`;
      console.log(`${name}: ${newCalls} calls begun, ${perSecond} a second: ${failed} failed, ${answered}`);
    }
    return { talking, ringing };
  } finally {
    await side.stop();
  }
}

try {
  const said = await sayForTest([SPEECH], 'rms');
  const atTelephone = resample(atLevel(said[SPEECH], -22), { fromHz: 16_000, toHz: 8_000 });
  await writeFile(speechFile, encodeG711('mulaw', atTelephone));
  const floor = values.only === 'ours' ? undefined : await measure('SIPp', startEcho);
  const ours = await measure('ours', startService);
  const result = {
    at: new Date().toISOString(),
    cores: availableParallelism(),
    node: process.version,
    floor,
    ours,
    ratios: {
      deviationP99: rounded(
        (ours.talking?.deviationMs.p99 ?? Number.NaN) / (floor?.talking?.deviationMs.p99 ?? Number.NaN),
        2,
      ),
      failed: `${ours.ringing?.failed} beside ${floor?.ringing?.failed}`,
    },
  };
  if (values.out) await writeFile(values.out, `${JSON.stringify(result, null, 2)}\n`);
  console.log(JSON.stringify(result, null, 2));
  const isLate = (ours.talking?.deviationMs.p99 ?? 0) >= P99_BAR_MS || (ours.talking?.silentCalls ?? 0) > 0;
  const hasFailed = (ours.ringing?.failed ?? 0) > 0;
  console.log(isLate || hasFailed ? 'BAD' : 'good');
  process.exitCode = isLate || hasFailed ? 1 : 0;
} finally {
  models.close();
  await rm(folder, { recursive: true, force: true });
}
