import { describe, expect, it } from 'vitest';
import { nextUploads, progressOf, refusalOf, startable, type Upload } from './upload-queue.ts';

const waiting = (key: number): Upload => ({
  key,
  knowledgeBaseId: 'kb',
  namesakes: [],
  file: new File(['x'], `${key}.txt`),
  phase: 'waiting',
  fraction: 0,
});

describe('the upload queue', () => {
  it('starts two files at a time and the next when one has ended', () => {
    let uploads = nextUploads([], { kind: 'added', uploads: [waiting(1), waiting(2), waiting(3)] });
    expect(startable(uploads).map((upload) => upload.key)).toEqual([1, 2]);
    uploads = nextUploads(uploads, { kind: 'started', key: 1 });
    uploads = nextUploads(uploads, { kind: 'started', key: 2 });
    expect(startable(uploads)).toEqual([]);
    uploads = nextUploads(uploads, { kind: 'ended', key: 1, phase: 'completed', result: '3 passages' });
    expect(startable(uploads).map((upload) => upload.key)).toEqual([3]);
  });

  it('shows a file whose bytes are all sent as being read', () => {
    const uploads = nextUploads([waiting(1)], { kind: 'sent', key: 1, fraction: 1 });
    expect(uploads[0]?.phase).toBe('reading');
  });

  it('does not bring a cancelled file back when late progress arrives', () => {
    const cancelled = nextUploads([waiting(1)], {
      kind: 'ended',
      key: 1,
      phase: 'cancelled',
      result: 'Cancelled',
    });
    expect(nextUploads(cancelled, { kind: 'sent', key: 1, fraction: 0.5 })[0]?.phase).toBe('cancelled');
  });

  it('asks before a file of a name that is there is sent, and replaces only what it was told to', () => {
    const namesakes = [{ id: 'doc_old', createdAt: '2026-11-03T14:02:00.000Z' }];
    const asking = (key: number): Upload => ({ ...waiting(key), phase: 'asking', namesakes });
    let uploads = [asking(1), asking(2)];
    expect(startable(uploads)).toEqual([]);
    uploads = nextUploads(uploads, { kind: 'answered', key: 1, isReplacing: true });
    uploads = nextUploads(uploads, { kind: 'answered', key: 2, isReplacing: false });
    expect(startable(uploads).map((upload) => upload.namesakes)).toEqual([namesakes, []]);
    uploads = nextUploads(uploads, { kind: 'answered', key: 2, isReplacing: true });
    expect(uploads[1]?.namesakes).toEqual([]);
  });

  it('refuses the second of two files of one name, in one drop and while the first is on its way', () => {
    const named = (key: number, name: string): Upload => ({ ...waiting(key), file: new File(['x'], name) });
    let uploads = nextUploads([], {
      kind: 'added',
      uploads: [named(1, 'prices.md'), named(2, 'prices.md'), named(3, 'hours.md')],
    });
    expect(uploads.map((upload) => upload.phase)).toEqual(['waiting', 'failed', 'waiting']);
    expect(uploads[1]?.result).toMatch(/^Another file of this name is being uploaded\./);
    uploads = nextUploads(uploads, { kind: 'started', key: 1 });
    uploads = nextUploads(uploads, { kind: 'added', uploads: [named(4, 'prices.md')] });
    expect(uploads[3]?.phase).toBe('failed');
    uploads = nextUploads(uploads, { kind: 'ended', key: 1, phase: 'completed', result: '1 chunk' });
    uploads = nextUploads(uploads, { kind: 'added', uploads: [named(5, 'prices.md')] });
    expect(uploads[4]?.phase).toBe('waiting');
  });

  it('clears what is over and keeps what is running', () => {
    const uploads = nextUploads([{ ...waiting(1), phase: 'failed' }, waiting(2)], { kind: 'cleared' });
    expect(uploads.map((upload) => upload.key)).toEqual([2]);
  });

  it('sends a file once more that did not arrive, but not one that the service refused', () => {
    const uploads = [waiting(1), waiting(2)];
    const ended = [
      { kind: 'ended', key: 1, phase: 'failed', result: 'Not reached', mayRetry: true },
      { kind: 'ended', key: 2, phase: 'failed', result: 'No JSON' },
      { kind: 'retried', key: 1 },
      { kind: 'retried', key: 2 },
    ] as const;
    expect(ended.reduce<Upload[]>(nextUploads, uploads).map((upload) => upload.phase)).toEqual([
      'waiting',
      'failed',
    ]);
  });

  it('tells in one sentence how far all files are', () => {
    const uploads: Upload[] = [
      { ...waiting(1), phase: 'completed' },
      { ...waiting(2), phase: 'failed' },
      waiting(3),
    ];
    expect(progressOf(uploads)).toBe('2 of 3 files done, 1 failed');
    expect(progressOf([waiting(1)])).toBe('0 of 1 file done');
  });

  it('refuses wrong types, oversized and empty files before sending', () => {
    expect(refusalOf({ name: 'photo.png', size: 10 })).toContain('.png is not supported');
    expect(refusalOf({ name: 'README', size: 10 })).toContain('This file is not supported');
    expect(refusalOf({ name: 'a.pdf', size: 50 * 1024 * 1024 + 1 })).toContain('Larger than 50 MB');
    expect(refusalOf({ name: 'a.md', size: 0 })).toContain('empty');
    expect(refusalOf({ name: 'A.PDF', size: 50 * 1024 * 1024 })).toBeUndefined();
  });
});
