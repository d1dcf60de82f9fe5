import type { Server } from 'node:http';
import { copyDatabase } from '#db/copy-database.ts';
import type { OnMigration } from '#db/migration-progress.ts';
import { setRuntime } from '#lib/current-runtime.ts';
import type { Env } from '#lib/env.ts';
import { createLogger, describeError, type Logger } from '#lib/log.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime, type Runtime } from '#lib/runtime.ts';
import { keepCopies } from '#lib/installation/copies.ts';
import { RELEASE } from '#lib/version.ts';
import { openServiceDoor, type ServiceDoor } from '#lib/installation/service-door.ts';
import { type Provisioned, provisionAtStart } from '#lib/features/provision/service.ts';
import { distDir, ROOT } from './build.ts';
import { collectAtRest } from './collect-at-rest.ts';
import { waitForDatabase } from './database-wait.ts';
import { createHttpServer } from './http.ts';
import { keepConnections, letConnectionsGo } from './keep-alive.ts';
import { listen } from './listen.ts';
import { createMeanwhile, type Meanwhile } from './meanwhile.ts';
import { openNext } from './next.ts';
import { readPagePaths } from './page-paths.ts';
import { createStaticFiles, staticFolders } from './static-files.ts';
import { createUpgradeHandler } from './web-sockets.ts';
import { welcome } from './welcome.ts';
import { createWorkerServer } from './worker-http.ts';

/** After the calls in progress had their time (DRAIN_SECONDS): for goodbyes, jobs and what is being sent. */
const STOP_WITHIN_MS = 10_000;

/**
 * Runs the process in its role until it is told to stop. `ready` is awaited before Next starts: the build runs
 * while the database opens.
 */
export async function runService(
  env: Env,
  options: {
    development: boolean;
    ready: Promise<void>;
    /** See `openDependencies`. */
    conversationProcess?: URL;
  },
): Promise<void> {
  const log = createLogger(env.logLevel);
  process.on('SIGTERM', leaveAtOnce);
  const meanwhile = createMeanwhile(env);
  await waitForDatabase(env, log, meanwhile);
  const door = env.databaseUrl ? undefined : await openServiceDoor(env.dataDir, log);
  const onMigration = showMigrations(meanwhile, log);
  const runtime = buildRuntime(await openDependencies(env, log, { ...options, onMigration }));
  setRuntime(runtime);
  const provisioned = env.role === 'worker' ? undefined : await provisionAtStart(runtime);
  await runtime.queue.start();
  await options.ready;
  const server =
    env.role === 'worker' ? openWorkerServer(runtime) : await openServer(runtime, options.development, log);
  await meanwhile.close();
  keepConnections(server, env.keepAliveMs);
  await listen(server, env);
  stopOnSignal(runtime, server, log);
  serveOperator(runtime, door);
  if (env.role !== 'web') await runtime.startWorker();
  await runtime.takeCalls();
  log.info({
    event: 'started',
    ...RELEASE,
    role: env.role,
    port: env.port,
    database: env.databaseUrl ? 'postgresql' : 'embedded',
  });
  announceTwilio(runtime, log);
  if (provisioned) process.stdout.write(welcome(env, provisioned));
  // With a server of its own the service has been given a machine for its speed.
  if (runtime.database.pglite) collectAtRest({ isBusy: () => runtime.dispatcher.callCount() > 0 });
  if (env.role === 'all') await fillDemo(provisioned, log);
}

/** Says how far the migrations are: in the log when they begin and are done, at the port all the while. */
function showMigrations(meanwhile: Meanwhile, log: Logger): OnMigration {
  return (step) => {
    if (step.done === 0 || step.done === step.of) log.info({ event: 'migrating', ...step });
    meanwhile
      .show({
        because: `migrating the database, ${step.done} of ${step.of} steps done`,
        details: { missing: ['database'], migration: step },
      })
      // What listens there will be named when the service itself listens.
      .catch(() => undefined);
  };
}

