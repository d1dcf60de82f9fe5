import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { BackupSeal } from './backup-seal.ts';

const PRIVATE_FILE = 0o600;

const digest = { sizeBytes: z.number().int(), sha256: z.string() };
const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** The last migration of the database that was backed up. */
  migration: z.object({ idx: z.number().int(), tag: z.string() }),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int(), ...digest }),
  ),
  /** `objects.jsonl`, a line for each stored file. */
  objects: z.object({ count: z.number().int(), totalBytes: z.number().int(), ...digest }),
  /** Recordings and documents that were missing where they should have been stored. */
  missing: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type StoredFile = { key: string; sizeBytes: number; sha256: string };
export type Digest = { sizeBytes: number; sha256: string };

const MANIFEST = 'manifest.json';
const OBJECTS = 'objects.jsonl';
export const tablePath = (folder: string, table: string) => join(folder, 'tables', `${table}.copy`);
export const objectsFolder = (folder: string) => join(folder, 'objects');

/** The bytes as they come; `digest` answers once they are all through. */
export function digested(body: AsyncIterable<Uint8Array>): {
  body: AsyncIterable<Uint8Array>;
  digest(): Digest;
} {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  return {
    body: (async function* () {
      for await (const part of body) {
        hash.update(part);
        sizeBytes += part.byteLength;
        yield part;
      }
    })(),
    digest: () => ({ sizeBytes, sha256: hash.digest('hex') }),
  };
}

/** The digest is that of the body, not of the sealed file. */
export async function writeDigested(
  path: string,
  body: AsyncIterable<Uint8Array>,
  seal: BackupSeal,
): Promise<Digest> {
  const counted = digested(body);
  await pipeline(seal.close(counted.body), createWriteStream(path, { mode: PRIVATE_FILE }));
  return counted.digest();
}

export async function digestOf(body: AsyncIterable<Uint8Array>): Promise<Digest> {
  const counted = digested(body);
  for await (const part of counted.body) void part;
  return counted.digest();
}

/** Written last, and whole or not at all: a folder without it is no backup. */
export async function writeManifest(folder: string, manifest: Manifest, seal: BackupSeal): Promise<void> {
  const draft = join(folder, `${MANIFEST}.draft`);
  await writeDigested(draft, bytesOf([`${JSON.stringify(manifest, undefined, 2)}\n`]), seal);
  await rename(draft, join(folder, MANIFEST));
}

/** Throws an Error that says why the folder holds no backup. */
export async function readManifest(folder: string, seal: BackupSeal): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  if (!existsSync(path))
    throw new Error(`${folder} is no finished backup: it has no ${MANIFEST}, which is written last`);
  const parts: Uint8Array[] = [];
  try {
    for await (const part of seal.open(createReadStream(path))) parts.push(part);
  } catch (error) {
    throw new Error(`the backup is damaged: ${path} cannot be read`, { cause: error });
  }
  const result = manifestSchema.safeParse(parseJson(Buffer.concat(parts).toString()));
  if (!result.success) throw new Error(`${folder}/${MANIFEST} is of another release, or was changed`);
  return result.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* bytesOf(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(line);
}

export async function writeObjectList(
  folder: string,
  files: readonly StoredFile[],
  seal: BackupSeal,
): Promise<Digest> {
  const lines = bytesOf(files.values().map((file) => `${JSON.stringify(file)}\n`));
  return writeDigested(join(folder, OBJECTS), lines, seal);
}

export async function* readObjectList(folder: string, seal: BackupSeal): AsyncGenerator<StoredFile> {
  const body = seal.open(createReadStream(join(folder, OBJECTS)));
  const lines = createInterface({ input: Readable.from(body, { objectMode: false }) });
  for await (const line of lines) yield JSON.parse(line) as StoredFile;
}

/** Compares every file of a backup with its checksum. Throws an Error that names what differs or is missing. */
export async function checkBackup(folder: string, seal: BackupSeal): Promise<Manifest> {
  const manifest = await readManifest(folder, seal);
  await compare(join(folder, OBJECTS), manifest.objects, seal);
  for (const table of manifest.tables) await compare(tablePath(folder, table.name), table, seal);
  for await (const file of readObjectList(folder, seal))
    await compare(join(objectsFolder(folder), file.key), file, seal);
  return manifest;
}

async function compare(path: string, wanted: Digest, seal: BackupSeal): Promise<void> {
  if (!existsSync(path)) throw new Error(`the backup is not whole: ${path} is missing`);
  const found = await digestOf(seal.open(createReadStream(path))).catch((error: unknown) => {
    throw new Error(`the backup is damaged: ${path} cannot be read`, { cause: error });
  });
  if (found.sha256 !== wanted.sha256) throw new Error(`the backup is damaged: ${path} has another checksum`);
}
