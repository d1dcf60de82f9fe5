import { expect, it } from 'vitest';
import { createSealer } from './sealer.ts';

const sealer = createSealer('a secret of the service');

it('opens what it sealed, in its place and with its key alone', () => {
  const sealed = sealer.seal('Bearer grüße', 'row 1');
  expect(sealed).not.toContain('Bearer');
  expect(sealer.seal('Bearer grüße', 'row 1')).not.toBe(sealed);
  expect(sealer.open(sealed, 'row 1')).toBe('Bearer grüße');
  expect(sealer.open(sealed, 'row 2')).toBeUndefined();
  expect(createSealer('another').open(sealed, 'row 1')).toBeUndefined();
});

it('opens nothing that was changed', () => {
  const sealed = sealer.seal('x', 'row');
  for (const changed of [
    '',
    'v1.',
    'v2' + sealed.slice(2),
    sealed.slice(0, -2),
    `${sealed.slice(0, 8)}A${sealed.slice(9)}`,
  ])
    expect(sealer.open(changed, 'row')).toBeUndefined();
});
