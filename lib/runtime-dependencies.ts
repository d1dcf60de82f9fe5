import { availableParallelism } from 'node:os';
import { sql } from 'drizzle-orm';
import { type Database, openDatabase, type OpenDatabase, queryRows } from '#db/client.ts';
import type { OnMigration } from '#db/migration-progress.ts';
import { endProcess } from '#db/pglite.ts';
import { createPrometheusMetrics, type Readings } from '#lib/adapters/metrics/prometheus.ts';
import { createPgBossQueue } from '#lib/adapters/queue/pg-boss.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { startSharedClock } from '#lib/adapters/system/shared-clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { makePrivate } from '#lib/adapters/system/private-folder.ts';
import { createSealer } from '#lib/adapters/system/sealer.ts';
import { deriveSecret } from '#lib/adapters/system/secret.ts';
import { loadSecret } from '#lib/auth/installation-secret.ts';
import { createIdleProcesses } from '#lib/conversation-process/idle.ts';
import { journalFolder, simulationFolder } from '#lib/conversation-process/journal.ts';
import { createConversationProcesses } from '#lib/conversation-process/processes.ts';
import { openModels } from '#lib/conversation-runtime.ts';
import { withWayOut } from '#lib/installation/copies.ts';
import { warnOfUnsafe } from '#lib/installation/examine.ts';
import { refuseUnfit } from '#lib/installation/fit.ts';
import type { Env } from '#lib/env.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { readBacklog, readConnections } from '#lib/features/status/repository.ts';
import { describeError, type Logger } from '#lib/log.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { noTracer, type Tracer } from '#lib/ports/tracer.ts';
import { openStorage } from '#lib/storage-runtime.ts';
import { RELEASE } from '#lib/version.ts';

/** Longer than somebody reads the results before they run them again; each process takes memory meanwhile. */
const SIMULATIONS_IDLE_MS = 5 * 60_000;
/** What the processes of conversations and of simulations run. */
const SIMULATION_PROCESS = new URL('../server/simulation-process.ts', import.meta.url);
const CONVERSATION_PROCESS = new URL('../server/conversation-process.ts', import.meta.url);

/**
 * Opens what the environment names. The only place, with lib/runtime.ts and lib/conversation-runtime.ts, that picks
 * adapters. `conversationProcess`: what is run in the processes of conversations; a bench has its own.
 */
export async function openDependencies(
  env: Env,
  log: Logger,
  {
    conversationProcess = CONVERSATION_PROCESS,
    onMigration,
  }: { conversationProcess?: URL; onMigration?: OnMigration } = {},
): Promise<Dependencies> {
  keepFoldersPrivate(env, log);
  const database = await openMigrated(env, log, onMigration);
  // The embedded database gives the files of a new cluster to everybody, whatever the umask.
  keepFoldersPrivate(env, log);
  const secret = await loadSecret(
    { db: database.db, clock: systemClock },
    { configured: env.authSecret, dataDir: env.dataDir },
  );
  const { metrics, readFrom } = openMetrics(env);
  const processes =
    env.conversationProcesses === 0
      ? undefined
      : createConversationProcesses({
          count: env.conversationProcesses,
          entry: conversationProcess,
          // Read where it is started: another working directory would give another folder.
          env: { ...process.env, DATA_DIR: env.dataDir },
          journalFolder: journalFolder(env.dataDir),
          clock: systemClock,
          log,
          metrics,
        });
  readFrom(readingsOf({ database, processes, log }));
  return {
    env,
    database,
    db: database.db,
    // The one process of an embedded database has nobody to agree with.
    clock: database.pglite ? systemClock : await startSharedClock(() => readTimeMs(database.db)),
    ids: systemIds,
    log,
    metrics,
    tracer: await openTracer(env, log),
    queue: createPgBossQueue(database, log, { connections: env.databaseConnections.queue }),
    storage: await openStorage(env.storage),
    ...openModels(env, log),
    processes,
    simulationProcesses: processes && openSimulationProcesses(env, log),
    authSecret: secret,
    sealer: createSealer(secret),
    signingSecret: deriveSecret(secret, 'links'),
  };
}