/** The service is whole without the demo's conversations; the next start goes on with them. */
async function fillDemo(provisioned: Provisioned | undefined, log: Logger): Promise<void> {
  try {
    await provisioned?.runDemoCalls?.();
  } catch (error) {
    log.warn({ event: 'demo_incomplete', error: describeError(error) });
  }
}

/** Copies of the embedded database, and what commands of the operator ask of a service that has it open. */
function serveOperator(
  { database: { pglite }, env, clock, log }: Runtime,
  door: ServiceDoor | undefined,
): void {
  if (!pglite) return;
  if (env.databaseCopyMs > 0) keepCopies({ pglite, dataDir: env.dataDir, clock, log }, env.databaseCopyMs);
  door?.serve({
    'copy-database': async (into) => String(await copyDatabase(pglite, `${env.dataDir}/db`, into)),
  });
}

/** What is to be entered at Twilio, ready to copy. */
function announceTwilio({ carrierCallbacks, env }: Runtime, log: Logger): void {
  const path = carrierCallbacks.incomingPath('twilio');
  if (path === undefined) return;
  log.info({ event: 'twilio_ready', webhook: `${env.publicUrl}${path}` });
  if (!env.publicUrl.startsWith('https:'))
    log.warn({
      event: 'twilio_needs_https',
      hint: 'Twilio brings the sound of calls to https addresses only: set PUBLIC_URL to one',
    });
}

function openWorkerServer(runtime: Runtime): Server {
  const server = createWorkerServer();
  server.on('upgrade', createUpgradeHandler(runtime));
  return server;
}

async function openServer(runtime: Runtime, development: boolean, log: Logger): Promise<Server> {
  const { env } = runtime;
  const next = await openNext({ env, development });
  const server = createHttpServer({
    handle: next.handle,
    isPage: development ? undefined : await readPagePaths(ROOT, distDir),
    staticFiles: development ? undefined : await createStaticFiles(staticFolders(ROOT, distDir)),
    publicUrl: env.publicUrl,
    development,
    trustedProxies: env.trustedProxies,
    rateLimiter: runtime.rateLimiter,
    figures: { metrics: runtime.metrics, token: env.metricsToken },
    ids: runtime.ids,
    log,
  });
  const upgrade = createUpgradeHandler(runtime);
  server.on('upgrade', (request, socket, head) => {
    if (!next.upgrade(request, socket, head)) upgrade(request, socket, head);
  });
  return server;
}

/** Until there is something to stop in order. The first process of a container ignores a signal that nobody listens for. */
const leaveAtOnce = () => process.exit(143);

/** First signal: stop in order. Second one: at once. */
function stopOnSignal(runtime: Runtime, server: Server, log: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(130);
    stopping = true;
    log.info({ event: 'stopping', signal });
    void stopInOrder(runtime, server)
      .then(() => log.info({ event: 'stopped' }))
      .catch((error: unknown) => log.error({ event: 'stop_failed', error: describeError(error) }))
      .finally(() => process.exit(0));
  };
  process.off('SIGTERM', leaveAtOnce);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  stopWithNpm(() => stop('SIGTERM'));
}

/**
 * `npm start` runs the service below a shell. A SIGTERM to npm ends that shell, which on Debian tells nobody: the
 * service sees only that it has another parent.
 */
function stopWithNpm(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
}

async function stopInOrder(runtime: Runtime, server: Server): Promise<void> {
  const stopWithinMs = runtime.env.drainMs + STOP_WITHIN_MS;
  const deadline = setTimeout(() => process.exit(1), stopWithinMs + 5_000);
  const closed = new Promise((resolve) => server.close(resolve));
  letConnectionsGo(server);
  await runtime.stop(stopWithinMs);
  // What is still open now are streams to browsers; they come back to the next process.
  server.closeAllConnections();
  await closed;
  clearTimeout(deadline);
}
