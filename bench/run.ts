/**
 * Runs the benches one after the other and writes what they say, with machine and commit, into docs/benchmarks.md.
 *
 *   npm run bench -- [--quick] [--only=NAME,NAME] [--write] [--database=URL]
 *
 * `--quick`: minutes instead of hours, with fewer conversations and seconds, and without those that have no short form; not for the document.
 * `--write`: puts the rows of these benches into the document, each as soon as it is there; without it they are only
 * printed. A figure that is to be published is measured on a machine with nothing else to do: the load average before each
 * bench stands beside it. `--database`: one that bench/million/data.ts has filled.
 */
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openDatabase } from '#db/client.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { addConversations } from './million/data.ts';
import { type Row, tableOf, writeRow } from './table.ts';

type Bench = {
  name: string;
  /** What its figures stand beside. */
  floor: string;
  /** The file and its arguments; `{million}` is the address of a database with the conversations. */
  run: string[];
  /** In a quick run; null: left out of it. */
  quick: string[] | null;
  /** On a PostgreSQL server of its own. */
  onPostgres?: boolean;
  /** The lines that go into the table. Left out: all. */
  lines?: RegExp;
};

const BENCHES: Bench[] = [
  {
    name: 'requests',
    floor: 'the health check in the same run',
    run: ['million/http.ts', '--database={million}', '--rounds=20'],
    quick: ['million/http.ts', '--database={million}', '--rounds=3'],
  },
  {
    name: 'filters',
    floor: 'one conversation of a small workspace',
    run: ['million/filters.ts', '--database={million}'],
    quick: ['million/filters.ts', '--database={million}', '--times=1', '--count=50000'],
  },
  {
    name: 'accepted calls',
    floor: 'none: per second, and processor time each',
    run: ['calls/accept.ts', '--seconds=10'],
    quick: ['calls/accept.ts', '--seconds=2'],
  },
  {
    name: 'claims',
    floor: 'the same with a queue of 100',
    run: ['calls/dispatch.ts', '--seconds=10', '--ended=1000000', '--depths=100,5000'],
    quick: ['calls/dispatch.ts', '--seconds=2', '--ended=10000', '--depths=100,1000'],
    lines: /a second|ratio/,
  },
  {
    name: 'waiting webhooks',
    floor: 'none: per second',
    run: ['webhooks/backlog.ts', '2000'],
    quick: ['webhooks/backlog.ts', '300'],
    onPostgres: true,
  },
  {
    name: 'webhooks',
    floor: 'the 200 calls a second that are offered',
    run: ['webhooks/run.ts', '200', '10'],
    quick: ['webhooks/run.ts', '50', '3'],
    onPostgres: true,
  },
  {
    name: 'conversations',
    floor: 'a widely used framework on the same core (bench/conversations/README.md)',
    run: ['conversations/run.ts'],
    quick: null,
    lines: /calls on a core|^ratio/,
  },
  {
    name: 'simulated conversations',
    floor: 'timers that move the same sound',
    run: ['engine/parallel.ts'],
    quick: ['engine/parallel.ts', '50', '5'],
  },
  {
    name: 'simulations',
    floor: 'none: processor time of each',
    run: ['simulations/run.ts'],
    quick: ['simulations/run.ts', '40'],
  },
  {
    name: 'telephones',
    floor: 'SIPp, which sends every packet back at once',
    run: ['phones/run.ts', '--calls=100', '--seconds=20', '--new=1000'],
    quick: null,
    lines: / calls (?:that talk|begun)|^good$|^BAD$/,
  },
  {
    name: 'phones',
    floor: 'one INVITE for each person, whatever is killed',
    run: ['calls/crash.ts', '200', '15', '1', 'sip'],
    quick: null,
    lines: /^good$|^BAD$|"(?:calls|kills|invites|dialledTwice)/,
  },
  {
    name: 'knowledge',
    floor: 'a public splitter, and an exact scan',
    run: ['knowledge/run.ts', '100,10000'],
    quick: ['knowledge/run.ts', '100'],
    onPostgres: true,
  },
  {
    name: 'frames',
    floor: 'the same streams in the process of the service',
    run: ['frames/run.ts', '4660', '30', '50'],
    quick: ['frames/run.ts', '4660', '3', '10'],
  },
  {
    name: 'pacing',
    floor: 'the 20 ms of a frame',
    run: ['media/pacing.ts'],
    quick: ['media/pacing.ts', '20', '3', '1'],
  },
  {
    name: 'listening',
    floor: 'the moments at which the speech was put in',
    run: ['listening/voice-activity.ts'],
    quick: ['listening/voice-activity.ts'],
  },
  {
    name: 'realtime',
    floor: 'the recording of the same call',
    run: ['realtime/call.ts'],
    quick: ['realtime/call.ts', '2'],
  },
  {
    name: 'realtime coding',
    floor: 'the other coding',
    run: ['media/realtime-coding.ts'],
    quick: ['media/realtime-coding.ts'],
  },
  {
    name: 'neighbours',
    floor: 'the same tenant without an attack',
    run: ['doors/run.ts'],
    quick: null,
  },
  {
    name: 'start and memory',
    floor: 'Node that does nothing',
    run: ['service/idle.ts', '--seconds=600'],
    quick: ['service/idle.ts', '--seconds=5', '--rounds=1'],
  },
  {
    name: 'live views',
    floor: 'the same service that nobody looks at',
    run: ['service/viewers.ts'],
    quick: ['service/viewers.ts', '--viewers=200', '--seconds=5'],
  },
  {
    name: 'installation',
    floor: 'the framework of the dashboard alone',
    run: ['service/install.ts'],
    quick: ['service/install.ts', '--rounds=1'],
  },
];

