import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { QrCode } from './qr-code.tsx';

const markup = (text: string) => renderToStaticMarkup(<QrCode text={text} label={`QR code of ${text}`} />);

it('is drawn by the server, without a script, and says what it is', () => {
  const drawn = markup('sip:+15550100001@192.0.2.10:5060');
  expect(drawn).toContain('role="img" aria-label="QR code of sip:+15550100001@192.0.2.10:5060"');
  expect(drawn).not.toContain('<script');
  // The rule around the first corner mark: seven dark modules.
  expect(drawn).toContain(
    'M0 0h1v1h-1zM1 0h1v1h-1zM2 0h1v1h-1zM3 0h1v1h-1zM4 0h1v1h-1zM5 0h1v1h-1zM6 0h1v1h-1z',
  );
  expect(drawn).not.toContain('M7 0h1');
});

it('differs with its text, and has four modules of white on each side', () => {
  expect(markup('sip:one')).not.toBe(markup('sip:two'));
  const [, x, y, side] = /viewBox="(-?\d+) (-?\d+) (\d+)/.exec(markup('sip:one')) ?? [];
  expect([x, y]).toEqual(['-4', '-4']);
  expect((Number(side) - 8 - 17) % 4).toBe(0);
});
