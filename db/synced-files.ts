import { existsSync, fsyncSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncPath, syncTree } from '#lib/sync-to-disk.ts';

type Options = Parameters<NodeFS['init']>[1];
type Stream = { nfd: number };
/** What Emscripten has of a file system; its published types know neither the list of them nor their streams. */
type EmscriptenModule = {
  FS: {
    ErrnoError: new (code: number) => Error;
    filesystems: { NODEFS: { stream_ops: { fsync?: (stream: Stream) => number } } };
  };
};

/** What WebAssembly calls the failures that a disk has. */
const EIO = 29;
const ERRNO: Readonly<Record<string, number>> = { EDQUOT: 19, ENOSPC: 51, EROFS: 69 };

/** PGlite's file system with the `fsync` that it lacks: without it nothing that PostgreSQL wrote survives a loss of power. */
export class SyncedFilesystem extends NodeFS {
  override async init(pglite: PGlite, options: Options): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const addSync = (module: object) => {
      const { FS } = module as EmscriptenModule;
      FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
        try {
          fsyncSync(nfd);
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          throw new FS.ErrnoError(ERRNO[code ?? ''] ?? EIO);
        }
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } };
  }
}

/** Lies in a cluster whose files are all on the disk; releases that did not wait for the disk leave none. */
const SYNCED_MARK = 'callwright-synced';

/** Brings a whole cluster to the disk, once: what is written later PostgreSQL brings there itself. */
export async function syncCluster(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, SYNCED_MARK))) return;
  await syncTree(dataDir);
  await writeFile(join(dataDir, SYNCED_MARK), '');
  await syncPath(join(dataDir, SYNCED_MARK));
  await syncPath(dataDir);
  await syncPath(dirname(dataDir));
}
