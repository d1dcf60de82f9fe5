import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLinkValid, parseRange, signRecordingPath, waveformKeyOf } from './rules.ts';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const SECRET = 'a secret for links';
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

function linkOf(callId: string) {
  const { searchParams } = new URL(signRecordingPath(callId, NOW, SECRET), 'http://localhost');
  return {
    callId,
    expires: searchParams.get('expires') ?? undefined,
    signature: searchParams.get('signature') ?? undefined,
  };
}

describe('a signed link', () => {
  it('is good for 3,600 seconds and not one more', () => {
    expect(isLinkValid(linkOf('cnv_1'), later(3599), SECRET)).toBe(true);
    expect(isLinkValid(linkOf('cnv_1'), later(3600), SECRET)).toBe(false);
  });

  it('is refused where it would last longer than ours, although it has our signature', () => {
    const ahead = (seconds: number) => {
      const { searchParams } = new URL(
        signRecordingPath('cnv_1', later(seconds), SECRET),
        'http://localhost',
      );
      return Object.fromEntries(searchParams);
    };
    expect(isLinkValid({ callId: 'cnv_1', ...ahead(30) }, NOW, SECRET)).toBe(true);
    expect(isLinkValid({ callId: 'cnv_1', ...ahead(28 * 365 * 86_400) }, NOW, SECRET)).toBe(false);
  });

  it('opens one recording, with one secret', () => {
    expect(isLinkValid({ ...linkOf('cnv_1'), callId: 'cnv_2' }, NOW, SECRET)).toBe(false);
    expect(isLinkValid(linkOf('cnv_1'), NOW, 'another secret')).toBe(false);
  });

  it('cannot be made to live longer, nor be guessed', () => {
    const link = linkOf('cnv_1');
    expect(isLinkValid({ ...link, expires: String(Number(link.expires) + 1) }, NOW, SECRET)).toBe(false);
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (expires, signature) => !isLinkValid({ callId: 'cnv_1', expires, signature }, NOW, SECRET),
      ),
    );
  });
});

describe('a range', () => {
  it.each([
    [null, { kind: 'whole' }],
    ['bytes=0-', { kind: 'part', start: 0, end: 99 }],
    ['bytes=0-0', { kind: 'part', start: 0, end: 0 }],
    ['bytes=90-500', { kind: 'part', start: 90, end: 99 }],
    ['bytes=-10', { kind: 'part', start: 90, end: 99 }],
    ['bytes=-500', { kind: 'part', start: 0, end: 99 }],
    ['bytes=100-', { kind: 'unsatisfiable' }],
    ['bytes=-0', { kind: 'unsatisfiable' }],
    ['bytes=5-2', { kind: 'whole' }],
    ['bytes=-', { kind: 'whole' }],
    ['bytes=0-1,5-6', { kind: 'whole' }],
    ['items=0-1', { kind: 'whole' }],
  ])('%j of 100 bytes', (header, expected) => {
    expect(parseRange(header, 100)).toEqual(expected);
  });

  it('never reaches outside the file', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), fc.nat(10_000), (from, to, sizeBytes) => {
        const range = parseRange(`bytes=${from}-${to}`, sizeBytes);
        return (
          range.kind !== 'part' || (range.start >= 0 && range.start <= range.end && range.end < sizeBytes)
        );
      }),
    );
  });
});

it('keeps the waveform beside its recording', () => {
  expect(waveformKeyOf('recordings/ws_1/cnv_1.wav')).toBe('recordings/ws_1/cnv_1.peaks.json');
});
