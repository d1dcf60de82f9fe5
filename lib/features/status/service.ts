import { statfs } from 'node:fs/promises';
import type { Database } from '#db/client.ts';
import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { AppError } from '#lib/errors.ts';
import { createModelHealthService } from '#lib/features/conversations/model-health/service.ts';
import type { CarrierStates } from '#lib/features/numbers/carriers/service.ts';
import { findWorkspace } from '#lib/features/workspaces/repository.ts';
import { buildOpenApi } from '#lib/http/openapi.ts';
import { operations, webhooks } from '#lib/http/operations.ts';
import { describeError } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { RELEASE } from '#lib/version.ts';
import { CARRIER_KINDS, NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';
import type { Readiness, ServiceStatus } from './contract.ts';
import { readBacklog, readConnections, readDatabaseSize, readLastHour, readLines } from './repository.ts';

export type StatusService = ReturnType<typeof createStatusService>;

type Deps = Pick<
  Dependencies,
  'db' | 'database' | 'queue' | 'storage' | 'env' | 'log' | 'clock' | 'carriers' | 'processes'
> & { carrierStates: Pick<CarrierStates, 'isOpen'> };

export function createStatusService(deps: Deps) {
  return {
    health: () => ({ status: 'ok' as const, ...RELEASE, role: deps.env.role }),

    /** Asks every part for a sign of life. Throws NOT_READY that names the parts which gave none. */
    async ready(): Promise<Readiness> {
      const missing = (await askParts(deps)).flatMap(({ name, problem }) => (problem === null ? [] : name));
      if (missing.length > 0) {
        throw new AppError('NOT_READY', `Not ready: ${missing.join(', ')}`, {
          details: { missing },
          retryAfterSeconds: 2,
        });
      }
      return { database: 'ok', queue: 'ok', storage: 'ok', conversations: 'ok', carriers: 'ok' };
    },

    /** How the process is that answers, what it works with, and what waits in the actor's workspace: nobody else's. */
    async overview(actor: Actor): Promise<ServiceStatus> {
      const { db, env, processes } = deps;
      const now = deps.clock.now();
      const [parts, backlog, lastHour, lines, database, disk, { problem }] = await Promise.all([
        askParts(deps),
        readBacklog(db, actor.workspaceId),
        readLastHour(db, actor.workspaceId, now),
        linesOf(db, actor.workspaceId),
        describeDatabase(deps),
        diskOf(env.dataDir),
        createModelHealthService(deps).get(actor),
      ]);
      const { queued = 0, ...running } = backlog.calls;
      const sum = (counts: Record<string, number>) =>
        Object.values(counts).reduce((all, one) => all + one, 0);
      return {
        at: now.getTime(),
        ...RELEASE,
        role: env.role,
        uptimeSeconds: Math.floor(process.uptime()),
        parts,
        database,
        storage: { kind: env.storage.kind },
        disk,
        memoryBytes: process.memoryUsage.rss(),
        conversations: {
          running: processes?.conversationCount() ?? sum(running),
          processes: processes?.counts() ?? null,
        },
        carriers: carriersOf(deps, lastHour.carriers),
        models: { ...modelsOf(env), problem },
        calls: { waiting: queued, running: sum(running), oldestSeconds: backlog.oldestCallSeconds, lines },
        documents: { open: sum(backlog.documents) },
        webhooks: {
          open: sum(backlog.webhooks),
          oldestSeconds: backlog.oldestWebhookSeconds,
          ...lastHour.webhooks,
        },
      };
    },

    openApi: () => buildOpenApi({ operations, webhooks, publicUrl: deps.env.publicUrl }),
  };
}

/** What each part said, and after how long. */
async function askParts(deps: Deps): Promise<ServiceStatus['parts']> {
  const parts = [
    { name: 'database', ask: () => deps.database.ready() },
    { name: 'queue', ask: () => deps.queue.ready() },
    { name: 'storage', ask: () => deps.storage.ready() },
    { name: 'conversations', ask: async () => askConversations(deps) },
    { name: 'carriers', ask: async () => askCarriers(deps) },
  ] as const;
  return Promise.all(
    parts.map(async ({ name, ask }) => {
      const startedAt = performance.now();
      const problem = await within(PART_MS, ask()).then(
        () => null,
        (error: unknown) => {
          deps.log.warn({ event: 'not_ready', part: name, error: describeError(error) });
          return 'It did not answer; the log says why.';
        },
      );
      return { name, problem, durationMs: Math.round(performance.now() - startedAt) };
    }),
  );
}

/** A process that only serves pages starts processes of conversations with the first call. */
function askConversations({ processes, env }: Deps): void {
  if (processes && env.role !== 'web' && processes.counts().steady === 0)
    throw new Error('no process of conversations is up, or each dies again and again');
}

function askCarriers({ carriers, carrierStates }: Deps): void {
  const closed = CARRIER_KINDS.filter((kind) => carriers[kind]?.listen && !carrierStates.isOpen(kind));
  if (closed.length > 0) throw new Error(`not listening yet: ${closed.join(', ')}`);
}

async function linesOf(db: Database, workspaceId: WorkspaceId): Promise<ServiceStatus['calls']['lines']> {
  const [used, workspace] = await Promise.all([readLines(db, workspaceId), findWorkspace(db, workspaceId)]);
  return { ...used, limit: workspace?.maxConcurrentCalls ?? 0 };
}

/** Probes give up after a second or two, and restart what gives no answer. */
const PART_MS = 950;

async function within(ms: number, answer: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(new Error(`no answer within ${ms} ms`));
  // Where this process was busy, the answer may be there and only not read yet.
  const timer = setTimeout(() => setImmediate(refuse), ms);
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function describeDatabase({ db, database }: Deps): Promise<ServiceStatus['database']> {
  const sizeBytes = await readDatabaseSize(db);
  if (database.pglite) return { kind: 'embedded', sizeBytes, connections: null };
  const connections = Object.values(await readConnections(db)).reduce((all, one) => all + one, 0);
  return { kind: 'postgresql', sizeBytes, connections };
}

async function diskOf(folder: string): Promise<ServiceStatus['disk']> {
  const found = await statfs(folder).catch(() => undefined);
  return found ? { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize } : null;
}

/** Those that are set up, and those that numbers of the workspace ask for. */
function carriersOf(
  { carriers }: Deps,
  lastHour: readonly { kind: string; numbers: number; calls: number; failed: number }[],
): ServiceStatus['carriers'] {
  const none = { numbers: 0, calls: 0, failed: 0 };
  return NUMBER_CARRIERS.flatMap((kind) => {
    const seen = lastHour.find((carrier) => carrier.kind === kind);
    const isSetUp = carriers[kind] !== undefined;
    return isSetUp || seen ? [{ ...none, ...seen, kind, isSetUp }] : [];
  });
}

function modelsOf({ openai }: Deps['env']): Omit<ServiceStatus['models'], 'problem'> {
  return {
    language: openai?.chatModel ?? null,
    fallback: openai?.fallbackModel ?? null,
    realtime: openai?.realtimeModel ?? null,
    transcription: openai?.transcription?.model ?? null,
    transcriptionFallback: openai?.transcription?.fallbackModel ?? null,
    speech: openai?.speechModel ?? null,
    embedding: openai?.embeddingModel ?? 'local',
  };
}