async function openMigrated(
  env: Env,
  log: Logger,
  onMigration: OnMigration | undefined,
): Promise<OpenDatabase> {
  const database = await openConfigured(env, log);
  try {
    await refuseUnfit(database, env.dataDir);
    await database.migrate({ onMigration });
    if (env.databaseUrl) await warnOfUnsafe(database.db, log);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function openConfigured(env: Env, log: Logger): Promise<OpenDatabase> {
  if (env.databaseUrl) {
    const { databaseUrl, databaseDirectUrl: directUrl, databaseConnections } = env;
    return openDatabase({ databaseUrl, directUrl, connections: databaseConnections.statements });
  }
  const onDead = (reason: string) => {
    log.fatal({ event: 'database_dead', reason });
    endProcess(reason);
  };
  return openDatabase({ dataDir: `${env.dataDir}/db`, onDead }).catch(async (error: unknown) => {
    throw await withWayOut(error, env.dataDir, systemClock.now());
  });
}

/** As many as there are cores but one; they are started with a simulation, and stopped a while after the last. */
function openSimulationProcesses(env: Env, log: Logger): Dependencies['simulationProcesses'] {
  const count = Math.max(1, availableParallelism() - 1);
  return createIdleProcesses({
    wanted: count,
    clock: systemClock,
    idleMs: SIMULATIONS_IDLE_MS,
    open: () =>
      createConversationProcesses({
        count,
        entry: SIMULATION_PROCESS,
        env: { ...process.env, DATA_DIR: env.dataDir },
        journalFolder: simulationFolder(env.dataDir),
        clock: systemClock,
        log,
        goesLast: true,
      }),
  });
}

/** Figures cost nothing where nobody may ask for them. */
function openMetrics({ metricsToken, role }: Env): ReturnType<typeof createPrometheusMetrics> {
  if (metricsToken === undefined) return { metrics: noMetrics, readFrom() {} };
  return createPrometheusMetrics({ ...RELEASE, role });
}

/** What is read when somebody asks for the figures. */
function readingsOf({
  database: { db, pglite },
  processes,
  log,
}: Pick<Dependencies, 'database' | 'processes' | 'log'>): Readings {
  return {
    async backlog() {
      try {
        const databaseConnections = pglite ? {} : await readConnections(db);
        return { ...(await readBacklog(db)), databaseConnections };
      } catch (error) {
        log.warn({ event: 'backlog_unread', error: describeError(error) });
        return undefined;
      }
    },
    conversationProcesses: () => processes?.counts() ?? { wanted: 0, ready: 0 },
    conversations: () => processes?.conversationCount() ?? 0,
  };
}

async function readTimeMs(db: Database): Promise<number> {
  const [row] = await queryRows<{ timeMs: number }>(
    db,
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as "timeMs"`,
  );
  return row?.timeMs ?? Date.now();
}

/** OpenTelemetry's packages are loaded where somebody collects traces. */
async function openTracer({ otlpEndpoint, role }: Env, log: Logger): Promise<Tracer> {
  if (otlpEndpoint === undefined) return noTracer;
  const { createOtlpTracer } = await import('#lib/adapters/tracing/otlp.ts');
  return createOtlpTracer({ endpoint: otlpEndpoint, version: RELEASE.version, role }, log);
}

/** What is written later is private by the process's umask (server/start.ts). */
function keepFoldersPrivate(env: Env, log: Logger): void {
  const folders = env.storage.kind === 'file' ? [env.dataDir, env.storage.folder] : [env.dataDir];
  for (const folder of new Set(folders)) {
    const { failed } = makePrivate(folder);
    if (failed > 0) log.warn({ event: 'folder_open_to_others', folder, entries: failed });
  }
}
