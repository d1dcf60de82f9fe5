import { createEmbedderCatalog } from '#lib/adapters/models/embedder-catalog.ts';
import { createTwilioWeb } from '#lib/adapters/carriers/twilio/web.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { type AuthService, createAuthService } from '#lib/auth/service.ts';
import type { ConversationHost } from '#lib/conversation-process/host.ts';
import { createInProcessHost } from '#lib/conversation-process/in-process.ts';
import { journalFolder, openJournals } from '#lib/conversation-process/journal.ts';
import { createConversations, openCarriers } from '#lib/conversation-runtime.ts';
import { BUILT_IN_TOOLS } from '#lib/engine/tools/registry.ts';
import { type AgentsService, createAgentsService } from '#lib/features/agents/service.ts';
import { type AuditService, createAuditService } from '#lib/features/audit/service.ts';
import { type CampaignWork, createCampaignWork } from '#lib/features/campaigns/campaign-work.ts';
import { createPromptsService, type PromptsService } from '#lib/features/prompts/service.ts';
import { createDraftsService, type DraftsService } from '#lib/features/publishing/drafts/service.ts';
import { createHistoryService, type HistoryService } from '#lib/features/publishing/history/service.ts';
import { createSplitsService, type SplitsService } from '#lib/features/publishing/splits/service.ts';
import { isLineRunning } from '#lib/features/calls/callbacks/repository.ts';
import { type CarrierCallbacks, createCarrierCallbacks } from '#lib/features/calls/callbacks/service.ts';
import { type CallWork, createCallWork } from '#lib/features/calls/execution/call-work.ts';
import type { SearchForCall, UseToolForCall } from '#lib/features/calls/execution/runner.ts';
import {
  createSupervisionService,
  type SupervisionService,
} from '#lib/features/calls/supervision/service.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { registerChatJobs } from '#lib/features/chats/jobs.ts';
import { type ChatWidgetService, createChatWidgetService } from '#lib/features/chats/widget/service.ts';
import { type ChatService, createChatService } from '#lib/features/chats/service.ts';
import { type CallEventService, createCallEventService } from '#lib/features/conversations/events/service.ts';
import {
  createModelHealthService,
  type ModelHealthService,
} from '#lib/features/conversations/model-health/service.ts';
import { type ConversationService, createConversationService } from '#lib/features/conversations/service.ts';
import type { IntegrationService } from '#lib/features/integrations/service.ts';
import { createIntegrations, type IntegrationUse } from '#lib/features/integrations/use/service.ts';
import { createKeysService, type KeysService } from '#lib/features/keys/service.ts';
import { registerKnowledgeJobs } from '#lib/features/knowledge/jobs.ts';
import { createKnowledgeService, type KnowledgeService } from '#lib/features/knowledge/service.ts';
import { createMembersService, type MembersService } from '#lib/features/members/service.ts';
import { createOptOutsService, type OptOutsService } from '#lib/features/opt-outs/service.ts';
import { type CarrierStates, createCarrierStates } from '#lib/features/numbers/carriers/service.ts';
import { createNumbersService, type NumbersService } from '#lib/features/numbers/service.ts';
import { registerProfileJobs } from '#lib/features/profile/jobs.ts';
import { createProfileService, type ProfileService } from '#lib/features/profile/service.ts';
import { createRecordingService, type RecordingService } from '#lib/features/recordings/service.ts';
import { retentionEffect } from '#lib/features/retention/service.ts';
import { registerRetentionJobs } from '#lib/features/retention/jobs.ts';
import { createReviewParts, type ReviewParts } from '#lib/features/reviews/review-parts.ts';
import { createSimulationWork, type SimulationWork } from '#lib/features/simulations/simulation-work.ts';
import { createSearchService, type SearchService } from '#lib/features/search/service.ts';
import { createTagsService, type TagsService } from '#lib/features/tags/service.ts';
import { registerWebhookJobs } from '#lib/features/webhooks/jobs.ts';
import { createWebhookSending } from '#lib/features/webhooks/sending/service.ts';
import { createWebhookService, type WebhookService } from '#lib/features/webhooks/service.ts';
import { createWorkspacesService, type WorkspacesService } from '#lib/features/workspaces/service.ts';
import { type AttentionService, createAttentionService } from '#lib/features/overview/attention/service.ts';
import { registerOverviewJobs } from '#lib/features/overview/jobs.ts';
import { createOverviewService, type OverviewService } from '#lib/features/overview/service.ts';
import { createStatusService, type StatusService } from '#lib/features/status/service.ts';
import { createRateLimiter, type RateLimiter } from '#lib/http/rate-limit.ts';
import { shareRates } from '#lib/http/rate-limit-sharing.ts';
import type { EmbedderCatalog } from '#lib/ports/embedder.ts';
import { createSender } from '#lib/outgoing/sender.ts';

