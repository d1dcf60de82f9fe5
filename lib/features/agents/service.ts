import type { Actor } from '#lib/auth/actor.ts';
import { deriveCard } from '#lib/engine/prompt/card-model.ts';
import type { DerivedCard } from '#lib/engine/prompt/card-rules.ts';
import { validationError } from '#lib/errors.ts';
import { createResultFieldsService } from './results/service.ts';
import { assertBase } from '#lib/features/base.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import { noteVersion } from '#lib/features/versions/service.ts';
import { checkWebhookUrl } from '#lib/outgoing/address-rule.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { describeError } from '#lib/log.ts';
import type { AgentPage, AgentView } from './contract.ts';
import type { AgentSettings } from './settings/contract.ts';
import type { AgentDetail, AgentListItem, AgentPatch } from './dashboard/contract.ts';
import {
  copyBelongings,
  deleteBelongings,
  figuresByAgent,
  listAgentPage,
  listNumbersOf,
} from './belongings/repository.ts';
import {
  type AgentRow,
  findAgent,
  insertAgent,
  listAgents,
  lockAgent,
  markDeleted,
  updateAgent,
  workspaceNameOf,
} from './repository.ts';
import {
  type AgentChange,
  agentView,
  assertMayRedirect,
  assertNotRendered,
  cardColumns,
  cardSource,
  changeByPatch,
  changeBySettings,
  copyName,
  definedOnly,
  redirections,
  listItem,
} from './rules.ts';

/** `languageModel` derives voice cards; without one the rules of docs/prompts.md do. */
export type AgentsDeps = Pick<
  Dependencies,
  'db' | 'clock' | 'ids' | 'log' | 'env' | 'languageModel' | 'transcriber'
>;

type CardDeriver = ReturnType<typeof createCardDeriver>;

export type AgentsService = ReturnType<typeof createAgentsService>;

/** Agents, their prompts for inbound calls, their settings and voice cards (contract, Agents). */
export function createAgentsService(deps: AgentsDeps) {
  const derive = createCardDeriver(deps);
  return {
    ...createReads(deps),
    ...createLifecycle(deps, derive),
    ...createSettings(deps),
    ...createChanges(deps, derive),
    results: createResultFieldsService(deps),
  };
}

function createReads(deps: AgentsDeps) {
  return {
    /** 404 for an unknown id, 403 for another workspace's agent; so everywhere below. */
    async get(actor: Actor, agentId: string): Promise<AgentView> {
      return view(deps, actor, await findAgent(deps.db, actor.workspaceId, agentId));
    },

    async getDetail(actor: Actor, agentId: string): Promise<AgentDetail> {
      const row = await findAgent(deps.db, actor.workspaceId, agentId);
      const phoneNumbers = await listNumbersOf(deps.db, actor.workspaceId, agentId);
      const workspaceName = await workspaceNameOf(deps.db, actor.workspaceId);
      await deps.transcriber?.find?.();
      return {
        agent: agentView(row, phoneNumbers[0]?.id ?? null, workspaceName),
        writtenCardFields: row.writtenCardFields,
        chatPrompt: row.chatPrompt,
        workspaceName,
        hasLanguageModel: deps.languageModel !== undefined,
        hasTranscription: understandsSpeech(deps),
        phoneNumbers,
        draft: null,
        split: null,
      };
    },

    async list(
      actor: Actor,
      filter: { search?: string | undefined; active?: 'true' | 'false' | undefined },
    ): Promise<AgentListItem[]> {
      const isActive = filter.active === undefined ? undefined : filter.active === 'true';
      const rows = await listAgents(deps.db, actor.workspaceId, { search: filter.search, isActive });
      const figures = await figuresByAgent(deps.db, actor.workspaceId);
      return rows.map((row) => listItem(row, figures.get(row.id), deps.languageModel !== undefined));
    },

    /** Whole agents, the oldest first, so that new ones come on the last page. */
    async listPage(actor: Actor, given: AgentPage): Promise<AgentView[]> {
      const { after, ...page } = given;
      const last = after && (await findAgent(deps.db, actor.workspaceId, after));
      const rows = await listAgentPage(deps.db, actor.workspaceId, { ...page, after: last || undefined });
      const workspaceName = await workspaceNameOf(deps.db, actor.workspaceId);
      return rows.map((row) => agentView(row.agent, row.phoneNumberId, workspaceName));
    },

    async getChatPrompt(actor: Actor, agentId: string) {
      const { id, chatPrompt } = await findAgent(deps.db, actor.workspaceId, agentId);
      return { id, chatPrompt };
    },
  };
}

