import type { Actor } from '#lib/auth/actor.ts';
import type { Database } from '#db/client.ts';
import type { DerivedCard } from '#lib/engine/prompt/card-rules.ts';
import { type AgentRow, findAgent, lockAgent, workspaceNameOf } from '#lib/features/agents/repository.ts';
import { type AgentsDeps, createCardDeriver } from '#lib/features/agents/service.ts';
import { languageOf } from '#lib/engine/prompt/render.ts';
import { keptLanguage } from '#lib/features/languages/service.ts';
import { noteVersion } from '#lib/features/versions/service.ts';
import { assertBase } from '#lib/features/base.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import type {
  NewOutboundPrompt,
  OutboundPromptChange,
  OutboundPromptDetail,
  OutboundPromptPatch,
  OutboundPromptView,
  PromptCatalog,
} from './contract.ts';
import type { PreviewRequest, PromptPreview } from './preview/contract.ts';
import { buildPreview } from './preview/build.ts';
import {
  deletePrompt,
  findPrompt,
  insertPrompt,
  listPrompts,
  lockPrompt,
  type PromptRow,
  updatePrompt,
} from './repository.ts';
import {
  cardColumns,
  cardSource,
  changeByPatch,
  changeByRequest,
  newPromptColumns,
  type PromptChange,
  type PromptContext,
  promptView,
} from './rules.ts';

type PromptsDeps = AgentsDeps & { catalog(actor: Actor): Promise<PromptCatalog> };
type CardDeriver = ReturnType<typeof createCardDeriver>;
type PromptPlace = { agentId: string; promptId: string };

export type PromptsService = ReturnType<typeof createPromptsService>;

/** The outbound prompts of agents (contract, Outbound prompt), and the preview of every text an agent has. */
export function createPromptsService(deps: PromptsDeps) {
  const derive = createCardDeriver(deps);
  return { ...createReads(deps), ...createLifecycle(deps, derive), ...createChanges(deps, derive) };
}

function createReads(deps: PromptsDeps) {
  return {
    /** The default prompt first. 404 for an unknown agent, 403 for another workspace's; so everywhere below. */
    async list(actor: Actor, agentId: string): Promise<OutboundPromptView[]> {
      const context = await contextOf(deps, actor, await findAgent(deps.db, actor.workspaceId, agentId));
      const rows = await listPrompts(deps.db, actor.workspaceId, agentId);
      return rows.map((row) => promptView(row, context));
    },

    async get(actor: Actor, place: PromptPlace): Promise<OutboundPromptView> {
      const { agent, prompt } = await read(deps, actor, place);
      return promptView(prompt, await contextOf(deps, actor, agent));
    },

    /** The same with what the editor needs besides. */
    async getDetail(actor: Actor, place: PromptPlace): Promise<OutboundPromptDetail> {
      const { agent, prompt } = await read(deps, actor, place);
      const { writtenCardFields, retry } = prompt;
      return { prompt: promptView(prompt, await contextOf(deps, actor, agent)), writtenCardFields, retry };
    },

    /** Renders unsaved texts exactly as a call would, with every fault and every missing variable named. */
    async preview(actor: Actor, agentId: string, request: PreviewRequest): Promise<PromptPreview> {
      const agent = await findAgent(deps.db, actor.workspaceId, agentId);
      const isSaved = request.direction === 'OUTBOUND' && request.promptId !== null;
      const prompt = isSaved
        ? await findPrompt(deps.db, actor.workspaceId, { agentId, promptId: request.promptId ?? '' })
        : null;
      return buildPreview({
        agent,
        prompt,
        request,
        workspaceName: await workspaceNameOf(deps.db, actor.workspaceId),
        hasLanguageModel: deps.languageModel !== undefined,
        made: await keptLanguage(deps.db, languageOf(agent)),
      });
    },

    /** What exists, so that the dashboard can mark names that do not. */
    catalog: deps.catalog,
  };
}

/** New prompts and prompts that go. */
function createLifecycle(deps: PromptsDeps, derive: CardDeriver) {
  return {
    /** What of the card is not given is derived from the instructions. */
    async create(actor: Actor, agentId: string, input: NewOutboundPrompt): Promise<OutboundPromptView> {
      const agent = await findAgent(deps.db, actor.workspaceId, agentId);
      const context = await contextOf(deps, actor, agent);
      // A model may take seconds, so it comes before the transaction; so everywhere below.
      const columns = newPromptColumns(input, await derive(input.instructions), context);
      const now = deps.clock.now();
      return deps.db.transaction(async (tx) => {
        const row = await insertPrompt(tx, actor.workspaceId, {
          ...columns,
          id: deps.ids.next('prompt'),
          agentId,
          createdAt: now,
          updatedAt: now,
        });
        await audit(deps, tx, actor, { action: 'outbound_prompt.created', row });
        await noteVersion(tx, deps, actor, agentId);
        return promptView(row, context);
      });
    },

    /** Conversations held with it stay; calls already queued with it are a matter of the calls themselves. */
    async remove(actor: Actor, place: PromptPlace): Promise<null> {
      await deps.db.transaction(async (tx) => {
        await lockAgent(tx, actor.workspaceId, place.agentId);
        const row = await lockPrompt(tx, actor.workspaceId, place);
        await deletePrompt(tx, actor.workspaceId, place.promptId);
        await audit(deps, tx, actor, { action: 'outbound_prompt.deleted', row });
        await noteVersion(tx, deps, actor, place.agentId);
      });
      return null;
    },
  };
}

