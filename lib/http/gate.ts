import { AppError } from '#lib/errors.ts';
import { type BodyLimit, bodyLimitOf, type Operation } from './operation.ts';

/** What a request line and its headers say about where a request wants to go. */
export type Addressed = {
  method: string;
  pathname: string;
  /** A browser that can show a page, or Next's own client on its way to one. */
  wantsPage: boolean;
};

/** The path to route, below `/api` without trailing slashes, and how much body it takes. */
export type Admitted = { path: string; limit: BodyLimit };

/** Pages are read. */
const NO_BODY = bodyLimitOf({});

type Known = {
  /** Below `/api`, with `{name}` placeholders. */
  routes: readonly (Pick<Operation, 'body' | 'maxBodyBytes' | 'crossOrigin'> & {
    method: string;
    path: string;
  })[];
  /** Whether Next has a page or a file at a path. Undefined in development, where Next compiles them when asked. */
  isPage: ((pathname: string) => boolean) | undefined;
};

/**
 * Decides before routing whether a path exists, so that every unknown path, and every method a path does not have,
 * is answered `404 Route not found` in the contract's form instead of by the framework. Only somebody who can show a page gets one for an unknown path.
 */
export function createGate(known: Known) {
  const matchers = known.routes.map((route) => ({
    methods: [route.method, ...(route.crossOrigin ? ['OPTIONS'] : [])],
    segments: `/api${route.path}`.split('/'),
    limit: bodyLimitOf(route),
  }));

  function admitToApi(method: string, pathname: string): Admitted {
    const path = pathname.replace(/\/+$/, '');
    const segments = path.split('/');
    if (segments.some((segment) => !isDecodable(segment))) {
      throw new AppError('MALFORMED_REQUEST', 'The path is not valid percent-encoded UTF-8');
    }
    const wanted = method === 'HEAD' ? 'GET' : method;
    const known = matchers.find(
      (matcher) => matcher.methods.includes(wanted) && matches(matcher.segments, segments),
    );
    if (!known) throw routeNotFound();
    return { path, limit: known.limit };
  }

  return function admit({ method, pathname, wantsPage }: Addressed): Admitted {
    if (isApiPath(pathname)) return admitToApi(method, pathname);
    const page = { path: pathname, limit: NO_BODY };
    if (!known.isPage) return page;
    const isRead = method === 'GET' || method === 'HEAD';
    // Next answers both spellings with a redirect, a POST's as well.
    const isPlain = !pathname.includes('\\') && !pathname.includes('//');
    if (!isRead || !isPlain || !(wantsPage || known.isPage(pathname))) throw routeNotFound();
    return page;
  };
}

export function isApiPath(pathname: string): boolean {
  return pathname === '/api' || pathname.startsWith('/api/');
}

function routeNotFound(): AppError {
  return new AppError('ROUTE_NOT_FOUND', 'Route not found');
}

function matches(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
  );
}

function isDecodable(segment: string): boolean {
  try {
    return !decodeURIComponent(segment).includes('\u0000');
  } catch {
    return false;
  }
}