export type Runtime = Dependencies &
  ReviewParts & {
    auth: AuthService;
    rateLimiter: RateLimiter;
    status: StatusService;
    agents: AgentsService;
    prompts: PromptsService;
    history: HistoryService;
    drafts: DraftsService;
    splits: SplitsService;
    audit: AuditService;
    keys: KeysService;
    embedders: EmbedderCatalog;
    knowledge: KnowledgeService;
    members: MembersService;
    integrations: IntegrationService;
    integrationUse: IntegrationUse;
    /** What agents do of the service while they talk. */
    forCalls: { searchForCall: SearchForCall; useToolForCall: UseToolForCall };
    numbers: NumbersService;
    optOuts: OptOutsService;
    profile: ProfileService;
    calls: CallWork['calls'];
    campaigns: CampaignWork;
    webCalls: CallWork['webCalls'];
    carrierCallbacks: CarrierCallbacks;
    chats: ChatService;
    chatWidgets: ChatWidgetService;
    dispatcher: CallWork['dispatcher'];
    watching: CallWork['watching'];
    supervision: SupervisionService;
    conversations: ConversationService;
    modelHealth: ModelHealthService;
    overview: OverviewService;
    attention: AttentionService;
    conversationHost: ConversationHost;
    callEvents: CallEventService;
    recordings: RecordingService;
    search: SearchService;
    simulations: SimulationWork;
    tags: TagsService;
    webhooks: WebhookService;
    workspaces: WorkspacesService;
    /** Registers the background jobs; called in the roles `worker` and `all`, after `queue.start()`. */
    startWorker(): Promise<void>;
    /**
     * Lets carriers of the network bring calls, and other processes wake live views; called in every role, last. Rejects
     * where a carrier cannot listen.
     */
    takeCalls(): Promise<void>;
    /** Ordered: no new work, work in progress ends (calls politely), then queue and database close. */
    stop(timeoutMs: number): Promise<void>;
  };

/** The same service, whose simulated calls run at another speed than SIMULATION_SPEED says. */
export function buildRuntimeAtSpeed(dependencies: Dependencies, speed: number): Runtime {
  const { carriers, simulateCaller } = openCarriers({ ...dependencies, speed });
  return buildRuntime({
    ...dependencies,
    carriers: { ...dependencies.carriers, ...carriers },
    simulateCaller,
    processes: undefined,
  });
}

/** What the dashboard offers to choose from. */
function catalogOf({ speech }: Dependencies, integrations: IntegrationService) {
  return async (actor: Actor) => {
    const own = await integrations.catalog(actor);
    return { ...own, tools: [...BUILT_IN_TOOLS, ...own.tools], voices: [...speech.voices] };
  };
}

