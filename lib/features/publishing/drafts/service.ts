import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { deriveCard } from '#lib/engine/prompt/card-model.ts';
import { languageOf } from '#lib/engine/prompt/render.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { workspaceNameOf } from '#lib/features/agents/repository.ts';
import { agentView } from '#lib/features/agents/rules.ts';
import type { AgentDetail } from '#lib/features/agents/dashboard/contract.ts';
import type { AgentsService } from '#lib/features/agents/service.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { assertBase } from '#lib/features/base.ts';
import { keptLanguage } from '#lib/features/languages/service.ts';
import type { OutboundPromptDetail, OutboundPromptView } from '#lib/features/prompts/contract.ts';
import { buildPreview } from '#lib/features/prompts/preview/build.ts';
import type { PreviewRequest, PromptPreview } from '#lib/features/prompts/preview/contract.ts';
import { promptView } from '#lib/features/prompts/rules.ts';
import { findVersion, lockState } from '#lib/features/versions/repository.ts';
import { changesBetweenContents, contentOf } from '#lib/features/versions/rules.ts';
import { currentVersionId } from '#lib/features/versions/service.ts';
import { describeError } from '#lib/log.ts';
import { applyContent, assertWebhookUrlOf } from '../service.ts';
import type { DraftEdit, DraftPublishing } from './contract.ts';
import { type EditedState, editState, sourceOfCard } from './edit.ts';
import { keepDraft, loadEdited } from './edited.ts';
import { assertLookedAt, publishing } from './not-judged.ts';
import { deleteDraft, findDraft } from './repository.ts';
import { findRunningSplit } from '../splits/repository.ts';
import { type DraftConflict, joinConflicts } from './rules.ts';

export type DraftsDeps = Pick<
  Dependencies,
  'db' | 'clock' | 'ids' | 'env' | 'log' | 'languageModel' | 'sealer'
> & {
  agents: AgentsService;
};
export type DraftsService = ReturnType<typeof createDraftsService>;

/**
 * Drafts of agents: changes that are saved and talked to, and reach no call until they are published. Every state of one is
 * a version without a number. A draft keeps the fields that it changed, and follows what is published in all others.
 */
export function createDraftsService(deps: DraftsDeps) {
  const reads = createReads(deps);
  return { ...reads, ...createChanges(deps, reads) };
}

function createReads(deps: DraftsDeps) {
  const { db } = deps;
  const read = (actor: Actor, agentId: string) =>
    db.transaction((tx) => loadEdited(tx, deps, actor, agentId));
  return {
    /** What the editor of an agent shows. Throws 403 and 404; so everywhere below. */
    async getDetail(actor: Actor, agentId: string): Promise<AgentDetail> {
      const published = {
        ...(await deps.agents.getDetail(actor, agentId)),
        split: await runningSplit(db, actor, agentId),
      };
      if (!(await findDraft(db, actor.workspaceId, agentId))) return published;
      const { agent, content, live, draft } = await read(actor, agentId);
      if (!draft) return published;
      const { workspaceName, phoneNumbers } = published;
      const { authorKind, authorLabel } = await findVersion(db, actor.workspaceId, {
        agentId,
        versionId: draft.versionId,
      });
      return {
        ...published,
        agent: agentView(agent, phoneNumbers[0]?.id ?? null, workspaceName),
        writtenCardFields: agent.writtenCardFields,
        chatPrompt: agent.chatPrompt,
        draft: {
          versionId: draft.versionId,
          publishedVersionId: draft.baseVersionId,
          changes: changesBetweenContents(live, content),
          conflicts: draft.conflicts,
          author: { kind: authorKind, label: authorLabel },
          updatedAt: draft.updatedAt.toISOString(),
        },
      };
    },

    /** What publishing the draft asks to be looked at. Throws 400 INVALID_STATE where there is none. */
    async publishing(actor: Actor, agentId: string): Promise<DraftPublishing> {
      await deps.agents.getChatPrompt(actor, agentId);
      const draft = await findDraft(db, actor.workspaceId, agentId);
      if (!draft) throw new AppError('INVALID_STATE', 'The agent has no draft');
      return publishing(db, deps, actor, draft);
    },

    async listPrompts(actor: Actor, agentId: string): Promise<OutboundPromptView[]> {
      await deps.agents.getChatPrompt(actor, agentId);
      const { agent, prompts } = await read(actor, agentId);
      const context = { agent, workspaceName: await workspaceNameOf(db, actor.workspaceId) };
      return prompts.map((prompt) => promptView(prompt, context));
    },

    async getPromptDetail(
      actor: Actor,
      { agentId, promptId }: { agentId: string; promptId: string },
    ): Promise<OutboundPromptDetail> {
      await deps.agents.getChatPrompt(actor, agentId);
      const { agent, prompts } = await read(actor, agentId);
      const prompt = prompts.find(({ id }) => id === promptId);
      if (!prompt) throw notFound('Outbound prompt');
      const context = { agent, workspaceName: await workspaceNameOf(db, actor.workspaceId) };
      const { writtenCardFields, retry } = prompt;
      return { prompt: promptView(prompt, context), writtenCardFields, retry };
    },

    /** Renders unsaved texts on top of what the editor shows. */
    async preview(actor: Actor, agentId: string, request: PreviewRequest): Promise<PromptPreview> {
      await deps.agents.getChatPrompt(actor, agentId);
      const { agent, prompts } = await read(actor, agentId);
      const promptId = request.direction === 'OUTBOUND' ? request.promptId : null;
      const prompt = prompts.find(({ id }) => id === promptId) ?? null;
      if (promptId !== null && !prompt) throw notFound('Outbound prompt');
      return buildPreview({
        agent,
        prompt,
        request,
        workspaceName: await workspaceNameOf(db, actor.workspaceId),
        hasLanguageModel: deps.languageModel !== undefined,
        made: await keptLanguage(db, languageOf(agent)),
      });
    },
  };
}

