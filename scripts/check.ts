import { glob, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { ensureBrowser } from './browser.ts';
import { lastWarnings, startServices } from './browser-services.ts';
import { CACHE, environment, execute, type Print, ROOT } from './execute.ts';
import { BROWSER_SOURCES, browserFaults } from './browser-imports.ts';
import {
  endOfOutput,
  type PlaywrightReport,
  playwrightFailures,
  playwrightRepeated,
  type VitestReport,
  vitestFailures,
  vitestRepeated,
} from './failures.ts';
import { featureFaults, type SourceFile } from './feature-rules.ts';
import { functionFaults } from './function-lines.ts';
import { ensurePhones } from './phones.ts';
import { startPostgres } from './postgres.ts';

/*
 * Every check, in the order in which a fault is cheapest to understand. One that fails does not hide the next ones.
 * `npm test -- lint unit` runs only the named ones.
 */

/** dependency-cruiser that resolves nothing reports no violation: demand that it saw the code. */
const FEWEST_MODULES = 250;

/** How many tests passed, for each that failed an entry for a person to read, and how many could not run here. */
type Count = { passed: number; failures: string[]; skipped?: number };
const PASSED: Count = { passed: 1, failures: [] };
/**
 * Those of the sources run two at a time, since most of them use one core. What `runs` beside them waits for the real
 * time of calls more than it uses a core. All of them print in their place.
 */
type Check = {
  name: string;
  runs?: 'with the sources' | 'beside the sources';
  run: (print: Print) => Promise<Count>;
};

const say = (line: string) => console.log(line);
const printNow: Print = (text) => void process.stdout.write(text);

const checks: Check[] = [
  ofSources('format', 'oxfmt', ['--check', '.']),
  // Types are read once for both: half the time of `tsc` beside it.
  // It is written in Go and ends when it has answered: collecting its garbage less often saves a sixth (decision 0352).
  ofSources('lint', 'oxlint', ['--type-aware', '--type-check', '--deny-warnings'], { GOGC: '400' }),
  { name: 'layers', runs: 'with the sources', run: layers },
  { name: 'lengths', runs: 'with the sources', run: lengths },
  ofSources('unused', 'knip', []),
  ofSources('drift', 'node', ['scripts/drift.ts']),
  ofSources('links', 'node', ['scripts/links.ts']),
  { name: 'unit', run: unit },
  { name: 'phones', runs: 'beside the sources', run: phones },
  { name: 'postgres', run: postgres },
  { name: 'browser', run: browser },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(
    `No such check: ${unknown.join(', ')}. There are: ${checks.map((check) => check.name).join(', ')}`,
  );
  process.exit(2);
}

await mkdir(CACHE, { recursive: true });
const total = { passed: 0, failures: [] as string[], skipped: 0 };
const failedChecks: string[] = [];
const chosen = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const phonesRunBeside = chosen.some(({ runs }) => runs === 'beside the sources');
const twoAtATime = pLimit(2);
const started = new Map(
  chosen
    .filter(({ runs }) => runs !== undefined)
    .map((check) => [
      check,
      check.runs === 'beside the sources' ? inSilence(check) : twoAtATime(() => inSilence(check)),
    ]),
);
let prepared: ReturnType<typeof prepareBrowser> | undefined;
for (const check of chosen) {
  say(`\n── ${check.name}`);
  const { count, seconds, printed } = await (started.get(check) ?? timed(check, printNow));
  if (printed) printNow(printed);
  total.passed += count.passed;
  total.failures.push(...count.failures);
  total.skipped += count.skipped ?? 0;
  const hasFailed = count.failures.length > 0;
  if (hasFailed) failedChecks.push(check.name);
  say(`── ${check.name}: ${hasFailed ? 'FAILED' : 'ok'} (${seconds} s)`);
}
await (await prepared)?.services?.stop();
if (failedChecks.length > 0) say(`\n${total.failures.join('\n\n')}\n\nFailed: ${failedChecks.join(', ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
say(`\n${total.passed} passed, ${total.failures.length} failed${skipped}`);
process.exit(failedChecks.length > 0 ? 1 : 0);

type Ended = { count: Count; seconds: number; printed?: string };

async function timed(check: Check, print: Print): Promise<Ended> {
  const startedAt = performance.now();
  const count = await check.run(print);
  return { count, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
}

async function inSilence(check: Check): Promise<Ended> {
  let printed = '';
  const ended = await timed(check, (text) => (printed += text));
  return { ...ended, printed };
}

function failed(name: string, text: string): Count {
  return { passed: 0, failures: [endOfOutput(name, text)] };
}

/** A tool that is one test: it passed where it ends with 0. */
function ofSources(name: string, command: string, args: string[], env: Record<string, string> = {}): Check {
  return {
    name,
    runs: 'with the sources',
    async run(print) {
      const { code, text } = await execute(command, args, { env, print, yieldsToOthers: phonesRunBeside });
      return code === 0 ? PASSED : failed(command, text);
    },
  };
}

async function layers(print: Print): Promise<Count> {
  const folders = ['app', 'components', 'lib', 'server', 'db'];
  const { code, text } = await execute('depcruise', ['--config', '.dependency-cruiser.cjs', ...folders], {
    print,
    yieldsToOthers: phonesRunBeside,
  });
  const seen = Number(/(\d+) modules/.exec(text)?.[1] ?? 0);
  if (code !== 0) return failed('layers', text);
  if (seen < FEWEST_MODULES)
    return failed('layers', `Only ${seen} modules were seen; at least ${FEWEST_MODULES} are there`);
  const faults = [
    ...featureFaults(await readSources('{lib,db/schema}/**/*.ts')),
    ...browserFaults(await readSources(BROWSER_SOURCES)),
  ];
  if (faults.length > 0) return failed('layers', faults.join('\n'));
  return PASSED;
}

async function lengths(): Promise<Count> {
  const sources = await readSources('{app,components,lib,server,db,scripts}/**/*.{ts,tsx}');
  const faults = sources
    .filter(({ path }) => !/\.test\.|-conformance\.|testing[^/]*\.ts$/.test(path))
    .flatMap(({ path, text }) => functionFaults(path, text));
  return faults.length === 0 ? PASSED : failed('lengths', faults.join('\n'));
}

async function readSources(pattern: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const path of glob(pattern, { cwd: ROOT }))
    files.push({ path, text: await readFile(join(ROOT, path), 'utf8') });
  return files;
}

/** Beside them, the service is built and started for the browser: they wait for a third of their time. */
async function unit(print: Print): Promise<Count> {
  if (chosen.some(({ name }) => name === 'browser')) prepared = prepareBrowser({ yieldsToOthers: true });
  return vitest('unit', ['--tags-filter=!nightly and !phones'], { print });
}

/** Builds the service and starts it as the browser tests use it, so that the calls of its demo are over when they begin. */
async function prepareBrowser(options: { yieldsToOthers: boolean }) {
  const build = await execute('node', ['server/build.ts'], options);
  const services = build.code === 0 ? await startServices(environment()) : undefined;
  return { build, services };
}

async function vitest(
  name: string,
  args: string[],
  { env = {}, print }: { env?: Record<string, string>; print: Print },
): Promise<Count> {
  const report = join(CACHE, `${name}.json`);
  await rm(report, { force: true });
  const { code, text } = await execute(
    'vitest',
    // Many wait for real clocks and processes, on a machine that others use too.
    ['run', ...args, '--retry=1', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { env, print },
  );
  const result = await readJson<VitestReport>(report);
  if (!result) return failed(name, text);
  const failures = vitestFailures(result, ROOT);
  if (code !== 0 && failures.length === 0) failures.push(endOfOutput(name, text));
  sayRepeated(vitestRepeated(result, ROOT), print);
  return { passed: result.numPassedTests, failures };
}

/** Calls with telephones of others: the files that carry the tag `phones`. */
async function phones(print: Print): Promise<Count> {
  const missing = await ensurePhones((line) => print(`${line}\n`));
  const files = ['lib/adapters/carriers', 'server/realtime-telephones'];
  if (!missing) return vitest('phones', [...files, '--tags-filter=phones and !nightly'], { print });
  print(`\n!! The tests with SIPp and baresip did NOT run: ${missing}.\n\n`);
  return { passed: 0, failures: [], skipped: 1 };
}

/** Races and SQL once more on a real PostgreSQL: the files and tests that carry the tag `postgres` (vitest.config.ts). */
async function postgres(print: Print): Promise<Count> {
  const { text } = await execute('grep', [
    '-rlE',
    "@module-tag postgres|tags: \\['postgres'\\]",
    'lib',
    'server',
    'app',
    'db',
    '--include=*.test.ts',
  ]);
  const files = text.trim().split('\n');
  const server = await startPostgres((line) => print(`${line}\n`));
  if ('missing' in server) {
    print(
      `\n!! ${files.length} files of database tests did NOT run on PostgreSQL: ${server.missing}.\n!! Races are only tested there. Set TEST_DATABASE_URL to a server with pgvector to run them.\n\n`,
    );
    return { passed: 0, failures: [], skipped: files.length };
  }
  try {
    const env = { TEST_DATABASE_URL: server.url };
    return await vitest('postgres', [...files, '--tags-filter=postgres and !nightly'], { env, print });
  } finally {
    await server.stop();
  }
}

async function browser(print: Print): Promise<Count> {
  const missing = await ensureBrowser(say);
  if (missing) return failed('browser', `No browser: ${missing}`);
  prepared ??= prepareBrowser({ yieldsToOthers: false });
  const { build, services } = await prepared;
  print(build.text);
  if (!services) return failed('build', build.text);
  const file = join(CACHE, 'playwright.json');
  await rm(file, { force: true });
  const projects = ['--project=sound', '--project=browser', '--project=streams'];
  const { code, text } = await execute('playwright', ['test', ...projects], {
    env: { E2E_REUSE: '1' },
    print,
  });
  const report = await readJson<PlaywrightReport>(file);
  if (!report) return failed('browser', text);
  const failures = playwrightFailures(report);
  if (code !== 0 && failures.length === 0) failures.push(endOfOutput('browser', text));
  sayRepeated(playwrightRepeated(report), print);
  if (failures.length > 0) print(`\nThe newest warnings of the services:\n${await lastWarnings()}\n`);
  return { passed: report.stats.expected + report.stats.flaky, failures };
}

function sayRepeated(tests: string[], print: Print): void {
  if (tests.length > 0) print(`\n!! Passed only when repeated:\n${tests.join('\n')}\n\n`);
}

async function readJson<T>(path: string): Promise<T | undefined> {
  return readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as T,
    () => undefined,
  );
}
