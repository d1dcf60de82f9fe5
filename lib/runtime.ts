import { type Database, type OpenDatabase, openDatabase } from '#db/client.ts';
import { createEmbedderCatalog } from '#lib/adapters/models/embedder-catalog.ts';
import { createPgBossQueue } from '#lib/adapters/queue/pg-boss.ts';
import { createSimulatedCarrier } from '#lib/adapters/carriers/simulated/carrier.ts';
import { createOpenAiLanguageModel } from '#lib/adapters/models/openai/language-model.ts';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { createFileStorage } from '#lib/adapters/storage/file.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { makePrivate } from '#lib/adapters/system/private-folder.ts';
import { deriveSecret, loadSecret } from '#lib/adapters/system/secret.ts';
import { type AuthService, createAuthService } from '#lib/auth/service.ts';
import { runConversation } from '#lib/engine/run-conversation.ts';
import type { Env } from '#lib/env.ts';
import { BUILT_IN_TOOLS } from '#lib/engine/tools/registry.ts';
import { type AgentsService, createAgentsService } from '#lib/features/agents/service.ts';
import { type AuditService, createAuditService } from '#lib/features/audit/service.ts';
import { createPromptsService, type PromptsService } from '#lib/features/prompts/service.ts';
import { type CallWork, createCallWork } from '#lib/features/calls/execution/call-work.ts';
import type { Carriers } from '#lib/features/calls/execution/runner.ts';
import { type CallEventService, createCallEventService } from '#lib/features/conversations/events/service.ts';
import {
  type CallExportService,
  createCallExportService,
} from '#lib/features/conversations/export/service.ts';
import { type ConversationService, createConversationService } from '#lib/features/conversations/service.ts';
import { createKeysService, type KeysService } from '#lib/features/keys/service.ts';
import { registerKnowledgeJobs } from '#lib/features/knowledge/jobs.ts';
import { createKnowledgeService, type KnowledgeService } from '#lib/features/knowledge/service.ts';
import { createMembersService, type MembersService } from '#lib/features/members/service.ts';
import { createNumbersService, type NumbersService } from '#lib/features/numbers/service.ts';
import { registerProfileJobs } from '#lib/features/profile/jobs.ts';
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
import type { EmbedderCatalog } from '#lib/ports/embedder.ts';
import type { Ids } from '#lib/ports/ids.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { Queue } from '#lib/ports/queue.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
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
  carriers: Carriers;
  speech: SpeechSynthesizer & { close(): Promise<void> };
  /** Undefined: the agents are run by the local brain. */
  languageModel: LanguageModel | undefined;
  /** Signs sessions (better-auth). */
  authSecret: string;
  /** Signs links to recordings. */
  signingSecret: string;
};

export type Runtime = Foundation & {
  auth: AuthService;
  rateLimiter: RateLimiter;
  status: StatusService;
  agents: AgentsService;
  prompts: PromptsService;
  audit: AuditService;
  keys: KeysService;
  embedders: EmbedderCatalog;
  knowledge: KnowledgeService;
  members: MembersService;
  numbers: NumbersService;
  profile: ProfileService;
  calls: CallWork['calls'];
  dispatcher: CallWork['dispatcher'];
  conversations: ConversationService;
  callEvents: CallEventService;
  callExport: CallExportService;
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
  keepFoldersPrivate(env, log);
  const database = await openDatabase(
    env.databaseUrl ? { databaseUrl: env.databaseUrl } : { dataDir: `${env.dataDir}/db` },
  );
  await database.migrate();
  // The embedded database gives the files of a new cluster to everybody, whatever the umask.
  keepFoldersPrivate(env, log);
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
    ...openModels(env),
    authSecret: secret,
    signingSecret: deriveSecret(secret, 'links'),
  };
}

