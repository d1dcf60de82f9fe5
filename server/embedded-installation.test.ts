/** @module-tag nightly */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest';
import { copyDatabase } from '#db/copy-database.ts';
import { createServerDatabase, openEmbeddedTestDatabase } from '#db/testing.ts';
import { openServiceDoor, type ServiceDoor } from '#lib/installation/service-door.ts';
import { createLogger } from '#lib/log.ts';
import type { Runtime } from '#lib/runtime.ts';
import { startTestBucket } from '#lib/adapters/storage/s3-testing.ts';
import { backUp, restore } from '../scripts/installation.ts';
import { startPostgres, type TestServer } from '../scripts/postgres.ts';
import {
  expectRestored,
  type Filled,
  fillInstallation,
  installationEnv,
  lookAt,
  placeCalls,
  startInstallation,
  untilEnded,
} from '#lib/installation/testing.ts';

const COMMAND = new URL('../scripts/migrate-embedded-to-postgres.ts', import.meta.url).pathname;
const log = createLogger('silent');
let server: TestServer;
let folder: string;
let dataDir: string;
let runtime: Runtime;
let door: ServiceDoor;
let filled: Filled;
let isRunning = false;

beforeAll(async () => {
  const started = await startPostgres(() => {});
  if ('missing' in started) throw new Error(started.missing);
  server = started;
});
afterAll(() => server.stop());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-embedded-'));
  dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const made = await openEmbeddedTestDatabase(join(dataDir, 'db'));
  await made.close();
  door = await openServiceDoor(dataDir, log);
  runtime = await startInstallation(installationEnv(dataDir));
  isRunning = true;
  filled = await fillInstallation(runtime);
});
afterEach(async () => {
  if (isRunning) await stopService();
  await rm(folder, { recursive: true });
});

async function stopService(): Promise<void> {
  isRunning = false;
  await runtime.stop(5_000);
  await door.close();
}

it(
  'is backed up while it runs and makes calls, and restored with everything in it',
  { timeout: 180_000 },
  async () => {
    const { pglite } = runtime.database;
    if (!pglite) throw new Error('this is not the embedded database');
    door.serve({
      'copy-database': async (into) => String(await copyDatabase(pglite, join(dataDir, 'db'), into)),
    });
    await expect(openServiceDoor(dataDir, log)).rejects.toThrow('has the embedded database');
    const during = placeCalls(runtime, filled.line, 6);
    await backUp(runtime.env, join(folder, 'backup'));
    await untilEnded(runtime, await during);
    const before = await lookAt(runtime, filled);
    await stopService();

    const env = installationEnv(join(folder, 'restored'));
    await restore(env, join(folder, 'backup'), { replace: false, keepWaiting: false });
    const restored = await startInstallation(env);
    expectRestored(await lookAt(restored, filled), before);
    await restored.stop(2_000);
    await expect(
      restore(env, join(folder, 'backup'), { replace: false, keepWaiting: false }),
    ).rejects.toThrow('holds an installation already');
  },
);

it(
  'moves to a server and a bucket, and goes on with it after being killed',
  { timeout: 180_000 },
  async () => {
    const before = await lookAt(runtime, filled);
    const bucket = await startTestBucket('callwright');
    const { databaseUrl, drop } = await createServerDatabase(server.url, { isEmpty: true });
    const target = {
      ...bucket.credentials,
      DATABASE_URL: databaseUrl,
      STORAGE_URL: 's3://callwright/moved',
      S3_ENDPOINT: bucket.endpoint,
    };
    expect((await command(target)).text).toContain('The service runs');
    await stopService();

    for (const line of [/recordings and documents$/, /calls: \d/, /turns: \d/]) {
      const killed = await command(target, line);
      expect(killed.signal, killed.text).toBe('SIGKILL');
      const early = startInstallation(installationEnv(join(folder, 'early'), target));
      await expect(early).rejects.toThrow('is being filled');
    }
    const moved = await command(target);
    expect(moved.text).toMatch(/Moved and compared: \d+ rows/);
    expect(moved.text).toContain('calls: there already');

    Object.assign(process.env, bucket.credentials);
    const elsewhere = await startInstallation(installationEnv(join(folder, 'elsewhere'), target));
    expect(await lookAt(elsewhere, filled)).toEqual(before);
    await elsewhere.stop(2_000);
    await expect(startInstallation(installationEnv(dataDir))).rejects.toThrow('was moved to PostgreSQL');
    await bucket.close();
    await drop();
  },
);

/** Runs the command, and kills it once it prints a line like `killAt`. */
async function command(env: Record<string, string>, killAt?: RegExp) {
  const child = spawn(process.execPath, [COMMAND], {
    env: { ...process.env, ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (part: Buffer) => (text += part.toString()));
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    text += `${line}\n`;
    if (killAt?.test(line)) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { text, signal };
}