/** New agents, copies, and agents that go. */
function createLifecycle(deps: AgentsDeps, derive: CardDeriver) {
  return {
    /** A new agent; its card is derived from its prompt, where it has one. */
    async create(
      actor: Actor,
      input: {
        name: string;
        description?: string | null | undefined;
        inboundPrompt?: string | null | undefined;
      },
    ): Promise<AgentView> {
      const inboundPrompt = input.inboundPrompt ?? null;
      // A model may take seconds, so it comes before the transaction; so everywhere below.
      const derived = await derive(inboundPrompt ?? '');
      const now = deps.clock.now();
      const row = await deps.db.transaction(async (tx) => {
        const agent = await insertAgent(tx, actor.workspaceId, {
          id: deps.ids.next('agent'),
          name: input.name,
          description: input.description ?? null,
          inboundPrompt,
          ...cardColumns(derived),
          createdAt: now,
          updatedAt: now,
        });
        const data = { name: agent.name };
        await recordAudit(tx, deps.clock, actor, { action: 'agent.created', targetId: agent.id, data });
        await noteVersion(tx, deps, actor, agent.id);
        return agent;
      });
      return view(deps, actor, row);
    },

    /** A copy with prompts and knowledge bases. Numbers stay with the original: a number has one agent. */
    async duplicate(actor: Actor, agentId: string): Promise<AgentView> {
      return view(deps, actor, await copyAgent(deps, actor, agentId));
    },

    /**
     * Deletes an agent with its prompts. Its numbers are free, knowledge bases detached, conversations stay. A call that
     * is queued ends as a failed conversation when its turn comes; one that runs goes on to its end.
     */
    async remove(actor: Actor, agentId: string): Promise<null> {
      return deps.db.transaction(async (tx) => {
        const { name } = await lockAgent(tx, actor.workspaceId, agentId);
        const now = deps.clock.now();
        await deleteBelongings(tx, actor.workspaceId, agentId, now);
        await markDeleted(tx, actor.workspaceId, agentId, now);
        const data = { name };
        await recordAudit(tx, deps.clock, actor, { action: 'agent.deleted', targetId: agentId, data });
        return null;
      });
    },
  };
}

function createSettings(deps: AgentsDeps) {
  return {
    /** An empty text clears it. */
    async setChatPrompt(actor: Actor, agentId: string, input: { chatPrompt: string }) {
      const columns = { chatPrompt: blankToNull(input.chatPrompt) };
      const entry = { agentId, action: 'agent.chat_prompt.updated' };
      const { id, chatPrompt } = await change(deps, actor, entry, () => columns);
      return { id, chatPrompt };
    },

    /**
     * Changes what was sent (contract, PUT /agents/{agentId}/settings). Throws 403 where a member or viewer changes where
     * transcripts go.
     */
    async updateSettings(actor: Actor, agentId: string, settings: AgentSettings): Promise<AgentView> {
      const before = await findAgent(deps.db, actor.workspaceId, agentId);
      assertMayRedirect(actor, changesBetween<AgentChange>(before, definedOnly(settings)));
      const url = settings.postConversationWebhookUrl;
      if (url && url !== before.postConversationWebhookUrl) await assertWebhookUrl(deps, url);
      const workspaceName = await workspaceNameOf(deps.db, actor.workspaceId);
      const after = await change(deps, actor, { agentId, action: 'agent.settings.updated' }, (agent) =>
        changeBySettings(agent, settings, workspaceName),
      );
      return view(deps, actor, after);
    },
  };
}

/** Changes that may derive the voice card anew. */
function createChanges(deps: AgentsDeps, derive: CardDeriver) {
  return {
    /**
     * Writes the prompt and, unless it was edited by hand, the voice card derived from it. An empty text clears both.
     * Throws 400 SINGLE_PROMPT_ACTIVE while the prompt is rendered from a single prompt.
     */
    async setInboundPrompt(
      actor: Actor,
      agentId: string,
      input: { inboundPrompt: string },
    ): Promise<AgentView> {
      const inboundPrompt = blankToNull(input.inboundPrompt);
      const before = await findAgent(deps.db, actor.workspaceId, agentId);
      assertNotRendered(before, 'inboundPrompt');
      const derived =
        before.voiceCardEdited || before.inboundPrompt === inboundPrompt
          ? undefined
          : await derive(cardSource({ ...before, inboundPrompt }));
      const after = await change(
        deps,
        actor,
        { agentId, action: 'agent.inbound_prompt.updated' },
        (agent) => {
          assertNotRendered(agent, 'inboundPrompt');
          return { inboundPrompt, ...cardUnlessEdited(agent, derived) };
        },
      );
      return view(deps, actor, after);
    },

    /** Name, description, active or not, and the single prompt, from which prompt and voice prompt are rendered. */
    async update(actor: Actor, agentId: string, patch: AgentPatch): Promise<AgentView> {
      const before = await findAgent(deps.db, actor.workspaceId, agentId);
      const columns = changeByPatch(before, patch);
      const rendersCard = columns.inboundSinglePrompt && !before.voiceCardEdited;
      const derived = rendersCard ? await derive(cardSource({ ...before, ...columns })) : undefined;
      const after = await change(deps, actor, { agentId, action: 'agent.updated' }, (agent) => {
        const card = cardUnlessEdited(agent, derived);
        // The single prompt's own opening wins over the derived one.
        return { ...card, ...changeByPatch({ ...agent, ...card }, patch) };
      });
      return view(deps, actor, after);
    },

    /** Drops edits by hand and derives the card from the prompt as it is now. */
    async deriveCard(actor: Actor, agentId: string): Promise<AgentView> {
      const before = await findAgent(deps.db, actor.workspaceId, agentId);
      const derived = { ...cardColumns(await derive(cardSource(before))), voiceCardEdited: false };
      const after = await change(deps, actor, { agentId, action: 'agent.card.derived' }, (agent) => ({
        ...derived,
        // A single prompt's Opening section is no derivation.
        ...changeByPatch({ ...agent, ...derived }, { inboundSinglePrompt: agent.inboundSinglePrompt }),
      }));
      return view(deps, actor, after);
    },
  };
}

