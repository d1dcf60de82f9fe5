import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeNextPath } from './next-path.ts';

const SITE = 'https://calls.example';

/** What hostile addresses are made of. */
const PIECES = [
  '/',
  '//',
  '\\',
  '.',
  '..',
  '%2e',
  '%2F',
  '%5c',
  '\t',
  '\n',
  '\r',
  '\u0000',
  ' ',
  '@',
  ':',
  '?',
  '#',
  'http:',
  'https:',
  'javascript:',
  'evil.test',
  'user:pw@',
  'here.invalid',
  '\u{ff0f}',
  '\u{2215}',
  'a',
];

describe('where to go after signing in', () => {
  it.each(['/w/ws_1/conversations?search=a%20b', '/', '/w/ws_1?next=//evil.test#part', '/a//b'])(
    'keeps the path %j of this site',
    (next) => {
      expect(safeNextPath(next)).toBe(next);
    },
  );

  it.each([
    'https://evil.test/',
    'https:evil.test',
    '//evil.test/',
    '/.//evil.test/x',
    '/..//evil.test/x',
    '/././/evil.test',
    '/%2e//evil.test',
    '/%2E%2e//evil.test',
    '/a/..//evil.test',
    '/.\\/evil.test',
    '/\\evil.test/',
    '/\t/evil.test',
    '/\n/evil.test',
    '/.\r//evil.test',
    '//user:pass@evil.test/',
    '/.//user@evil.test',
    '///evil.test',
    '//\u{ff45}vil.test',
    'javascript:alert(1)',
    '',
    'w/ws_1',
    undefined,
  ])('goes home instead of following %j', (next) => {
    expect(safeNextPath(next)).toBe('/');
  });

  it('takes the first of several', () => {
    expect(safeNextPath(['/a', 'https://evil.test'])).toBe('/a');
  });

  it('leads to this site whatever the spelling, and a second look changes nothing', () => {
    const piece = fc.constantFrom(...PIECES);
    const spelling = fc.oneof(
      fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 9 }).map((pieces) => `/${pieces.join('')}`),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(spelling, (next) => {
        const path = safeNextPath(next);
        expect(path).toMatch(/^\/(?![/\\])/);
        expect(new URL(path, `${SITE}/sign-in?next=x`).origin).toBe(SITE);
        expect(safeNextPath(path)).toBe(path);
      }),
      { numRuns: 200 },
    );
  });
});
