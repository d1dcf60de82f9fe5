import { expect, it } from 'vitest';
import { shareIdOf, shareStateOf, tokenOf } from './rules.ts';

it('a token names its share, to whoever has the secret that signed it', () => {
  const token = tokenOf('share_1', 'secret');
  expect(shareIdOf(token, 'secret')).toBe('share_1');
  expect(shareIdOf(token, 'another')).toBeUndefined();
});

it.each([
  '',
  '.',
  'share_1',
  'share_1.',
  'share_2.SIG',
  'share_1.SIG.',
  'cnv_1.SIG',
  'share_1.SI',
  '\u0000.SIG',
])('no other text is one: %j', (text) => {
  const signature = tokenOf('share_1', 'secret').split('.')[1] ?? '';
  expect(shareIdOf(text.replace('SIG', signature), 'secret')).toBeUndefined();
});

it('a link is open until it expires or is revoked', () => {
  const now = new Date('2026-03-02T09:00:00.000Z');
  const later = new Date(now.getTime() + 1);
  expect(shareStateOf({ expiresAt: later, revokedAt: null }, now)).toBe('open');
  expect(shareStateOf({ expiresAt: now, revokedAt: null }, now)).toBe('expired');
  expect(shareStateOf({ expiresAt: later, revokedAt: now }, now)).toBe('revoked');
});
