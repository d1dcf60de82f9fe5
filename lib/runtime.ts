import { mkdir } from 'node:fs/promises';
import { type Database, type OpenDatabase, openDatabase } from '#db/client.ts';
import { createPgBossQueue } from '#lib/adapters/queue/pg-boss.ts';
import { createFileStorage } from '#lib/adapters/storage/file.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { deriveSecret, loadSecret } from '#lib/adapters/system/secret.ts';
import { type AuthService, createAuthService } from '#lib/auth/service.ts';
import type { Env } from '#lib/env.ts';
import { type AuditService, createAuditService } from '#lib/features/audit/service.ts';
import { createKeysService, type KeysService } from '#lib/features/keys/service.ts';
import { createMembersService, type MembersService } from '#lib/features/members/service.ts';
import { createNumbersService, type NumbersService } from '#lib/features/numbers/service.ts';
import { createProfileService, type ProfileService } from '#lib/features/profile/service.ts';
import { createRecordingService, type RecordingService } from '#lib/features/recordings/service.ts';
import { createTagsService, type TagsService } from '#lib/features/tags/service.ts';
import { registerWebhookJobs } from '#lib/features/webhooks/jobs.ts';
import { createWebhookSending } from '#lib/features/webhooks/sending/service.ts';
import { createWebhookService, type WebhookService } from '#lib/features/webhooks/service.ts';
import { createWorkspacesService, type WorkspacesService } from '#lib/features/workspaces/service.ts';
import { createStatusService, type StatusService } from '#lib/features/status/service.ts';
import { createRateLimiter, type RateLimiter } from '#lib/http/rate-limit.ts';
import type { Logger } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Ids } from '#lib/ports/ids.ts';
import type { Queue } from '#lib/ports/queue.ts';
import { createSender } from '#lib/outgoing/sender.ts';
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
  /** Signs sessions (better-auth). */
  authSecret: string;
  /** Signs links to recordings. */
  signingSecret: string;
};

export type Runtime = Foundation & {
  auth: AuthService;
  rateLimiter: RateLimiter;
  status: StatusService;
  audit: AuditService;
  keys: KeysService;
  members: MembersService;
  numbers: NumbersService;
  profile: ProfileService;
  recordings: RecordingService;
  tags: TagsService;
  webhooks: WebhookService;
  workspaces: WorkspacesService;
  /** Registers the background jobs; called in the roles `worker` and `all`, after `queue.start()`. */
  startWorker(): Promise<void>;
  /** Ordered: no new work, work in progress ends (calls politely), then queue and database close. */
  stop(timeoutMs: number): Promise<void>;
};

/** Opens what the environment names. The only place, with `buildRuntime`, that picks adapters. */
export async function openFoundation(env: Env, log: Logger): Promise<Foundation> {
  await mkdir(env.dataDir, { recursive: true });
  const database = await openDatabase(
    env.databaseUrl ? { databaseUrl: env.databaseUrl } : { dataDir: `${env.dataDir}/db` },
  );
  await database.migrate();
  const secret = await loadSecret(env.authSecret, env.dataDir);
  return {
    env,
    database,
    db: database.db,
    clock: systemClock,
    ids: systemIds,
    log,
    queue: createPgBossQueue(database, log),
    storage: createFileStorage(env.storageDir),
    authSecret: secret,
    signingSecret: deriveSecret(secret, 'links'),
  };
}

/** Builds every service on a foundation: the real one, or a test's. */
export function buildRuntime(foundation: Foundation): Runtime {
  const rateLimiter = createRateLimiter(foundation);
  const auth = createAuthService({ ...foundation, rateLimiter });

  const recordings = createRecordingService(foundation);
  const sender = createSender({ allowlist: foundation.env.webhookAllowlist });
  const signRecordingUrl = (call: { id: string }) => recordings.signedUrl(call.id);
  const webhookSending = createWebhookSending({ ...foundation, sender, signRecordingUrl });

  return {
    ...foundation,
    auth,
    rateLimiter,
    status: createStatusService(foundation),
    audit: createAuditService(foundation),
    keys: createKeysService({ ...foundation, keyRing: auth.keyRing }),
    members: createMembersService({ ...foundation, auth }),
    numbers: createNumbersService(foundation),
    profile: createProfileService({ ...foundation, auth }),
    recordings,
    tags: createTagsService(foundation),
    webhooks: createWebhookService({ ...foundation, sender }),
    workspaces: createWorkspacesService(foundation),
    async startWorker() {
      await registerWebhookJobs(foundation.queue, webhookSending);
    },
    async stop(timeoutMs) {
      await foundation.queue.stop(timeoutMs);
      await webhookSending.stop();
      await foundation.database.close();
    },
  };
}
