import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { SpokenLanguage } from '#lib/engine/languages/language.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import { chatLanguage, chatText, renderChatPrompt } from '#lib/engine/prompt/render-chat.ts';
import { languageOf } from '#lib/engine/prompt/render.ts';
import { languageRefusal } from '#lib/engine/prompt/spoken-language.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { type CallParts, loadHeldParts, loadSharedParts } from '#lib/features/calls/execution/plan.ts';
import { loadWorkspaceTools } from '#lib/features/integrations/repository.ts';
import { WEB_CALLER } from '#lib/phone-number.ts';
import type { Ids } from '#lib/ports/ids.ts';
import { CHAT_LIMITS } from './rules.ts';
import { findWidgetOfAgent } from './widget/repository.ts';

export type WantedPlan = {
  chatId: string;
  agentId: string;
  variables: Record<string, string>;
  isTest: boolean;
  startedAt: Date;
  /** The version it is held with; null: what is published. */
  agentVersionId: string | null;
};

/**
 * Freezes what a chat is run with: agent, chat prompt and settings as they are now. Throws 404 for an agent that is
 * gone, 400 for one that is switched off, and for one whose language is not spoken without a language model.
 */
export async function planChat(
  db: Database,
  workspaceId: WorkspaceId,
  wanted: WantedPlan,
  deps: {
    ids: Ids;
    hasLanguageModel: boolean;
    /** What is said in a language, by its code. */
    speak(language: string | null): Promise<SpokenLanguage>;
  },
): Promise<{ plan: CallPlan; agentVersionId: string | null }> {
  const { agentId, variables, startedAt, agentVersionId, isTest } = wanted;
  const call = { id: wanted.chatId, agentId, outboundPromptId: null, agentVersionId, isTest, retryOf: null };
  const held = await loadHeldParts(db, deps.ids, workspaceId, call);
  if (!held) throw notFound('Agent');
  const refusalOf = ({ agent }: CallParts) =>
    deps.hasLanguageModel
      ? null
      : languageRefusal({ language: languageOf(agent), text: chatText(agent, agent.chatPrompt) ?? '' });
  const shared = await loadSharedParts(db, workspaceId, call, held);
  const parts = shared && refusalOf(shared) === null ? shared : held;
  const { agent, workspace } = parts;
  if (!agent.isActive) throw new AppError('AGENT_INACTIVE', 'The agent is switched off');
  const refusal = refusalOf(parts);
  if (refusal !== null) throw new AppError('INVALID_STATE', `The agent cannot chat. ${refusal}`);
  const widget = await findWidgetOfAgent(db, workspaceId, agentId);
  const { opening, instructions, body, card } = renderChatPrompt({
    agent,
    chatPrompt: agent.chatPrompt,
    greeting: widget?.greeting ?? null,
    variables,
    workspaceName: workspace.name,
  });
  const plan: CallPlan = {
    announcement: null,
    callId: wanted.chatId,
    workspaceId: agent.workspaceId,
    agentId,
    direction: 'INBOUND',
    agentPhoneNumber: WEB_CALLER,
    humanPhoneNumber: WEB_CALLER,
    variables,
    timeZone: workspace.timeZone,
    startedAt,
    prompt: { opening, missingForOpening: [], instructions, body, card },
    language: await deps.speak(chatLanguage(agent, agent.chatPrompt)),
    voiceId: null,
    listening: { hints: [], language: null, isMultilingual: agent.isMultilingual, hasBargeIn: false },
    hasEndCall: agent.hasEndCall,
    // Nobody can be put through from a chat: the agent offers that somebody gets back (docs/decisions/0190).
    hasCallTransfer: false,
    transferNumber: null,
    transferCallerId: 'agent',
    transferMode: 'cold',
    hasAutoInboundTransfer: false,
    disabledToolNames: agent.disabledToolNames,
    ...(await loadWorkspaceTools(db, workspaceId, agent.integrationIds)),
    hasKnowledge: parts.hasKnowledge,
    limits: { maxDurationMs: CHAT_LIMITS.maxDurationMs, silenceMs: CHAT_LIMITS.idleMs },
  };
  return { plan, agentVersionId: agent.versionId };
}
