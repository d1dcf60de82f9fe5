import { describe, expect, it } from 'vitest';
import { safeNextPath } from './next-path.ts';

describe('where to go after signing in', () => {
  it('keeps a path of this site with its query', () => {
    expect(safeNextPath('/w/ws_1/conversations?search=a%20b')).toBe('/w/ws_1/conversations?search=a%20b');
  });

  it.each([
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test/',
    '/\t/evil.test',
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
});
