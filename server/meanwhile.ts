import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AppError } from '#lib/errors.ts';
import type { Env } from '#lib/env.ts';
import { errorResponse } from '#lib/http/error-response.ts';
import { RELEASE } from '#lib/version.ts';
import { listen } from './listen.ts';

/** Why the service is not there yet: for the message, and for programs. */
export type Missing = { because: string; details: Record<string, unknown> };

/** Answers at the service's port until the service itself does. It listens from the first `show` on. */
export type Meanwhile = { show(missing: Missing): Promise<void>; close(): Promise<void> };

/**
 * What stands in for a service that waits for its database or migrates it: probes see that the process lives
 * (/api/health) and is not ready (/api/ready), everything else is to be asked again.
 */
export function createMeanwhile({ host, port, role }: Pick<Env, 'host' | 'port' | 'role'>): Meanwhile {
  let shown: Missing | undefined;
  let opened: Promise<Server> | undefined;
  async function open(): Promise<Server> {
    const server = createServer((request, response) => void answer(request, response, { role, shown }));
    server.headersTimeout = 10_000;
    server.requestTimeout = 10_000;
    await listen(server, { host, port });
    return server;
  }
  return {
    async show(missing) {
      shown = missing;
      await (opened ??= open());
    },
    async close() {
      const server = await opened?.catch(() => undefined);
      if (!server) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { role, shown }: { role: Env['role']; shown: Missing | undefined },
): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  const isLook = request.method === 'GET' || request.method === 'HEAD';
  const answered =
    isLook && path === '/api/health'
      ? Response.json({ data: { status: 'ok', ...RELEASE, role } })
      : errorResponse(
          new AppError('NOT_READY', `Not ready: ${shown?.because ?? 'starting'}`, {
            details: shown?.details ?? {},
            retryAfterSeconds: 2,
          }),
        );
  // A connection that is kept open would keep this server open.
  response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), connection: 'close' });
  response.end(request.method === 'HEAD' ? undefined : await answered.text());
}