async function view(deps: AgentsDeps, actor: Actor, row: AgentRow): Promise<AgentView> {
  const [first] = await listNumbersOf(deps.db, actor.workspaceId, row.id);
  return agentView(row, first?.id ?? null, await workspaceNameOf(deps.db, actor.workspaceId));
}

/**
 * Changes a locked agent and notes who did it, in one transaction. Writing what is there already is no change: nothing
 * is written, `updatedAt` and audit log included (docs/decisions/0087).
 */
async function change(
  deps: AgentsDeps,
  actor: Actor,
  { agentId, action }: { agentId: string; action: string },
  decide: (agent: AgentRow) => AgentChange,
): Promise<AgentRow> {
  return deps.db.transaction(async (tx) => {
    const before = await lockAgent(tx, actor.workspaceId, agentId);
    assertBase(actor, before, agentView(before, null, await workspaceNameOf(tx, actor.workspaceId)));
    const columns = decide(before);
    const changes = changesBetween<AgentChange>(before, columns);
    if (Object.keys(changes).length === 0) return before;
    assertMayRedirect(actor, changes);
    const updatedAt = deps.clock.now();
    const after = await updateAgent(tx, actor.workspaceId, agentId, { ...columns, updatedAt });
    await recordAudit(tx, deps.clock, actor, {
      action,
      targetId: agentId,
      data: { name: after.name, fields: Object.keys(changes), ...redirections(changes) },
    });
    await noteVersion(tx, deps, actor, agentId);
    return after;
  });
}

async function copyAgent(deps: AgentsDeps, actor: Actor, agentId: string): Promise<AgentRow> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const {
      workspaceId: _,
      versionId: _ofOriginal,
      ...original
    } = await lockAgent(tx, actor.workspaceId, agentId);
    const copy = await insertAgent(tx, actor.workspaceId, {
      ...original,
      id: deps.ids.next('agent'),
      name: copyName(original.name),
      createdAt: now,
      updatedAt: now,
    });
    await copyBelongings(tx, actor.workspaceId, {
      fromAgentId: agentId,
      toAgentId: copy.id,
      promptId: () => deps.ids.next('prompt'),
      now,
    });
    const data = { name: copy.name, copiedFrom: agentId };
    await recordAudit(tx, deps.clock, actor, { action: 'agent.created', targetId: copy.id, data });
    await noteVersion(tx, deps, actor, copy.id);
    return copy;
  });
}

/** Derives a card with the model of the service or by rules, and logs where the model could not serve. */
export function createCardDeriver(deps: Pick<AgentsDeps, 'languageModel' | 'log'>) {
  return (prompt: string): Promise<DerivedCard> =>
    deriveCard(deps.languageModel, prompt, (error) =>
      deps.log.warn({
        event: 'voice_card_by_rules',
        error: describeError(error),
      }),
    );
}

function cardUnlessEdited(agent: AgentRow, derived: DerivedCard | undefined): AgentChange {
  return derived && !agent.voiceCardEdited ? cardColumns(derived) : {};
}

async function assertWebhookUrl(deps: Pick<Dependencies, 'env'>, url: string): Promise<void> {
  const decision = await checkWebhookUrl(url, { allowlist: deps.env.webhookAllowlist });
  if (!decision.ok) throw validationError([{ field: 'postConversationWebhookUrl', reason: decision.reason }]);
}

function blankToNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}

/** Whether words are made of what people say, as far as is known now. */
function understandsSpeech({ env, transcriber }: Pick<AgentsDeps, 'env' | 'transcriber'>): boolean {
  if (env.openai?.realtimeModel) return transcriber !== undefined;
  return transcriber !== undefined && !transcriber.isMissing?.();
}
