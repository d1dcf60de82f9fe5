import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Reach, reachServer } from '#db/reachable.ts';
import { AppError } from '#lib/errors.ts';
import type { Env } from '#lib/env.ts';
import { errorResponse } from '#lib/http/error-response.ts';
import type { Logger } from '#lib/log.ts';
import { RELEASE } from '#lib/version.ts';

const FIRST_AFTER_MS = 500;
const LAST_AFTER_MS = 10_000;

type Waiting = Pick<Env, 'databaseUrl' | 'databaseDirectUrl' | 'host' | 'port' | 'role'>;

/**
 * Waits until the PostgreSQL server answers, and says so in the log; meanwhile the process lives, and is not ready.
 * Rejects where waiting does not help (see `reachServer`). Does nothing with the embedded database.
 */
export async function waitForDatabase(
  env: Waiting,
  log: Logger,
  { reach = reachServer, sleep = (ms: number) => delay(ms) } = {},
): Promise<void> {
  let server: Server | undefined;
  const startedAt = performance.now();
  try {
    for (let afterMs = FIRST_AFTER_MS; ; afterMs = Math.min(LAST_AFTER_MS, afterMs * 2)) {
      const found = await reachAll(env, reach);
      if (found.ok) break;
      log.warn({ event: 'database_away', reason: found.reason, nextTryAfterMs: afterMs });
      server ??= await serveMeanwhile(env);
      await sleep(afterMs);
    }
    if (server) log.info({ event: 'database_there', waitedMs: Math.round(performance.now() - startedAt) });
  } finally {
    await close(server);
  }
}

async function reachAll(
  { databaseUrl, databaseDirectUrl }: Waiting,
  reach: typeof reachServer,
): Promise<Reach> {
  const first: Reach = databaseUrl ? await reach(databaseUrl, 'DATABASE_URL') : { ok: true };
  if (!first.ok || !databaseDirectUrl) return first;
  return reach(databaseDirectUrl, 'DATABASE_DIRECT_URL');
}

/** What probes ask for is answered; everything else is to be asked again. */
async function serveMeanwhile({ host, port, role }: Waiting): Promise<Server> {
  const server = createServer((request, response) => void answer(request, response, role));
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, role: Env['role']): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  const isLook = request.method === 'GET' || request.method === 'HEAD';
  const said =
    isLook && path === '/api/health'
      ? Response.json({ data: { status: 'ok', ...RELEASE, role } })
      : errorResponse(
          new AppError('NOT_READY', 'Not ready: database', {
            details: { missing: ['database'] },
            retryAfterSeconds: 2,
          }),
        );
  // A connection that is kept open would keep this server open.
  response.writeHead(said.status, { ...Object.fromEntries(said.headers), connection: 'close' });
  response.end(request.method === 'HEAD' ? undefined : await said.text());
}

async function close(server: Server | undefined): Promise<void> {
  if (!server) return;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
