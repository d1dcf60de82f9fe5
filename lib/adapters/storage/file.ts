import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { ObjectStorage, StoredObject } from '#lib/ports/storage.ts';
import { syncMadeFolders, syncPath } from '#lib/sync-to-disk.ts';
import { counted } from './counted.ts';
import { partsOfKey } from './key.ts';

/** Uploads in progress: outside the keys' name space, so that no listing shows half a file. */
const INCOMING = '.incoming';
/** An upload older than this was left by a crash; the longest real one is bounded by the request's time limit. */
const INCOMING_LIFETIME_MS = 60 * 60 * 1000;

/** Four times what streams read by themselves: a large document takes the service fewer turns. */
const READ_BYTES = 256 * 1024;

/**
 * Objects as files below `dir`. A file appears under its key by an atomic rename, after its bytes and its folder
 * entry were flushed to disk. Keys are checked part by part, so none can point outside `dir`.
 */
export function createFileStorage(dir: string): ObjectStorage {
  const root = resolve(dir);
  const incoming = join(root, INCOMING);
  let prepared: Promise<void> | undefined;

  function prepare(): Promise<void> {
    prepared ??= mkdir(incoming, { recursive: true })
      .then(() => removeStale(incoming))
      .catch((error: unknown) => {
        prepared = undefined;
        throw error;
      });
    return prepared;
  }

  return {
    async put(key, body, options = {}) {
      const target = pathOf(root, key);
      await prepare();
      const temporary = join(incoming, `${process.pid}-${randomBytes(12).toString('hex')}`);
      try {
        const sizeBytes = await writeFlushed(temporary, body, options);
        await moveInto(temporary, target);
        return { sizeBytes };
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async open(key, range) {
      const path = pathOf(root, key);
      const found = await statFile(path, key);
      if (!found) return undefined;
      const { sizeBytes } = found;
      const start = Math.min(range?.start ?? 0, sizeBytes);
      const end = Math.min(range?.end ?? sizeBytes - 1, sizeBytes - 1);
      if (end < start) return { body: webStream(Readable.from([])), sizeBytes };
      const stream = createReadStream(path, { start, end, highWaterMark: READ_BYTES });
      try {
        await once(stream, 'open');
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined; // deleted between the two look-ups
        throw error;
      }
      return { body: webStream(stream), sizeBytes };
    },

    async stat(key) {
      return statFile(pathOf(root, key), key);
    },

    async delete(key) {
      const target = pathOf(root, key);
      await rm(target, { force: true });
      await removeEmptyFolders(dirname(target), root);
    },

    list: (prefix) => listBelow(root, prefix),

    async ready() {
      await prepare();
      const now = new Date();
      await utimes(incoming, now, now);
    },
  };
}

function webStream(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}

function pathOf(root: string, key: string): string {
  return join(root, ...partsOfKey(key));
}

async function writeFlushed(
  path: string,
  body: AsyncIterable<Uint8Array> | Uint8Array,
  options: { maxBytes?: number; signal?: AbortSignal },
): Promise<number> {
  const handle = await open(path, 'wx');
  try {
    let sizeBytes = 0;
    const parts = counted(body, { ...options, onBytes: (count) => (sizeBytes = count) });
    for await (const part of parts) await handle.writeFile(part);
    await handle.sync();
    return sizeBytes;
  } finally {
    await handle.close();
  }
}

/** Another delete may remove an empty folder between `mkdir` and `rename`: then it is made again. */
async function moveInto(temporary: string, target: string): Promise<void> {
  const folder = dirname(target);
  for (let attempt = 1; ; attempt++) {
    try {
      await syncMadeFolders(await mkdir(folder, { recursive: true }), folder);
      await rename(temporary, target);
      break;
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || attempt === 5) throw error;
    }
  }
  await syncFolder(folder);
}

/** Of one that another delete has removed meanwhile there is nothing to keep. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await syncPath(folder);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error;
  }
}

async function statFile(path: string, key: string): Promise<StoredObject | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? { key, sizeBytes: found.size, modifiedAt: found.mtime } : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

async function* listBelow(root: string, prefix: string): AsyncIterable<StoredObject> {
  const folders = [prefix.split('/').slice(0, -1).join('/')];
  if (folders[0] !== '') pathOf(root, folders[0] ?? '');
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of entriesOf(join(root, folder))) {
      const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (
        entry.isDirectory() &&
        entry.name !== INCOMING &&
        (key.startsWith(prefix) || prefix.startsWith(`${key}/`))
      )
        folders.push(key);
      if (!entry.isFile() || !key.startsWith(prefix)) continue;
      const found = await statFile(join(root, key), key);
      if (found) yield found;
    }
  }
}

async function* entriesOf(folder: string) {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current.startsWith(root + sep); current = dirname(current)) {
    try {
      await rmdir(current);
    } catch {
      return; // not empty, or already gone
    }
  }
}

/** What crashed processes left: uploads whose process is gone, or that are too old to still be coming. */
async function removeStale(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const found = await statFile(path, name);
    if (!found) continue;
    const ageMs = Date.now() - found.modifiedAt.getTime();
    if (ageMs > INCOMING_LIFETIME_MS || !isRunning(Number(name.split('-')[0])))
      await rm(path, { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
