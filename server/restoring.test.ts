/** @module-tag postgres */
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessions, users, verifications } from '#db/schema/auth.ts';
import { calls } from '#db/schema/calls.ts';
import { createServerDatabase, hasPostgres } from '#db/testing.ts';
import { checkBackup } from '#lib/installation/backup-files.ts';
import { openSeal, readSealSettings } from '#lib/installation/backup-seal.ts';
import type { Runtime } from '#lib/runtime.ts';
import { backUp, restore } from '../scripts/installation.ts';
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

/** Whole installations are started, and other tests run beside. */
const LONG = { timeout: 120_000 };
/** The files of a backup in which a text stands. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found: string[] = [];
  for (const path of paths) if ((await readFile(path)).includes(text)) found.push(relative(folder, path));
  return found;
}

const server = process.env.TEST_DATABASE_URL ?? '';

describe.skipIf(!hasPostgres)('a backup of an installation on PostgreSQL', () => {
  let folder: string;
  let source: Awaited<ReturnType<typeof createServerDatabase>>;
  let runtime: Runtime;
  let filled: Filled;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'callwright-backup-'));
    source = await createServerDatabase(server);
    runtime = await startInstallation(
      installationEnv(join(folder, 'data'), { DATABASE_URL: source.databaseUrl }),
    );
    filled = await fillInstallation(runtime);
  });
  afterAll(async () => {
    if (!hasPostgres) return;
    await runtime.stop(2_000);
    await source.drop();
    await rm(folder, { recursive: true });
  });

  const envOf = (name: string, databaseUrl: string) =>
    installationEnv(join(folder, name), { DATABASE_URL: databaseUrl });

  it(
    'that is taken while calls are made is restored with every conversation, document, recording and key',
    LONG,
    async () => {
      const now = new Date();
      const times = { createdAt: now, updatedAt: now };
      await runtime.db
        .insert(users)
        .values({ id: 'user_signed_in', name: 'Ann', email: 'ann@kept.test', ...times });
      await runtime.db.insert(sessions).values({
        id: 'session_kept',
        userId: 'user_signed_in',
        token: 'a-token-of-ann',
        expiresAt: now,
        ...times,
      });
      await runtime.db.insert(verifications).values({
        id: 'verification_kept',
        identifier: 'ann',
        value: 'a-one-time-value',
        expiresAt: now,
        ...times,
      });
      const during = placeCalls(runtime, filled.line, 4);
      await backUp(runtime.env, join(folder, 'busy'));
      await untilEnded(runtime, await during);
      expect(await filesWith(join(folder, 'busy'), 'ann@kept.test')).toEqual(['tables/users.copy']);
      expect(await filesWith(join(folder, 'busy'), 'a-token-of-ann')).toEqual([]);
      expect(await filesWith(join(folder, 'busy'), 'a-one-time-value')).toEqual([]);
      const target = await createServerDatabase(server, { isEmpty: true });
      const env = envOf('busy-restored', target.databaseUrl);
      await restore(env, join(folder, 'busy'), { replace: false, keepWaiting: false });
      const restored = await startInstallation(env);
      const waiting = await restored.db.select({ id: calls.id }).from(calls);
      await untilEnded(
        restored,
        waiting.map(({ id }) => id),
      );
      const before = await lookAt(runtime, filled);
      expectRestored(await lookAt(restored, filled), before);
      expect(await restored.db.select().from(sessions)).toEqual([]);
      await restored.stop(2_000);
      await target.drop();
    },
  );

  it(
    'ends the calls that waited, because somebody may have been called since, and places them where told to',
    LONG,
    async () => {
      const target = await createServerDatabase(server, { isEmpty: true });
      await runtime.dispatcher.stop(5_000);
      const waiting = await placeCalls(runtime, filled.line, 2);
      await backUp(runtime.env, join(folder, 'waiting'));
      const env = envOf('waiting-restored', target.databaseUrl);
      await restore(env, join(folder, 'waiting'), { replace: false, keepWaiting: false });
      const restored = await startInstallation(env);
      const rows = await restored.db.select().from(calls).where(inArray(calls.id, waiting));
      expect(
        rows.map(({ status, disposition, endReason }) => [
          status,
          disposition,
          /nobody is dialled/.test(endReason ?? ''),
        ]),
      ).toEqual([
        ['ended', 'FAILED', true],
        ['ended', 'FAILED', true],
      ]);
      await restored.stop(2_000);
      await restore(env, join(folder, 'waiting'), { replace: true, keepWaiting: true });
      const placing = await startInstallation(env);
      await untilEnded(placing, waiting);
      const placed = await placing.db.select().from(calls).where(inArray(calls.id, waiting));
      expect(placed.map(({ disposition }) => disposition)).not.toContain('FAILED');
      await placing.stop(2_000);
      await target.drop();
    },
  );

  it(
    'goes into an empty installation only, unless told otherwise, and never beside a running service',
    LONG,
    async () => {
      const backup = join(folder, 'plain');
      await backUp(runtime.env, backup);
      const target = await createServerDatabase(server);
      const env = envOf('other', target.databaseUrl);
      await restore(env, backup, { replace: false, keepWaiting: false });
      await expect(restore(env, backup, { replace: false, keepWaiting: false })).rejects.toThrow(
        'holds an installation already',
      );
      const running = await startInstallation(env);
      await expect(restore(env, backup, { replace: true, keepWaiting: false })).rejects.toThrow(
        'stop them first',
      );
      await running.stop(2_000);
      await target.drop();
    },
  );

  it('that is damaged or was not finished is refused before anything is touched', LONG, async () => {
    const backup = join(folder, 'damaged');
    await backUp(runtime.env, backup);
    const target = await createServerDatabase(server, { isEmpty: true });
    const env = envOf('damaged-restored', target.databaseUrl);
    const turns = join(backup, 'tables', 'turns.copy');
    const bytes = await readFile(turns);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(turns, bytes);
    await expect(restore(env, backup, { replace: false, keepWaiting: false })).rejects.toThrow(/turns\.copy/);
    await rm(join(backup, 'manifest.json'));
    await expect(restore(env, backup, { replace: false, keepWaiting: false })).rejects.toThrow(
      'no finished backup',
    );
    expect(await readdir(folder)).not.toContain('damaged-restored');
    await target.drop();
  });

  it(
    'that is sealed shows nothing of what is in it, and opens with its passphrase or key only',
    LONG,
    async () => {
      const identity = await generateIdentity();
      const identityFile = join(folder, 'identity.txt');
      await writeFile(identityFile, `# made for a test\n${identity}\n`);
      const ways = [
        {
          seal: { BACKUP_PASSPHRASE: 'a long passphrase' },
          open: { BACKUP_PASSPHRASE: 'a long passphrase' },
        },
        {
          seal: { BACKUP_RECIPIENT: await identityToRecipient(identity) },
          open: { BACKUP_IDENTITY: identityFile },
        },
      ];
      for (const [index, { seal, open }] of ways.entries()) {
        const backup = join(folder, `sealed-${index}`);
        await backUp(runtime.env, backup, readSealSettings(seal));
        expect(await filesWith(backup, filled.line.number)).toEqual([]);
        expect(await filesWith(backup, '"workspaces"')).toEqual([]);
        const target = await createServerDatabase(server, { isEmpty: true });
        const env = envOf(`sealed-restored-${index}`, target.databaseUrl);
        const goBack = (given: Record<string, string>) =>
          restore(env, backup, { replace: false, keepWaiting: false }, readSealSettings(given));
        await expect(goBack({})).rejects.toThrow('is sealed: set BACKUP_PASSPHRASE');
        await expect(goBack({ BACKUP_PASSPHRASE: 'another passphrase' })).rejects.toThrow(
          'sealed with another passphrase or for another key',
        );
        await goBack(open);
        const restored = await startInstallation(env);
        expect((await lookAt(restored, filled)).documents).toEqual((await lookAt(runtime, filled)).documents);
        await restored.stop(2_000);
        await truncate(join(backup, 'tables', 'turns.copy'), 300);
        await expect(checkBackup(backup, await openSeal(backup, readSealSettings(open)))).rejects.toThrow(
          /damaged.*turns\.copy/,
        );
        await target.drop();
      }
    },
  );
});
