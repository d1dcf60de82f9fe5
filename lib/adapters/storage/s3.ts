import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { ObjectStorage } from '#lib/ports/storage.ts';
import { counted } from './counted.ts';
import { partsOfKey } from './key.ts';

export type S3Options = {
  bucket: string;
  /** Before each key, without a slash at its end; empty for the whole bucket. */
  prefix: string;
  /** A server that speaks S3 instead of Amazon's. Buckets are then parts of the path, not of the host's name. */
  endpoint: string | undefined;
  /** Undefined: as Amazon's own tools find it. */
  region: string | undefined;
};

/** Parts of an upload, of which two are on their way: no upload holds more than three of them in memory. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_ON_THE_WAY = 2;
const CONNECT_TIMEOUT_MS = 5_000;
/** Without a byte for so long, a request is given up and tried again. */
const IDLE_TIMEOUT_MS = 30_000;

/**
 * Objects in a bucket. Credentials come from where Amazon's tools look for them (AWS_ACCESS_KEY_ID and
 * AWS_SECRET_ACCESS_KEY, a profile, the machine's role). An object appears under its key when all of
 * it arrived, since S3 shows no unfinished upload; what a crash leaves of one is the bucket's to clear, by a life-cycle
 * rule for unfinished uploads (docs/configuration.md).
 */
export function createS3Storage({ bucket, prefix, endpoint, region }: S3Options): ObjectStorage {
  const client = new S3Client({
    ...(region === undefined ? {} : { region }),
    // Compatible servers take any region, but a signature names one.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' }),
    // Checksums as trailers of a chunked body are refused by many compatible servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpsAgent: { maxSockets: 200 },
      httpAgent: { maxSockets: 200 },
    },
  });
  const before = prefix === '' ? '' : `${prefix}/`;
  const at = (key: string) => ({ Bucket: bucket, Key: before + partsOfKey(key).join('/') });

  async function stat(key: string) {
    const found = await unlessMissing(client.send(new HeadObjectCommand(at(key))));
    if (!found) return undefined;
    return { key, sizeBytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
  }

  return {
    async put(key, body, options = {}) {
      let sizeBytes = 0;
      const parts = counted(body, { ...options, onBytes: (count) => (sizeBytes = count) });
      const upload = new Upload({
        client,
        params: { ...at(key), Body: Readable.from(parts, { objectMode: false }) },
        partSize: PART_BYTES,
        queueSize: PARTS_ON_THE_WAY,
      });
      const stop = () => void upload.abort().catch(() => undefined);
      options.signal?.addEventListener('abort', stop);
      try {
        await upload.done();
        return { sizeBytes };
      } catch (error) {
        options.signal?.throwIfAborted();
        throw error;
      } finally {
        options.signal?.removeEventListener('abort', stop);
      }
    },

    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const found = await unlessMissing(client.send(new GetObjectCommand({ ...at(key), Range })));
        return found && { body: bodyOf(found), sizeBytes: wholeSize(found) };
      } catch (error) {
        if (nameOf(error) !== 'InvalidRange') throw error;
        // Nothing of the object lies in the range.
        const whole = await stat(key);
        return whole && { body: webStream(Readable.from([])), sizeBytes: whole.sizeBytes };
      }
    },

    stat,

    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },

    async *list(wanted) {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: before + wanted, ContinuationToken }),
        );
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
          yield { key: Key.slice(before.length), sizeBytes: Size, modifiedAt: LastModified };
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    async ready() {
      await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: before, MaxKeys: 1 }));
    },
  };
}

/** `HeadObject` has no body to say which thing is missing: it calls everything NotFound. */
async function unlessMissing<Found>(asked: Promise<Found>): Promise<Found | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (nameOf(error) === 'NoSuchKey' || nameOf(error) === 'NotFound') return undefined;
    throw error;
  }
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}

/** `bytes 2-4/10` tells the size of the whole, where only a part was asked for. */
function wholeSize(found: GetObjectCommandOutput): number {
  const whole = found.ContentRange?.split('/')[1];
  return whole === undefined ? (found.ContentLength ?? 0) : Number(whole);
}

function bodyOf({ Body }: GetObjectCommandOutput): ReadableStream<Uint8Array> {
  if (!(Body instanceof Readable)) throw new Error('the store answered without a body');
  return webStream(Body);
}

function webStream(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}
