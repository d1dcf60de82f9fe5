import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openEmbedded } from './embedded.ts';
import { syncPath } from '#lib/sync-to-disk.ts';
import { DatabaseUnopenable } from './pglite.ts';
import { syncCluster } from './synced-files.ts';

const NO_DATABASE =
  'the folder is there and holds no database. It has no PG_VERSION: it lost that file, or holds something else';

/**
 * Makes the files of the embedded database where there are none yet, migrated, and sees to it once that they are on the
 * disk. A process of its own does it: making them takes a second copy of PostgreSQL, whose memory a process does not give
 * back (docs/decisions/0359). They get their name when they are whole. Throws with what that process wrote where it fails.
 */
export async function ensureCluster(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'PG_VERSION'))) return syncCluster(dataDir);
  if (await holdsFiles(dataDir)) throw new DatabaseUnopenable(dataDir, undefined, NO_DATABASE);
  const parent = dirname(dataDir);
  const drafts = `${basename(dataDir)}.new-`;
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent))
    if (name.startsWith(drafts)) await rm(join(parent, name), { recursive: true, force: true });
  const draft = join(parent, `${drafts}${process.pid}`);
  await makeIn(draft);
  await rename(draft, dataDir);
  await syncPath(parent);
}

/** Of a folder that is there; what is none says so when files are made in it. */
async function holdsFiles(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.length > 0;
}

async function makeIn(draft: string): Promise<void> {
  const child = fork(new URL(import.meta.url), [draft], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Not those of the service, which may debug or profile itself.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  let said = '';
  child.stderr?.on('data', (part: Buffer) => void (said += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The database could not be made in ${dirname(draft)}:\n${said}`);
}

if (import.meta.main) {
  const [draft = ''] = process.argv.slice(2);
  // Nobody waits for it any more.
  const giveUp = () => process.exit(1);
  process.once('disconnect', giveUp);
  const database = await openEmbedded({ dataDir: draft });
  // All of it is brought to the disk at the end.
  await database.pglite?.exec('set synchronous_commit = off');
  await database.migrate();
  await database.close();
  await syncCluster(draft);
  process.off('disconnect', giveUp);
  process.disconnect();
}