/** Builds every service on a dependencies: the real one, or a test's. */
export function buildRuntime(dependencies: Dependencies): Runtime {
  const rateLimiter = createRateLimiter(dependencies);
  const auth = createAuthService({ ...dependencies, rateLimiter });
  const embedders = createEmbedderCatalog(dependencies.env.openai, dependencies.clock);
  const knowledge = createKnowledgeService({ ...dependencies, embedders });

  const recordings = createRecordingService(dependencies);
  const sender = createSender({ allowlist: dependencies.env.webhookAllowlist });
  const signRecordingUrl = (call: { id: string }) => recordings.signedUrl(call.id);
  const webhookSending = createWebhookSending({ ...dependencies, sender, signRecordingUrl });
  const webhooks = createWebhookService({ ...dependencies, sender });
  const conversationHost = dependencies.processes ?? hostHere(dependencies);
  const own = createIntegrations({ ...dependencies, sender, searchForCall: knowledge.searchForCall });
  const work = createCallWork({ ...dependencies, ...own.forCalls, webhooks, conversationHost });
  const { calls, webCalls, dispatcher, notifier, watching, takeFromCarrier } = work;
  const campaigns = createCampaignWork({ ...dependencies, calls });
  const chats = createChatService({ ...dependencies, ...work, ...own.forCalls });
  const carrierStates = createCarrierStates(dependencies);
  const reviewing = createReviewParts(dependencies);
  const seenFirst = createOverviewParts({ ...dependencies, webhooks, calls });
  const simulations = createSimulationWork({ ...dependencies, ...own.forCalls, conversationHost });
  const takingWork = { knowledge, chats, campaigns, dispatcher, watching, simulations };
  const working = { ...takingWork, webhookSending, conversationHost, carrierStates };

  return {
    ...dependencies,
    auth,
    rateLimiter,
    status: createStatusService({ ...dependencies, carrierStates }),
    ...createAgentParts(dependencies, { ...own, ...seenFirst }),
    audit: createAuditService(dependencies),
    keys: createKeysService({ ...dependencies, keyRing: auth.keyRing }),
    embedders,
    members: createMembersService({ ...dependencies, auth }),
    ...reviewing,
    ...own,
    ...takingWork,
    numbers: createNumbersService(dependencies),
    optOuts: createOptOutsService({ ...dependencies, endWaiting: calls.endOptedOut }),
    profile: createProfileService({ ...dependencies, auth }),
    calls,
    webCalls,
    carrierCallbacks: createCarrierCallbacks({
      ...dependencies,
      rateLimiter,
      web: openCarrierWeb(dependencies, conversationHost, takeFromCarrier),
    }),
    chatWidgets: createChatWidgetService({ ...dependencies, chats }),
    supervision: createSupervisionService({ ...dependencies, conversationHost, watching }),
    conversationHost,
    conversations: createConversationService({ ...dependencies, recordings }),
    ...seenFirst,
    callEvents: createCallEventService({ ...dependencies, notifier, watching }),
    recordings,
    search: createSearchService(dependencies),
    tags: createTagsService(dependencies),
    webhooks,
    async startWorker() {
      // Begun now, so that the first call does not wait for it.
      conversationHost.ready(never).catch(() => undefined);
      await registerSmallJobs(dependencies, webhookSending);
      await dispatcher.start();
      await campaigns.dispatch.start();
      await simulations.execution.start();
      await webCalls.forgetOld();
      await registerChatJobs(dependencies, chats);
      await registerOverviewJobs(dependencies, seenFirst.overview);
      await registerRetentionJobs(dependencies, reviewing);
      // Last: what a crash left of a large document takes seconds to remove, and calls do not wait for that.
      await registerKnowledgeJobs({ ...dependencies, embedders }, knowledge);
    },
    async takeCalls() {
      // A worker shows nobody anything.
      if (dependencies.env.role !== 'worker') {
        await notifier.hearOthers();
        await shareRates({ ...dependencies, rateLimiter });
      }
      await takeCalls(dependencies, conversationHost, { take: takeFromCarrier, carrierStates });
    },
    stop: (ms) => stopAll(dependencies, working, ms),
  };
}

