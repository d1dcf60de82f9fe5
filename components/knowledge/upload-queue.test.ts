import { describe, expect, it } from 'vitest';
import { nextUploads, refusalOf, startable, type Upload } from './upload-queue.ts';

const waiting = (key: number): Upload => ({
  key,
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

  it('clears what is over and keeps what is running', () => {
    const uploads = nextUploads([{ ...waiting(1), phase: 'failed' }, waiting(2)], { kind: 'cleared' });
    expect(uploads.map((upload) => upload.key)).toEqual([2]);
  });

  it('refuses wrong types, oversized and empty files before sending', () => {
    expect(refusalOf({ name: 'photo.png', size: 10 })).toContain('.png is not supported');
    expect(refusalOf({ name: 'README', size: 10 })).toContain('This file is not supported');
    expect(refusalOf({ name: 'a.pdf', size: 50 * 1024 * 1024 + 1 })).toContain('Larger than 50 MB');
    expect(refusalOf({ name: 'a.md', size: 0 })).toContain('empty');
    expect(refusalOf({ name: 'A.PDF', size: 50 * 1024 * 1024 })).toBeUndefined();
  });
});