/** Changes, each of which may derive the card anew. */
function createChanges(deps: PromptsDeps, derive: CardDeriver) {
  return {
    /**
     * Changes what was sent. New instructions derive the card anew unless it was edited by hand, and what the same
     * request writes of it wins. Throws 400 SINGLE_PROMPT_ACTIVE for a text rendered from a single prompt.
     */
    async update(actor: Actor, place: PromptPlace, input: OutboundPromptChange): Promise<OutboundPromptView> {
      const { agent, prompt } = await read(deps, actor, place);
      const context = await contextOf(deps, actor, agent);
      const columns = changeByRequest(prompt, input, context);
      const derived =
        input.instructions === undefined ||
        input.instructions === prompt.instructions ||
        prompt.voiceCardEdited
          ? undefined
          : await derive(cardSource({ ...prompt, ...columns }));
      return change(deps, actor, { ...place, context, action: 'outbound_prompt.updated' }, (locked) =>
        changeByRequest(locked, input, context, cardUnlessEdited(locked, derived)),
      );
    },

    /** The single prompt, from which instructions, voice prompt and opening are rendered, and the scope. */
    async patch(actor: Actor, place: PromptPlace, input: OutboundPromptPatch): Promise<OutboundPromptView> {
      const { agent, prompt } = await read(deps, actor, place);
      const context = await contextOf(deps, actor, agent);
      const columns = changeByPatch(prompt, input, context);
      const derived =
        columns.singlePrompt && !prompt.voiceCardEdited
          ? await derive(cardSource({ ...prompt, ...columns }))
          : undefined;
      return change(deps, actor, { ...place, context, action: 'outbound_prompt.updated' }, (locked) => {
        const card = cardUnlessEdited(locked, derived);
        // The single prompt's own opening wins over the derived one.
        return { ...card, ...changeByPatch({ ...locked, ...card }, input, context) };
      });
    },

    /** Drops edits by hand and derives the card from the prompt as it is now. */
    async deriveCard(actor: Actor, place: PromptPlace): Promise<OutboundPromptView> {
      const { agent, prompt } = await read(deps, actor, place);
      const context = await contextOf(deps, actor, agent);
      const derived = { ...cardColumns(await derive(cardSource(prompt))), voiceCardEdited: false };
      return change(deps, actor, { ...place, context, action: 'outbound_prompt.card.derived' }, (locked) => ({
        ...derived,
        // A single prompt's Opening section is no derivation.
        ...changeByPatch({ ...locked, ...derived }, { singlePrompt: locked.singlePrompt }, context),
      }));
    },
  };
}

async function read(
  deps: PromptsDeps,
  actor: Actor,
  place: PromptPlace,
): Promise<{ agent: AgentRow; prompt: PromptRow }> {
  const agent = await findAgent(deps.db, actor.workspaceId, place.agentId);
  return { agent, prompt: await findPrompt(deps.db, actor.workspaceId, place) };
}

async function contextOf(deps: PromptsDeps, actor: Actor, agent: AgentRow): Promise<PromptContext> {
  return { agent, workspaceName: await workspaceNameOf(deps.db, actor.workspaceId) };
}

/** Writing what is there already is no change: `updatedAt` and the audit log stay (docs/decisions/0087). */
async function change(
  deps: PromptsDeps,
  actor: Actor,
  { context, action, ...place }: PromptPlace & { context: PromptContext; action: string },
  decide: (prompt: PromptRow) => PromptChange,
): Promise<OutboundPromptView> {
  return deps.db.transaction(async (tx) => {
    // Before the prompt: whoever deletes an agent locks both in this order.
    await lockAgent(tx, actor.workspaceId, place.agentId);
    const before = await lockPrompt(tx, actor.workspaceId, place);
    assertBase(actor, before, promptView(before, context));
    const columns = decide(before);
    const fields = Object.keys(changesBetween<PromptChange>(before, columns));
    if (fields.length === 0) return promptView(before, context);
    const updatedAt = deps.clock.now();
    const row = await updatePrompt(tx, actor.workspaceId, place.promptId, { ...columns, updatedAt });
    await audit(deps, tx, actor, { action, row, data: { fields } });
    await noteVersion(tx, deps, actor, place.agentId);
    return promptView(row, context);
  });
}

async function audit(
  deps: PromptsDeps,
  tx: Database,
  actor: Actor,
  { action, row, data }: { action: string; row: PromptRow; data?: Record<string, unknown> },
) {
  await recordAudit(tx, deps.clock, actor, {
    action,
    targetId: row.id,
    data: { title: row.title, agentId: row.agentId, ...data },
  });
}

function cardUnlessEdited(prompt: PromptRow, derived: DerivedCard | undefined) {
  return derived && !prompt.voiceCardEdited ? cardColumns(derived) : {};
}
