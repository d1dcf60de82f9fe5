import { describe, expect, it } from 'vitest';
import { costLabel, durationLabel, durationWords, tagLabel } from './wording.ts';

describe('figures in words', () => {
  it.each([
    [0, '0:00'],
    [75, '1:15'],
    [59.6, '1:00'],
    [3700, '1:01:40'],
    [-3, '0:00'],
  ])('shows %d seconds as %s', (seconds, label) => {
    expect(durationLabel(seconds)).toBe(label);
  });

  it('says durations in words', () => {
    expect(durationWords(42)).toBe('42 s');
    expect(durationWords(75)).toBe('1 min 15 s');
  });

  it.each([
    [0, '$0.00'],
    [123, '$1.23'],
    [4.5, '$0.045'],
    [0.123456, '$0.0012'],
  ])('shows %d cents as %s', (cents, label) => {
    expect(costLabel(cents)).toBe(label);
  });

  it('reads tags as words', () => {
    expect(tagLabel('voicemail_no_message')).toBe('Voicemail no message');
  });
});