/** Agents, their outbound prompts, and what both were. */
function createAgentParts(
  deps: Dependencies,
  { integrations, overview }: Pick<Runtime, 'integrations' | 'overview'>,
): Pick<Runtime, 'agents' | 'prompts' | 'history' | 'drafts' | 'splits'> {
  const agents = createAgentsService(deps);
  return {
    agents,
    drafts: createDraftsService({ ...deps, agents }),
    prompts: createPromptsService({ ...deps, catalog: catalogOf(deps, integrations) }),
    history: createHistoryService(deps),
    splits: createSplitsService({ ...deps, overview }),
  };
}

/** What the first page of a workspace shows. */
function createOverviewParts(
  deps: Dependencies & { webhooks: WebhookService; calls: CallWork['calls'] },
): Pick<Runtime, 'overview' | 'attention' | 'modelHealth' | 'workspaces'> {
  const workspaces = createWorkspacesService({
    ...deps,
    ...deps.calls,
    retentionEffect: (tx, workspaceId, days) => retentionEffect(tx, deps.clock, workspaceId, days),
  });
  const modelHealth = createModelHealthService(deps);
  return {
    overview: createOverviewService(deps),
    attention: createAttentionService({ ...deps, modelHealth, workspaces }),
    modelHealth,
    workspaces,
  };
}

async function registerSmallJobs(
  dependencies: Dependencies,
  sending: Parameters<typeof registerWebhookJobs>[1],
): Promise<void> {
  await registerProfileJobs(dependencies);
  const isOnlyProcess = dependencies.database.pglite !== undefined;
  await registerWebhookJobs(dependencies.queue, sending, { isOnlyProcess });
}

const never = new AbortController().signal;

/** Conversations that run in this process. */
function hostHere(dependencies: Dependencies): ConversationHost {
  const { clock, env } = dependencies;
  const journals = openJournals(journalFolder(env.dataDir), { clock, isOwn: () => false });
  return createInProcessHost(createConversations(dependencies), { clock, journals });
}

/** The doors of carriers whose servers call ours. */
function openCarrierWeb(
  { env, db }: Dependencies,
  host: ConversationHost,
  take: CallWork['takeFromCarrier'],
): Parameters<typeof createCarrierCallbacks>[0]['web'] {
  if (!env.twilio) return {};
  const twilio = createTwilioWeb(
    { ...env.twilio, publicUrl: env.publicUrl },
    {
      take: (call) => take('twilio', call),
      tell: (reference, news) => host.tell('twilio', reference, news),
      isRunning: (reference) => isLineRunning(db, 'twilio', reference),
    },
  );
  return { twilio };
}

/** Where no carrier listens, nothing is started for it. */
async function takeCalls(
  { carriers }: Pick<Dependencies, 'carriers'>,
  host: ConversationHost,
  { take, carrierStates }: { take: CallWork['takeFromCarrier']; carrierStates: CarrierStates },
): Promise<void> {
  if (Object.values(carriers).some((carrier) => carrier.listen)) await host.listen(take, carrierStates.note);
}

/** Stops what takes in work first, and what the work needs last. */
async function stopAll(
  dependencies: Dependencies,
  services: Pick<
    Runtime,
    'knowledge' | 'chats' | 'campaigns' | 'dispatcher' | 'watching' | 'simulations' | 'conversationHost'
  > & {
    webhookSending: { stop: () => Promise<void> };
    carrierStates: CarrierStates;
  },
  timeoutMs: number,
): Promise<void> {
  services.campaigns.dispatch.stop();
  services.watching.stop();
  await services.simulations.execution.stop();
  await services.chats.stop();
  await services.knowledge.stop();
  await services.dispatcher.stop(timeoutMs);
  await dependencies.queue.stop(timeoutMs);
  await services.webhookSending.stop();
  await services.conversationHost.stop();
  await services.carrierStates.stop();
  await dependencies.speech.close();
  await dependencies.tracer.stop();
  await dependencies.database.close();
}
