import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeObjectStorage } from '#lib/ports/storage-conformance.ts';
import { createS3Storage } from './s3.ts';
import { startTestBucket, type TestBucket } from './s3-testing.ts';

const MIB = 1024 * 1024;

function storageIn({ endpoint, credentials }: TestBucket, prefix = 'calls/of/ours', bucket = 'callwright') {
  for (const [name, value] of Object.entries(credentials)) vi.stubEnv(name, value);
  return createS3Storage({ bucket, prefix, endpoint, region: undefined });
}

describeObjectStorage('A bucket', async () => {
  const bucket = await startTestBucket('callwright');
  return { storage: storageIn(bucket), close: () => bucket.close() };
});

describe('a bucket', () => {
  let bucket: TestBucket;
  beforeAll(async () => {
    bucket = await startTestBucket('callwright');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await bucket.close();
  });

  it('has every object below the prefix, and nothing else is listed', async () => {
    const ours = storageIn(bucket);
    await ours.put('recordings/a.wav', new Uint8Array([1]));
    await storageIn(bucket, 'calls/of/others').put('recordings/b.wav', new Uint8Array([2]));
    await storageIn(bucket, '').put('recordings/c.wav', new Uint8Array([3]));
    expect(bucket.keys()).toEqual([
      'calls/of/others/recordings/b.wav',
      'calls/of/ours/recordings/a.wav',
      'recordings/c.wav',
    ]);
    const listed = [];
    for await (const { key } of ours.list('')) listed.push(key);
    expect(listed).toEqual(['recordings/a.wav']);
  });

  it('takes a large body in parts, in their order', async () => {
    const storage = storageIn(bucket);
    const pieces = Array.from({ length: 20 }, (_, index) => Buffer.alloc(MIB, index));
    expect(await storage.put('large', iterate(pieces))).toEqual({ sizeBytes: 20 * MIB });
    const found = await storage.open('large');
    const bytes = Buffer.from(await new Response(found?.body).arrayBuffer());
    expect(bytes.equals(Buffer.concat(pieces))).toBe(true);
    expect(bucket.unfinishedUploads()).toBe(0);
  });

  it('aborts the upload of a large body that is over the limit, or breaks off', async () => {
    const storage = storageIn(bucket);
    const pieces = Array.from({ length: 30 }, () => Buffer.alloc(MIB));
    await expect(storage.put('over', iterate(pieces), { maxBytes: 20 * MIB })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
    const abort = new AbortController();
    const stopped = iterate(pieces, (index) => index === 20 && abort.abort(new Error('stopped')));
    await expect(storage.put('stopped', stopped, { signal: abort.signal })).rejects.toThrow('stopped');
    await vi.waitFor(() => expect(bucket.unfinishedUploads()).toBe(0));
    expect(bucket.keys().filter((key) => /over|stopped/.test(key))).toEqual([]);
  });

  it('is asked again where it has no time', async () => {
    const storage = storageIn(bucket);
    bucket.failNext(2);
    await storage.put('again', new Uint8Array([7]));
    expect(await storage.stat('again')).toMatchObject({ sizeBytes: 1 });
  });

  it('is not ready without the bucket, or with a wrong secret', async () => {
    await expect(storageIn(bucket, '', 'missing').ready()).rejects.toThrow('NoSuchBucket');
    const wrong = storageIn({
      ...bucket,
      credentials: { ...bucket.credentials, AWS_SECRET_ACCESS_KEY: 'guess' },
    });
    await expect(wrong.ready()).rejects.toThrow('SignatureDoesNotMatch');
  });

  it('does not say that an object is missing where the bucket is', async () => {
    await expect(storageIn(bucket, '', 'missing').open('a')).rejects.toThrow('NoSuchBucket');
  });
});

async function* iterate(pieces: Buffer[], before: (index: number) => unknown = () => undefined) {
  for (const [index, piece] of pieces.entries()) {
    before(index);
    yield piece;
  }
}