/** What is written later is private by the process's umask (server/start.ts). */
function keepFoldersPrivate(env: Env, log: Logger): void {
  for (const folder of new Set([env.dataDir, env.storageDir])) {
    const { failed } = makePrivate(folder);
    if (failed > 0) log.warn({ event: 'folder_open_to_others', folder, entries: failed });
  }
}

/** Speech, language and carriers: what a call is held with. */
export function openModels(env: Env): Pick<Foundation, 'speech' | 'languageModel' | 'carriers'> {
  const speech = createFliteSpeech();
  const simulated = createSimulatedCarrier({
    speed: env.simulationSpeed,
    speech,
    clock: systemClock,
    ids: systemIds,
  });
  const languageModel = env.openai
    ? createOpenAiLanguageModel({ ...env.openai, model: env.openai.chatModel })
    : undefined;
  return { speech, languageModel, carriers: { simulated } };
}

/** The same service, whose simulated calls run at another speed than SIMULATION_SPEED says. */
export function buildRuntimeAtSpeed(foundation: Foundation, speed: number): Runtime {
  const simulated = createSimulatedCarrier({ ...foundation, speed });
  return buildRuntime({ ...foundation, carriers: { ...foundation.carriers, simulated } });
}

/** Builds every service on a foundation: the real one, or a test's. */
export function buildRuntime(foundation: Foundation): Runtime {
  const rateLimiter = createRateLimiter(foundation);
  const auth = createAuthService({ ...foundation, rateLimiter });
  const embedders = createEmbedderCatalog(foundation.env.openai, foundation.clock);
  const knowledge = createKnowledgeService({ ...foundation, embedders });

  const recordings = createRecordingService(foundation);
  const sender = createSender({ allowlist: foundation.env.webhookAllowlist });
  const signRecordingUrl = (call: { id: string }) => recordings.signedUrl(call.id);
  const webhookSending = createWebhookSending({ ...foundation, sender, signRecordingUrl });
  const webhooks = createWebhookService({ ...foundation, sender });
  const { calls, dispatcher, notifier } = createCallWork({
    ...foundation,
    webhooks,
    converse: ({ actor, ...conversation }) => {
      const searchKnowledge = (query: string) =>
        knowledge.searchForCall(actor, conversation.plan.agentId, query);
      return runConversation({ ...foundation, ...conversation, searchKnowledge });
    },
  });

  return {
    ...foundation,
    auth,
    rateLimiter,
    status: createStatusService(foundation),
    agents: createAgentsService(foundation),
    prompts: createPromptsService({
      ...foundation,
      catalog: { tools: [...BUILT_IN_TOOLS], voices: [...foundation.speech.voices], integrations: [] },
    }),
    audit: createAuditService(foundation),
    keys: createKeysService({ ...foundation, keyRing: auth.keyRing }),
    embedders,
    knowledge,
    members: createMembersService({ ...foundation, auth }),
    numbers: createNumbersService(foundation),
    profile: createProfileService({ ...foundation, auth }),
    calls,
    dispatcher,
    conversations: createConversationService({ ...foundation, recordings }),
    callEvents: createCallEventService({ ...foundation, notifier }),
    callExport: createCallExportService(foundation),
    recordings,
    tags: createTagsService(foundation),
    webhooks,
    workspaces: createWorkspacesService(foundation),
    async startWorker() {
      await registerProfileJobs(foundation);
      await registerWebhookJobs(foundation.queue, webhookSending, {
        isOnlyProcess: foundation.database.pglite !== undefined,
      });
      await dispatcher.start();
      // Last: what a crash left of a large document takes seconds to remove, and calls do not wait for that.
      await registerKnowledgeJobs({ ...foundation, embedders }, knowledge);
    },
    async stop(timeoutMs) {
      await knowledge.stop();
      await dispatcher.stop(timeoutMs);
      await foundation.queue.stop(timeoutMs);
      await webhookSending.stop();
      await foundation.speech.close();
      await foundation.database.close();
    },
  };
}
