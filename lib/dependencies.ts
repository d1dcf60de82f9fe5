import type { Database, OpenDatabase } from '#db/client.ts';
import type { ConversationParts } from '#lib/conversation-process/conversations.ts';
import type { IdleProcesses } from '#lib/conversation-process/idle.ts';
import type { ConversationProcesses } from '#lib/conversation-process/processes.ts';
import type { Env } from '#lib/env.ts';
import type { Logger } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Metrics } from '#lib/ports/metrics.ts';
import type { Tracer } from '#lib/ports/tracer.ts';
import type { Ids } from '#lib/ports/ids.ts';
import type { Queue } from '#lib/ports/queue.ts';
import type { Sealer } from '#lib/ports/sealer.ts';
import type { ObjectStorage } from '#lib/ports/storage.ts';

/**
 * What services are built from. A service takes the ones it uses (`Pick<Dependencies, 'db' | 'clock'>`); `runtime.ts`
 * opens them.
 */
export type Dependencies = ConversationParts & {
  env: Env;
  database: OpenDatabase;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  metrics: Metrics;
  tracer: Tracer;
  queue: Queue;
  storage: ObjectStorage;
  /** Where conversations run; undefined: in this process. */
  processes: ConversationProcesses | undefined;
  /** Where simulations run, behind everything else; left out: in this process. */
  simulationProcesses?: IdleProcesses | undefined;
  /** Signs sessions (better-auth). */
  authSecret: string;
  /** Keeps secrets that are needed again. */
  sealer: Sealer;
  /** Signs links to recordings. */
  signingSecret: string;
};
