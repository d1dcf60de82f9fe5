import type { Database, OpenDatabase } from '#db/client.ts';
import type { AuthService } from '#lib/auth/service.ts';
import type { Env } from '#lib/env.ts';
import type { RateLimiter } from '#lib/http/rate-limit.ts';
import type { Logger } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Ids } from '#lib/ports/ids.ts';
import type { Queue } from '#lib/ports/queue.ts';
import type { ObjectStorage } from '#lib/ports/storage.ts';

/** What every service is built from. */
export type Foundation = {
  env: Env;
  database: OpenDatabase;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  queue: Queue;
  storage: ObjectStorage;
};

export type Runtime = Foundation & {
  auth: AuthService;
  rateLimiter: RateLimiter;
};
