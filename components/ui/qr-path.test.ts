import { expect, it } from 'vitest';
import { qrPath } from './qr-path.ts';

it('begins with the rule around the first corner mark: seven dark modules', () => {
  const { path } = qrPath('sip:+15550100001@192.0.2.10:5060');
  expect(path).toMatch(
    /^M0 0h1v1h-1zM1 0h1v1h-1zM2 0h1v1h-1zM3 0h1v1h-1zM4 0h1v1h-1zM5 0h1v1h-1zM6 0h1v1h-1z/,
  );
  expect(path).not.toContain('M7 0h1');
});

it('differs with its text, and has four modules of white on each side', () => {
  expect(qrPath('sip:one').path).not.toBe(qrPath('sip:two').path);
  const { from, side } = qrPath('sip:one');
  expect(from).toBe(-4);
  expect((side - 8 - 17) % 4).toBe(0);
});
