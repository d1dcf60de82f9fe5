import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAppError } from '#lib/errors.ts';
import type { ObjectStorage } from './storage.ts';

type Opened = { storage: ObjectStorage; close(): Promise<void> };

/** What every `ObjectStorage` must do; each adapter's test runs it against itself. */
export function describeObjectStorage(name: string, openStorage: () => Promise<Opened>): void {
  describe(`${name} as object storage`, () => {
    let opened: Opened;
    let storage: ObjectStorage;
    beforeEach(async () => {
      opened = await openStorage();
      storage = opened.storage;
    });
    afterEach(() => opened.close());

    it('gives back the bytes that were put, streamed or whole', async () => {
      expect(await storage.put('a/one.bin', pieces(['hello ', 'world']))).toEqual({ sizeBytes: 11 });
      await storage.put('a/two.bin', bytes('whole'));
      expect(await readText(storage, 'a/one.bin')).toBe('hello world');
      expect(await readText(storage, 'a/two.bin')).toBe('whole');
    });

    it('replaces what was under the key', async () => {
      await storage.put('a/one', bytes('first, and longer'));
      await storage.put('a/one', bytes('second'));
      expect(await readText(storage, 'a/one')).toBe('second');
    });

    it('serves ranges with both ends included, and the size of the whole', async () => {
      await storage.put('r', bytes('0123456789'));
      expect(await readText(storage, 'r', { start: 2, end: 4 })).toBe('234');
      expect(await readText(storage, 'r', { start: 7, end: 500 })).toBe('789');
      expect(await readText(storage, 'r', { start: 50, end: 60 })).toBe('');
      const part = await storage.open('r', { start: 2, end: 4 });
      expect(part?.sizeBytes).toBe(10);
      await part?.body.cancel();
    });

    it('answers undefined for what is not stored', async () => {
      expect(await storage.open('missing')).toBeUndefined();
      expect(await storage.stat('missing/deeper')).toBeUndefined();
      await storage.put('file', bytes('x'));
      expect(await storage.stat('file/below')).toBeUndefined();
    });

    it('refuses a body over maxBytes and leaves nothing behind', async () => {
      let taken = 0;
      const endless = (async function* () {
        for (;;) {
          taken += 1;
          yield bytes('x'.repeat(10));
        }
      })();
      const failure = await storage
        .put('big/file', endless, { maxBytes: 25 })
        .catch((error: unknown) => error);
      expect(isAppError(failure) && failure.code).toBe('FILE_TOO_LARGE');
      expect(taken).toBe(3);
      expect(await storage.stat('big/file')).toBeUndefined();
      expect(await keys(storage, '')).toEqual([]);
      expect(await storage.put('big/file', bytes('x'.repeat(25)), { maxBytes: 25 })).toEqual({
        sizeBytes: 25,
      });
    });

    it('shows nothing under the key when the body breaks off, and keeps what was there', async () => {
      await storage.put('k', bytes('old'));
      const broken = (async function* () {
        yield bytes('half');
        throw new Error('the connection was lost');
      })();
      await expect(storage.put('k', broken)).rejects.toThrow('the connection was lost');
      expect(await readText(storage, 'k')).toBe('old');
    });

    it('stops when its signal aborts', async () => {
      const abort = new AbortController();
      const body = (async function* () {
        yield bytes('one');
        abort.abort(new Error('stopped'));
        yield bytes('two');
      })();
      await expect(storage.put('s', body, { signal: abort.signal })).rejects.toThrow('stopped');
      expect(await storage.stat('s')).toBeUndefined();
    });

    it('tells size and time', async () => {
      await storage.put('t', bytes('four'));
      const found = await storage.stat('t');
      expect(found?.sizeBytes).toBe(4);
      expect(found?.modifiedAt).toBeInstanceOf(Date);
    });

    it('deletes, and a second time too', async () => {
      await storage.put('d/e/f', bytes('x'));
      await storage.delete('d/e/f');
      await storage.delete('d/e/f');
      expect(await storage.open('d/e/f')).toBeUndefined();
      expect(await storage.put('d/e', bytes('a key where a folder was'))).toEqual({ sizeBytes: 24 });
    });

    it('lists by prefix', async () => {
      for (const key of ['doc/a/1', 'doc/a/2', 'doc/b/1', 'docs', 'rec/1'])
        await storage.put(key, bytes(key));
      expect(await keys(storage, 'doc/')).toEqual(['doc/a/1', 'doc/a/2', 'doc/b/1']);
      expect(await keys(storage, 'doc/a/')).toEqual(['doc/a/1', 'doc/a/2']);
      expect(await keys(storage, 'doc')).toEqual(['doc/a/1', 'doc/a/2', 'doc/b/1', 'docs']);
      expect(await keys(storage, 'none/')).toEqual([]);
    });

    it.each([
      '../outside',
      'a/../../b',
      '/etc/passwd',
      'a//b',
      '',
      '.',
      '..',
      'a/./b',
      'a\\b',
      'a\u0000b',
      '.incoming/x',
      'a/',
    ])('refuses the key %j', async (key) => {
      await expect(storage.put(key, bytes('x'))).rejects.toThrow('not a storage key');
      await expect(storage.open(key)).rejects.toThrow('not a storage key');
    });

    it('puts and deletes beside each other in one folder without losing an object', async () => {
      const work = Array.from({ length: 40 }, async (_, index) => {
        await storage.put(`same/${index}`, bytes(String(index)));
        if (index % 2) await storage.delete(`same/${index}`);
      });
      await Promise.all(work);
      expect((await keys(storage, 'same/')).length).toBe(20);
    });

    it('is ready', async () => {
      await storage.ready();
    });
  });
}

const bytes = (text: string) => new TextEncoder().encode(text);

async function* pieces(texts: string[]) {
  for (const text of texts) yield bytes(text);
}

async function readText(
  storage: ObjectStorage,
  key: string,
  range?: { start: number; end: number },
): Promise<string> {
  const found = await storage.open(key, range);
  if (!found) throw new Error(`nothing under ${key}`);
  return new Response(found.body).text();
}

async function keys(storage: ObjectStorage, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const object of storage.list(prefix)) found.push(object.key);
  return found.sort();
}
