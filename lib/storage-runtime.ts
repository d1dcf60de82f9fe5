import { createFileStorage } from '#lib/adapters/storage/file.ts';
import type { Env } from '#lib/env.ts';
import type { ObjectStorage } from '#lib/ports/storage.ts';

/** Amazon's client takes 100 ms and 20 MB: it is loaded where a bucket is configured. */
export async function openStorage(storage: Env['storage']): Promise<ObjectStorage> {
  if (storage.kind === 'file') return createFileStorage(storage.folder);
  const { createS3Storage } = await import('#lib/adapters/storage/s3.ts');
  return createS3Storage(storage);
}