/** The version that has a share of the agent's conversations, beside what is published. */
async function runningSplit(
  db: Database,
  { workspaceId }: Actor,
  agentId: string,
): Promise<AgentDetail['split']> {
  const split = await findRunningSplit(db, workspaceId, agentId);
  if (!split) return null;
  const { id, versionId, percent } = split;
  const { number } = await findVersion(db, workspaceId, { agentId, versionId });
  return { id, version: { id: versionId, number }, percent };
}

function createChanges(deps: DraftsDeps, reads: ReturnType<typeof createReads>) {
  const { db, clock, ids } = deps;
  return {
    /**
     * Saves one form into the draft, which is begun with it. Throws what publishing the same would; who may change where
     * transcripts go is asked when it is published.
     */
    async edit(actor: Actor, agentId: string, edit: DraftEdit): Promise<{ promptId: string | null }> {
      const { workspaceId } = actor;
      const published = await deps.agents.getDetail(actor, agentId);
      const workspaceName = published.workspaceName;
      const before = await db.transaction((tx) => loadEdited(tx, deps, actor, agentId));
      const source = sourceOfCard(before, edit, workspaceName);
      // A model may take seconds, so it comes before the transaction that writes.
      const derived = source === undefined ? undefined : await derive(deps, source);
      return db.transaction(async (tx) => {
        const edited = await loadEdited(tx, deps, actor, agentId);
        assertBaseOf(actor, edited, edit, workspaceName);
        const places = { workspaceName, newPromptId: ids.next('prompt'), now: clock.now() };
        const { promptId, ...state } = editState(edited, edit, derived, places);
        const content = contentOf(state.agent, state.prompts);
        const changes = changesBetweenContents(edited.content, content);
        if (changes.length === 0) return { promptId };
        await assertWebhookUrlOf(deps, content, edited.agent.postConversationWebhookUrl);
        const now = changes.flatMap((change) => change.fields.map((field) => ({ ...change, field })));
        const isSaved = (conflict: DraftConflict) =>
          now.some(({ promptId: id, field }) => id === conflict.promptId && field === conflict.field);
        await keepDraft(tx, deps, actor, {
          agentId,
          draft: edited.draft,
          baseVersionId:
            edited.draft?.baseVersionId ?? (await currentVersionId(tx, ids, workspaceId, agentId)) ?? '',
          content,
          conflicts: joinConflicts(edited.draft?.conflicts ?? [], [], isSaved),
        });
        return { promptId };
      });
    },

    /**
     * Makes the agent what its draft says and drops the draft. Throws 400 INVALID_STATE where there is none, 403 where
     * somebody below admin would change where transcripts go, 428 where nobody looked at what simulations did not judge.
     */
    async publish(actor: Actor, agentId: string): Promise<AgentDetail> {
      await deps.agents.getChatPrompt(actor, agentId);
      await db.transaction(async (tx) => {
        const { content, agent, draft } = await loadEdited(tx, deps, actor, agentId);
        if (!draft) throw new AppError('INVALID_STATE', 'The agent has no draft');
        await assertLookedAt(tx, deps, actor, draft);
        await assertWebhookUrlOf(deps, content, agent.postConversationWebhookUrl);
        const entry = { action: 'agent.draft_published', data: {} };
        await applyContent(tx, deps, actor, { agentId, content, entry });
        await deleteDraft(tx, actor.workspaceId, agentId);
      });
      return reads.getDetail(actor, agentId);
    },

    /** Drops the draft; nothing happens where there is none. */
    async discard(actor: Actor, agentId: string): Promise<AgentDetail> {
      const { agent } = await deps.agents.getDetail(actor, agentId);
      await db.transaction(async (tx) => {
        if (!(await lockState(tx, actor.workspaceId, agentId))) return;
        if (!(await findDraft(tx, actor.workspaceId, agentId))) return;
        await deleteDraft(tx, actor.workspaceId, agentId);
        const data = { name: agent.name };
        await recordAudit(tx, clock, actor, { action: 'agent.draft_discarded', targetId: agentId, data });
      });
      return reads.getDetail(actor, agentId);
    },
  };
}

/** Throws 409 where the form that is saved shows what the draft, or what was published meanwhile, no longer says. */
function assertBaseOf(actor: Actor, { agent, prompts }: EditedState, edit: DraftEdit, workspaceName: string) {
  const promptId = 'promptId' in edit ? edit.promptId : undefined;
  if (promptId === undefined) return assertBase(actor, agent, agentView(agent, null, workspaceName));
  const prompt = prompts.find(({ id }) => id === promptId);
  if (prompt) assertBase(actor, prompt, promptView(prompt, { agent, workspaceName }));
}

function derive({ languageModel, log }: DraftsDeps, source: string) {
  return deriveCard(languageModel, source, (error) =>
    log.warn({ event: 'voice_card_by_rules', error: describeError(error) }),
  );
}
