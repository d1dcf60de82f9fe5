import { once } from 'node:events';
import { globSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getSortedRoutes } from 'next/dist/shared/lib/router/utils/sorted-routes.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isContractPath } from '#lib/http/contract-operations.ts';
import { isForDashboard } from '#lib/http/operation.ts';
import { operations } from '#lib/http/operations.ts';
import type { RouteHandler } from '#lib/http/route.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { createHttpServer } from './http.ts';
import { sendWebResponse, webRequest } from './testing.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const documented = operations.filter((operation) => !isForDashboard(operation));
const paths = [...new Set(documented.map(({ path }) => path))];

let runtime: TestRuntime;
let server: Server;
let origin: string;
let folders: string[];

beforeAll(async () => {
  runtime = await startTestRuntime();
  const files = globSync('app/api/**/route.ts');
  folders = getSortedRoutes(files.map((file) => file.slice('app'.length, -'/route.ts'.length)));
  server = createHttpServer({
    figures: { metrics: noMetrics, token: undefined },
    handle: serveAsNextDoes,
    isPage: () => false,
    staticFiles: undefined,
    publicUrl: 'http://localhost:3000',
    development: false,
    trustedProxies: [],
    rateLimiter: { take: async () => {} },
    ids: runtime.ids,
    log: runtime.log,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await runtime.close();
});

/** Next takes the first folder in its own order, and answers 405 without a body for a method that the file there lacks. */
async function serveAsNextDoes(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = webRequest(incoming);
  const { pathname } = new URL(request.url);
  for (const folder of folders) {
    const match = new RegExp(`^${folder.replace(/\[(\w+)\]/g, '(?<$1>[^/]+)')}$`).exec(pathname);
    if (!match) continue;
    const file = (await import(`../app${folder}/route.ts`)) as Partial<Record<string, RouteHandler>>;
    const handle = file[request.method] ?? (request.method === 'HEAD' ? file.GET : undefined);
    const answer = handle
      ? await handle(request, { params: Promise.resolve({ ...match.groups }) })
      : new Response(null, { status: 405 });
    return sendWebResponse(answer, outgoing);
  }
  throw new Error(`There is no folder for ${pathname}`);
}

/** A path asked for in each way: with an id, and with each word that stands beside a placeholder in another path. */
function addressesOf(path: string): string[] {
  return path.split('/').reduce<string[]>(
    (sofar, segment, at) => {
      const beside = paths
        .map((other) => other.split('/')[at] ?? '{}')
        .filter((word) => !word.startsWith('{'));
      const words = segment.startsWith('{') ? ['some_id', ...new Set(beside)] : [segment];
      return sofar.flatMap((begun) => words.map((word) => (at === 0 ? '' : `${begun}/${word}`)));
    },
    [''],
  );
}

/** The documented path behind an address: at the first place where two differ, a word comes before a placeholder. */
function pathOf(address: string): string {
  const words = address.split('/');
  const fits = (path: string) => {
    const segments = path.split('/');
    return (
      segments.length === words.length &&
      segments.every((part, at) => part.startsWith('{') || part === words[at])
    );
  };
  const [found = ''] = paths
    .filter(fits)
    .toSorted((one, other) => (one.replaceAll('{', '~') < other.replaceAll('{', '~') ? -1 : 1));
  return found;
}

function methodsOf(path: string): string[] {
  return documented
    .filter((operation) => operation.path === path)
    .flatMap(({ method, crossOrigin }) => [
      method,
      ...(method === 'GET' ? ['HEAD'] : []),
      ...(crossOrigin ? ['OPTIONS'] : []),
    ])
    .toSorted();
}

describe.each([...new Set(paths.flatMap(addressesOf))])('%s', (address) => {
  const path = pathOf(address);
  it.each(METHODS)(
    'answers %s by its route, or says in the form of the API that it has none',
    async (method) => {
      const response = await fetch(`${origin}/api${address}`, { method });
      const text = await response.text();
      const { error } = JSON.parse(text === '' ? '{}' : text) as {
        error?: { code: string; message: string };
      };
      expect(response.status).toBeLessThan(500);
      if (methodsOf(path).includes(method)) {
        expect(['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED']).not.toContain(error?.code);
        expect(response.status).not.toBe(405);
        return;
      }
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      const expected = isContractPath(path)
        ? { status: 404, allow: null, code: 'ROUTE_NOT_FOUND' }
        : { status: 405, allow: methodsOf(path).join(', '), code: 'METHOD_NOT_ALLOWED' };
      expect({ status: response.status, allow: response.headers.get('allow'), code: error?.code }).toEqual(
        method === 'HEAD' ? { ...expected, code: undefined } : expected,
      );
    },
  );
});
