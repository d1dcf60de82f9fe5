import { describe, expect, it } from 'vitest';
import { isAppError } from '#lib/errors.ts';
import { createGate } from './gate.ts';

const admit = createGate({
  routes: [
    { method: 'GET', path: '/tags' },
    { method: 'POST', path: '/outbound' },
    { method: 'GET', path: '/agents/{agentId}' },
    { method: 'PUT', path: '/knowledge-bases/{id}' },
    { method: 'GET', path: '/knowledge-bases/workspace' },
    { method: 'GET', path: '/knowledge-bases/{id}/documents' },
    { method: 'DELETE', path: '/knowledge-bases/documents/{documentId}' },
    { method: 'GET', path: '/campaigns' },
    { method: 'POST', path: '/campaigns' },
    { method: 'POST', path: '/widget/{widgetId}/chats', crossOrigin: true },
  ],
  isPage: (pathname) => pathname === '/docs',
});

/** The path that is routed, or the code of the refusal. */
function outcome(method: string, pathname: string, wantsPage = false): string {
  try {
    return admit({ method, pathname, wantsPage }).path;
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}

describe('the gate', () => {
  it('lets in an operation by its method, HEAD for GET, with trailing slashes taken off', () => {
    expect(outcome('GET', '/api/tags')).toBe('/api/tags');
    expect(outcome('HEAD', '/api/tags//')).toBe('/api/tags');
    expect(outcome('POST', '/api/outbound/')).toBe('/api/outbound');
    expect(outcome('GET', '/api/agents/a%2Fb')).toBe('/api/agents/a%2Fb');
  });

  it.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/Tags'],
    ['GET', '/api//tags'],
    ['GET', '/api/agents/'],
    ['GET', '/api/agents%2Fone'],
    ['GET', '/api/outbound'],
    ['HEAD', '/api/outbound'],
    ['OPTIONS', '/api/tags'],
    ['TRACE', '/api/tags'],
    ['PROPFIND', '/api/tags'],
    ['PUT', '/api/knowledge-bases/workspace'],
    ['GET', '/api/knowledge-bases/documents/documents'],
  ])('knows no %s %s', (method, pathname) => {
    expect(outcome(method, pathname)).toBe('ROUTE_NOT_FOUND');
    expect(outcome(method, pathname, true)).toBe('ROUTE_NOT_FOUND');
  });

  it.each([
    ['PUT', '/api/campaigns', ['GET', 'HEAD', 'POST']],
    ['OPTIONS', '/api/campaigns/', ['GET', 'HEAD', 'POST']],
    ['GET', '/api/widget/w/chats', ['OPTIONS', 'POST']],
  ])(
    'says what else there is instead of %s %s, which the contract does not name',
    (method, pathname, allow) => {
      expect(() => admit({ method, pathname, wantsPage: false })).toThrow(
        expect.objectContaining({ code: 'METHOD_NOT_ALLOWED', status: 405, allow }),
      );
    },
  );

  it('refuses a path below /api that no text can be read from', () => {
    expect(outcome('GET', '/api/agents/%ff')).toBe('MALFORMED_REQUEST');
    expect(outcome('GET', '/api/agents/%00')).toBe('MALFORMED_REQUEST');
  });

  it('shows pages to whoever reads them, and takes nothing there', () => {
    expect(outcome('GET', '/docs')).toBe('/docs');
    expect(outcome('POST', '/docs', true)).toBe('ROUTE_NOT_FOUND');
    expect(outcome('OPTIONS', '/docs')).toBe('ROUTE_NOT_FOUND');
  });

  it('leaves an unknown page to Next only for somebody who can show it', () => {
    expect(outcome('GET', '/nothing', true)).toBe('/nothing');
    for (const pathname of ['/nothing', '/API/tags', '/%61pi/tags', '/apix'])
      expect(outcome('GET', pathname)).toBe('ROUTE_NOT_FOUND');
    for (const pathname of ['/docs//x', '/api\\tags'])
      expect(outcome('GET', pathname, true)).toBe('ROUTE_NOT_FOUND');
  });
});
