import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { installationSecrets } from '#db/schema/auth.ts';
import type { Clock } from '#lib/ports/clock.ts';

const NAME = 'auth';

/**
 * The secret that signs sessions and links: AUTH_SECRET (`configured`), or one that is generated once and kept in the
 * database, so that all processes on it have the same. Older releases kept it in a file of `dataDir`: the first process
 * that has such a file brings it along, and what was signed with it stays valid.
 */
export async function loadSecret(
  { db, clock }: { db: Database; clock: Clock },
  { configured, dataDir }: { configured: string | undefined; dataDir: string },
): Promise<string> {
  if (configured) return configured;
  const known = await findSecret(db);
  if (known !== undefined) return known;
  const value = (await readOldFile(`${dataDir}/auth-secret`)) ?? randomBytes(32).toString('base64url');
  // Of processes that start at once the first one's stays.
  await db
    .insert(installationSecrets)
    .values({ name: NAME, value, createdAt: clock.now() })
    .onConflictDoNothing();
  const kept = await findSecret(db);
  if (kept === undefined) throw new Error('the database kept no secret');
  return kept;
}

async function findSecret(db: Database): Promise<string | undefined> {
  const [row] = await db
    .select({ value: installationSecrets.value })
    .from(installationSecrets)
    .where(eq(installationSecrets.name, NAME));
  return row?.value;
}

async function readOldFile(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() || undefined;
}
