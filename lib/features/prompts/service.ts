import type { Actor } from '#lib/auth/actor.ts';
import type { Database } from '#db/client.ts';
import type { DerivedCard } from '#lib/engine/prompt/card-rules.ts';
import { type AgentRow, findAgent, workspaceNameOf } from '#lib/features/agents/repository.ts';
import { type AgentsDeps, createCardDeriver } from '#lib/features/agents/service.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import type {
  NewOutboundPrompt,
  OutboundPromptChange,
  OutboundPromptPatch,
  OutboundPromptView,
  PreviewRequest,
  PromptCatalog,
  PromptPreview,
} from './contract.ts';
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
  changeByPatch,
  changeByRequest,
  deriveRequestFor,
  editsCard,
  type PromptChange,
  promptView,
} from './rules.ts';

type PromptsDeps = AgentsDeps & { catalog: PromptCatalog };
type PromptPlace = { agentId: string; promptId: string };

export type PromptsService = ReturnType<typeof createPromptsService>;

/** The outbound prompts of agents (contract, Outbound prompt), and the preview of every text an agent has. */
export function createPromptsService(deps: PromptsDeps) {
  const derive = createCardDeriver(deps);

  async function read(actor: Actor, place: PromptPlace): Promise<{ agent: AgentRow; prompt: PromptRow }> {
    const agent = await findAgent(deps.db, actor.workspaceId, place.agentId);
    return { agent, prompt: await findPrompt(deps.db, actor.workspaceId, place) };
  }

  /** Derives from the prompt as it will be. A model may take seconds, so this comes before the transaction. */
  async function deriveFor(actor: Actor, agent: AgentRow, prompt: Parameters<typeof deriveRequestFor>[0]) {
    return derive(deriveRequestFor(prompt, agent, await workspaceNameOf(deps.db, actor.workspaceId)));
  }

  /** Writing what is there already is no change: `updatedAt` and the audit log stay (docs/decisions/0087). */
  async function change(
    actor: Actor,
    place: PromptPlace,
    action: string,
    decide: (prompt: PromptRow) => PromptChange,
  ): Promise<OutboundPromptView> {
    return deps.db.transaction(async (tx) => {
      const before = await lockPrompt(tx, actor.workspaceId, place);
      const columns = decide(before);
      const fields = Object.keys(changesBetween<PromptChange>(before, columns));
      if (fields.length === 0) return promptView(before);
      const updatedAt = deps.clock.now();
      const row = await updatePrompt(tx, actor.workspaceId, place.promptId, { ...columns, updatedAt });
      await audit(tx, actor, action, row, { fields });
      return promptView(row);
    });
  }

  async function audit(
    tx: Database,
    actor: Actor,
    action: string,
    row: PromptRow,
    data: Record<string, unknown> = {},
  ) {
    await recordAudit(tx, deps.clock, actor, {
      action,
      targetId: row.id,
      data: { title: row.title, agentId: row.agentId, ...data },
    });
  }

  return {
    /** The default prompt first. 404 for an unknown agent, 403 for another workspace's; so everywhere below. */
    async list(actor: Actor, agentId: string): Promise<OutboundPromptView[]> {
      await findAgent(deps.db, actor.workspaceId, agentId);
      return (await listPrompts(deps.db, actor.workspaceId, agentId)).map(promptView);
    },

    async get(actor: Actor, place: PromptPlace): Promise<OutboundPromptView> {
      return promptView((await read(actor, place)).prompt);
    },

    /** What of the card is not given is derived from the instructions. */
    async create(actor: Actor, agentId: string, input: NewOutboundPrompt): Promise<OutboundPromptView> {
      const agent = await findAgent(deps.db, actor.workspaceId, agentId);
      const voicePrompt = input.voicePrompt ?? null;
      const derived = cardColumns(
        await deriveFor(actor, agent, { instructions: input.instructions, voicePrompt, singlePrompt: null }),
      );
      const given = {
        ...(input.opening ? { opening: input.opening } : {}),
        ...(input.personaName ? { personaName: input.personaName } : {}),
        ...(input.businessName ? { businessName: input.businessName } : {}),
      };
      const now = deps.clock.now();
      return deps.db.transaction(async (tx) => {
        const row = await insertPrompt(tx, actor.workspaceId, {
          ...derived,
          ...given,
          id: deps.ids.next('prompt'),
          agentId,
          title: input.title,
          instructions: input.instructions,
          voicePrompt,
          voiceCardEdited: editsCard(given),
          createdAt: now,
          updatedAt: now,
        });
        await audit(tx, actor, 'outbound_prompt.created', row);
        return promptView(row);
      });
    },

    /**
     * Changes what was sent. New instructions derive the card anew unless it was edited by hand, and what the same
     * request writes of it wins. Throws 400 SINGLE_PROMPT_ACTIVE for a text rendered from a single prompt.
     */
    async update(actor: Actor, place: PromptPlace, input: OutboundPromptChange): Promise<OutboundPromptView> {
      const { agent, prompt } = await read(actor, place);
      const columns = changeByRequest(prompt, input);
      const derived =
        input.instructions === undefined ||
        input.instructions === prompt.instructions ||
        prompt.voiceCardEdited
          ? undefined
          : await deriveFor(actor, agent, { ...prompt, ...columns });
      return change(actor, place, 'outbound_prompt.updated', (locked) => ({
        ...cardUnlessEdited(locked, derived),
        ...changeByRequest(locked, input),
      }));
    },

    /** Conversations held with it stay; calls already queued with it are a matter of the calls themselves. */
    async remove(actor: Actor, place: PromptPlace): Promise<null> {
      await findAgent(deps.db, actor.workspaceId, place.agentId);
      await deps.db.transaction(async (tx) => {
        const row = await lockPrompt(tx, actor.workspaceId, place);
        await deletePrompt(tx, actor.workspaceId, place.promptId);
        await audit(tx, actor, 'outbound_prompt.deleted', row);
      });
      return null;
    },

    /** The single prompt, from which instructions, voice prompt and opening are rendered, and the scope. */
    async patch(actor: Actor, place: PromptPlace, input: OutboundPromptPatch): Promise<OutboundPromptView> {
      const { agent, prompt } = await read(actor, place);
      const columns = changeByPatch(input);
      const derived =
        columns.singlePrompt && !prompt.voiceCardEdited
          ? await deriveFor(actor, agent, { ...prompt, ...columns })
          : undefined;
      return change(actor, place, 'outbound_prompt.updated', (locked) => ({
        ...cardUnlessEdited(locked, derived),
        // The single prompt's own opening wins over the derived one.
        ...columns,
      }));
    },

    /** Drops edits by hand and derives the card from the prompt as it is now. */
    async deriveCard(actor: Actor, place: PromptPlace): Promise<OutboundPromptView> {
      const { agent, prompt } = await read(actor, place);
      const derived = cardColumns(await deriveFor(actor, agent, prompt));
      return change(actor, place, 'outbound_prompt.card.derived', (locked) => ({
        ...derived,
        // A single prompt's Opening section is no derivation.
        ...changeByPatch({ singlePrompt: locked.singlePrompt }),
        voiceCardEdited: false,
      }));
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
      });
    },

    /** What exists, so that the dashboard can mark names that do not. */
    catalog: async (): Promise<PromptCatalog> => deps.catalog,
  };
}

function cardUnlessEdited(prompt: PromptRow, derived: DerivedCard | undefined): PromptChange {
  return derived && !prompt.voiceCardEdited ? cardColumns(derived) : {};
}