/** Enough for what the filters meet, in a quick run. */
const QUICK_COUNT = 50_000;
const COUNT = 1_000_000;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    database: { type: 'string' },
  },
});
if (options.quick && options.write) {
  console.error('What a quick run says is not for the document: leave out --quick or --write.');
  process.exit(2);
}
const wanted = options.only?.split(',');
const unknown = wanted?.filter((name) => !BENCHES.some((bench) => bench.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(
    `No bench is called ${unknown.join(', ')}. There are: ${BENCHES.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

type Place = { url: string; close(): Promise<void> };

async function openServer(): Promise<Place> {
  const server = await startPostgres(console.error);
  if ('missing' in server) throw new Error(server.missing);
  return { url: server.url, close: () => server.stop() };
}

async function openMillion(): Promise<Place> {
  if (options.database) return { url: options.database, close: async () => {} };
  const server = await openServer();
  const database = await openDatabase({ databaseUrl: server.url });
  await database.migrate();
  await addConversations(database.db, options.quick ? QUICK_COUNT : COUNT);
  await database.close();
  return server;
}

type Outcome = { lines: string[]; failed: boolean };

async function runBench(bench: Bench, args: string[], million: Place | undefined): Promise<Outcome> {
  const server = bench.onPostgres ? await openServer() : undefined;
  const [file = '', ...rest] = args.map((arg) => arg.replace('{million}', million?.url ?? ''));
  const child = spawn(process.execPath, [`bench/${file}`, ...rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(server ? { TEST_DATABASE_URL: server.url } : {}) },
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(`  ${line}`);
    // What the service logs is no figure.
    const isFigure = line.trim() !== '' && !line.startsWith('{"level"');
    if (isFigure && (bench.lines === undefined || bench.lines.test(line))) lines.push(line.trim());
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  await server?.close();
  return { lines, failed: code !== 0 };
}

const measured: Row[] = [];
let failures = 0;
let million: Place | undefined;
for (const bench of BENCHES) {
  const args = options.quick ? bench.quick : bench.run;
  if (args === null || (wanted && !wanted.includes(bench.name))) continue;
  console.log(bench.name);
  if (args.some((arg) => arg.includes('{million}'))) million ??= await openMillion();
  const load = loadavg()[0] ?? 0;
  const { lines, failed } = await runBench(bench, args, million);
  if (failed) failures += 1;
  const figures = [...lines, ...(failed ? ['it failed, or a bar was missed'] : [])];
  const command = `node bench/${args.join(' ')}`;
  const row: Row = { name: bench.name, figures, floor: bench.floor, load, command };
  measured.push(row);
  // Each as soon as it is there: all together take hours.
  if (options.write) await writeRow(row, BENCHES);
}
await million?.close();
console.log(`\n${tableOf(measured)}`);
process.exit(failures > 0 ? 1 : 0);
