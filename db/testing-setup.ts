import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { openDatabase } from './client.ts';

export const SNAPSHOT_DIR = new URL('../node_modules/.cache/callwright', import.meta.url).pathname;

/** A name that changes with the migrations, so that a stale snapshot is never restored. */
export async function snapshotPath(): Promise<string> {
  const hash = createHash('sha256');
  const folder = new URL('../drizzle', import.meta.url).pathname;
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort())
    hash.update(await readFile(`${folder}/${name}`));
  hash.update(await readFile(new URL('./functions.sql', import.meta.url)));
  return `${SNAPSHOT_DIR}/empty-${hash.digest('hex').slice(0, 16)}.tar`;
}

/** Vitest's global set-up: migrates one empty embedded database and keeps its image for every test file. */
export default async function setup(): Promise<void> {
  const path = await snapshotPath();
  if (existsSync(path)) return;
  await mkdir(SNAPSHOT_DIR, { recursive: true });
  const database = await openDatabase({ dataDir: 'memory://' });
  await database.migrate();
  const image = await database.pglite?.dumpDataDir('none');
  await database.close();
  if (!image) throw new Error('the embedded database gave no image');
  await writeFile(`${path}.${process.pid}`, Buffer.from(await image.arrayBuffer()));
  await rename(`${path}.${process.pid}`, path);
}
