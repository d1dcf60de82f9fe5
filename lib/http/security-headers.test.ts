import { describe, expect, test } from 'vitest';
import { securityHeaders } from './security-headers.ts';

const page = (given: Partial<Parameters<typeof securityHeaders>[0]> = {}) =>
  securityHeaders({ isApi: false, publicUrl: 'http://localhost:3000', development: false, ...given });

function directives(policy: string | undefined): Record<string, string> {
  return Object.fromEntries(
    (policy ?? '')
      .split('; ')
      .map((part) => [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf(' ') + 1)]),
  );
}

describe('a page', () => {
  test('runs scripts of its own origin and with its nonce only', () => {
    const { headers, nonce } = page();
    const policy = directives(headers['content-security-policy']);
    expect(policy['script-src']).toBe(`'self' 'nonce-${nonce}'`);
    expect(policy['style-src']).toBe(`'self' 'nonce-${nonce}'`);
    expect(policy['object-src']).toBe("'none'");
    expect(policy['base-uri']).toBe("'none'");
    expect(policy['frame-ancestors']).toBe("'none'");
  });

  test('allows unsafe-inline nowhere but in style attributes', () => {
    const policy = directives(page().headers['content-security-policy']);
    const unsafe = Object.entries(policy).filter(([, value]) => value.includes('unsafe-'));
    expect(unsafe).toEqual([['style-src-attr', "'unsafe-inline'"]]);
  });

  test('gets another nonce each time, in the form that Next reads', () => {
    const nonces = Array.from({ length: 100 }, () => page().nonce);
    expect(new Set(nonces).size).toBe(100);
    for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9+/_-]{22}==$/);
  });

  test('tells nobody its address where that is the key to it, and search engines nothing', () => {
    expect(page().headers['referrer-policy']).toBe('same-origin');
    expect(page({ isShared: true }).headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    });
  });

  test('says so when it is served over https, and not otherwise', () => {
    expect(page().headers).not.toHaveProperty('strict-transport-security');
    const secure = page({ publicUrl: 'https://calls.example' }).headers;
    expect(secure['strict-transport-security']).toMatch(/^max-age=\d+/);
    expect(secure['content-security-policy']).toContain('upgrade-insecure-requests');
  });

  test('may use the microphone, and no other device', () => {
    const permissions = page().headers['permissions-policy'];
    expect(permissions).toContain('microphone=(self)');
    expect(permissions).toContain('camera=()');
    expect(permissions).toContain('geolocation=()');
  });

  test('can be reloaded in development, where alone eval is allowed', () => {
    const policy = directives(page({ development: true }).headers['content-security-policy']);
    expect(policy['script-src']).toContain("'unsafe-eval'");
    expect(policy['connect-src']).toContain('ws:');
    expect(page().headers['content-security-policy']).not.toContain('eval');
  });
});

test('an API answer is no document: nothing in it runs, loads or is framed', () => {
  const { headers, nonce } = page({ isApi: true });
  expect(nonce).toBeUndefined();
  const policy = directives(headers['content-security-policy']);
  expect(policy['default-src']).toBe("'none'");
  expect(policy['frame-ancestors']).toBe("'none'");
  expect(policy).not.toHaveProperty('script-src');
});

test.each([true, false])(
  'every answer forbids sniffing, framing and telling other sites (API: %s)',
  (isApi) => {
    expect(page({ isApi }).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
  },
);
