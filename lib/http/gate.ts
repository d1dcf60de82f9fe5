import { AppError } from '#lib/errors.ts';
import { isContractPath, withoutNames } from './contract-operations.ts';
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

const PLACEHOLDER = '{}';
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

/** A path below `/api` with what may be done there. */
type KnownPath = { segments: string[]; limits: Map<string, BodyLimit>; isOfContract: boolean };

/**
 * Decides before routing whether a path exists, so that every unknown path, and every method a path does not have, is
 * answered in the contract's form instead of by the framework: `404 Route not found`, and `405` with `Allow` for a
 * wrong method on a path that the contract does not name. Only somebody who can show a page gets one for an unknown path.
 */
export function createGate(known: Known) {
  const paths = listPaths(known.routes);

  function admitToApi(method: string, pathname: string): Admitted {
    const path = pathname.replace(/\/+$/, '');
    const segments = path.split('/');
    if (segments.some((segment) => !isDecodable(segment))) {
      throw new AppError('MALFORMED_REQUEST', 'The path is not valid percent-encoded UTF-8');
    }
    const found = paths.find((known) => matches(known.segments, segments));
    if (!found) throw routeNotFound();
    const limit = found.limits.get(method);
    if (!limit) throw found.isOfContract ? routeNotFound() : methodNotAllowed(method, found);
    return { path, limit };
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

/** In the order in which Next looks: at each place a name comes before a placeholder, and only the first path counts. */
function listPaths(routes: Known['routes']): KnownPath[] {
  const paths = new Map<string, KnownPath>();
  for (const route of routes) {
    const key = withoutNames(route.path);
    const path = paths.get(key) ?? {
      segments: `/api${key}`.split('/'),
      limits: new Map<string, BodyLimit>(),
      isOfContract: isContractPath(key),
    };
    const limit = bodyLimitOf(route);
    path.limits.set(route.method, limit);
    if (route.method === 'GET') path.limits.set('HEAD', limit);
    if (route.crossOrigin) path.limits.set('OPTIONS', limit);
    paths.set(key, path);
  }
  const order = ({ segments }: KnownPath) => segments.join('/').replaceAll(PLACEHOLDER, '\uffff');
  return [...paths.values()].toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

function methodNotAllowed(method: string, { limits }: KnownPath): AppError {
  const allow = [...limits.keys()].toSorted();
  return new AppError('METHOD_NOT_ALLOWED', `This path takes no ${method}, but ${allow.join(', ')}`, {
    allow,
  });
}

function routeNotFound(): AppError {
  return new AppError('ROUTE_NOT_FOUND', 'Route not found');
}

function matches(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part === PLACEHOLDER ? segments[index] !== '' : part === segments[index]))
  );
}

/** Whether a part of a path is percent-encoded UTF-8 that the database takes as well. */
export function isDecodable(segment: string): boolean {
  try {
    return !decodeURIComponent(segment).includes('\u0000');
  } catch {
    return false;
  }
}
