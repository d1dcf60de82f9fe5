import { AppError } from '#lib/errors.ts';
import type { Operation } from './operation.ts';

/** Paths below `/api` that have a route file but no operation object (better-auth answers them itself). */
const FOREIGN_PREFIXES = ['/api/auth/'];

type Matcher = { method: string; segments: string[] };

/**
 * Decides before routing whether an API path exists, so that every unknown path, and every method a path does not
 * have, is answered `404 Route not found` in the contract's form instead of by the framework's own pages. Gives back
 * the path to route (without trailing slashes), or throws.
 */
export function createGate(operations: readonly Operation[]) {
  const matchers: Matcher[] = operations.map((operation) => ({
    method: operation.method,
    segments: `/api${operation.path}`.split('/'),
  }));
  return function admit(method: string, pathname: string): string {
    const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
    if (FOREIGN_PREFIXES.some((prefix) => path.startsWith(prefix))) return path;
    const segments = path.split('/');
    if (segments.some((segment) => !isDecodable(segment))) {
      throw new AppError('MALFORMED_REQUEST', 'The path is not valid percent-encoded UTF-8');
    }
    const wanted = method === 'HEAD' ? 'GET' : method;
    const known = matchers.some(
      (matcher) => matcher.method === wanted && matches(matcher.segments, segments),
    );
    if (!known) throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
    return path;
  };
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
