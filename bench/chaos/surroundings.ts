/** What stands around the workers of the kill suite: a database, a bucket, a receiver of webhooks, a telephone company. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '#db/client.ts';
import { openCountingTrunk } from '#bench/phones/counting-trunk.ts';
import { startTestBucket } from '#lib/adapters/storage/s3-testing.ts';
import { startOwnPostgres } from '#scripts/postgres.ts';
import { seedChaos } from './line.ts';

const run = promisify(execFile);
const DISK_MEGABYTES = 96;

export type Surroundings = Awaited<ReturnType<typeof openSurroundings>>;

export async function openSurroundings(dice: () => number, say: (line: string) => void) {
  const server = await startOwnPostgres(say);
  if ('missing' in server) throw new Error(`the kill suite needs PostgreSQL: ${server.missing}`);
  const bucket = await startTestBucket('chaos');
  const webhooks = new Map<string, number>();
  const receiver = await startReceiver(webhooks, dice);
  const trunk = await openCountingTrunk(() => ({
    talksMs: 300 + dice() * 2_000,
    ...(dice() < 0.2 ? { busy: true } : { answersAfterMs: 50 + dice() * 600 }),
  }));
  const database = await openDatabase({ databaseUrl: server.url });
  await database.migrate();
  await seedChaos(database, receiver.url);
  return {
    server,
    bucket,
    trunk,
    webhooks,
    database,
    env: {
      ...bucket.credentials,
      DATABASE_URL: server.url,
      STORAGE_URL: 's3://chaos/kept',
      S3_ENDPOINT: bucket.endpoint,
      AWS_REGION: 'us-east-1',
      AUTH_SECRET: 'the secret of a suite that kills processes',
      SIMULATION_SPEED: '0',
      LOG_LEVEL: 'error',
      CONVERSATION_PROCESSES: '1',
      WEBHOOK_ALLOWLIST: '127.0.0.1',
      SIP_TRUNK_URI: trunk.uri,
      PORT: '0',
    },
    async close() {
      trunk.close();
      receiver.close();
      await database.close().catch(() => undefined);
      await bucket.close();
      await server.stop();
    },
  };
}

/** Answers most webhooks, some late and some with an error; a webhook counts by the conversation that it tells of. */
async function startReceiver(arrived: Map<string, number>, dice: () => number) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { conversationId } = JSON.parse(Buffer.concat(parts).toString()) as { conversationId: string };
      arrived.set(conversationId, (arrived.get(conversationId) ?? 0) + 1);
      const status = dice() < 0.1 ? 500 : 200;
      setTimeout(() => response.writeHead(status).end('noted'), dice() < 0.2 ? 300 : 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/calls`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A small disk of its own for each worker, which can be filled; undefined where this user may not mount one. */
export async function mountDisk(
  folder: string,
): Promise<{ fill(): Promise<void>; free(): Promise<void>; unmount(): Promise<void> } | undefined> {
  await mkdir(folder, { recursive: true });
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'none', folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return undefined;
  const ballast = join(folder, 'ballast');
  return {
    async fill() {
      // Fails on its last part, which is the point.
      await writeFile(ballast, Buffer.alloc(DISK_MEGABYTES * 1024 * 1024)).catch(() => undefined);
    },
    free: () => rm(ballast, { force: true }),
    unmount: async () => void (await run('umount', [folder])),
  };
}
