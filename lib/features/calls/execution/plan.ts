import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { SpokenLanguage } from '#lib/engine/languages/language.ts';
import { promptLanguage } from '#lib/engine/prompt/prompt-language.ts';
import { languageOf, renderPrompt } from '#lib/engine/prompt/render.ts';
import { languageRefusal, spokenTexts } from '#lib/engine/prompt/spoken-language.ts';
import { loadWorkspaceTools } from '#lib/features/integrations/repository.ts';
import { isInShare } from '#lib/features/versions/rules.ts';
import { currentVersionId, getVersion } from '#lib/features/versions/service.ts';
import {
  findPhoneNumber,
  parseCallParty,
  parsePhoneNumber,
  WORLDWIDE_NUMBER_PATTERN,
} from '#lib/phone-number.ts';
import { commonHours } from '#lib/calling-hours/common-hours.ts';
import type { WhenToCall } from '../admission/waiting.ts';
import type { CallRow } from '../repository.ts';
import { CAMPAIGN_CANCELLED } from '../rules.ts';
import type { Ids } from '#lib/ports/ids.ts';
import { findHeldVersionId } from './held/repository.ts';
import { loadCallParts } from './repository.ts';

/** Longer calls are ended with a goodbye. */
export const MAX_CALL_MS = 30 * 60_000;
/** How long a person may say nothing before the agent gives up on the call. */
const SILENCE_MS = 20_000;

export type CallParts = NonNullable<Awaited<ReturnType<typeof loadCallParts>>>;
/** What a plan needs to know of a call: a row of calls, or one that is only tried out. */
export type PlannableCall = Pick<
  CallRow,
  | 'id'
  | 'workspaceId'
  | 'agentId'
  | 'outboundPromptId'
  | 'agentVersionId'
  | 'campaignId'
  | 'isTest'
  | 'retryOf'
  | 'direction'
  | 'carrier'
  | 'agentPhoneNumber'
  | 'humanPhoneNumber'
  | 'variables'
>;
export type PlannedCall =
  | { ok: true; plan: CallPlan; agentVersionId: string | null; calling: WhenToCall; isPaused: boolean }
  | { ok: false; code: string; reason: string };

/**
 * What a conversation is held with: what is published of its agent, or the version that it names. A version that is there
 * by then is in `agent.versionId`. Undefined where the agent is gone; throws 404 for a version that is not the agent's.
 */
export async function loadHeldParts(
  db: Database,
  ids: Ids,
  workspaceId: WorkspaceId,
  call: Pick<CallRow, 'agentId' | 'outboundPromptId' | 'agentVersionId'> & { campaignId?: string | null },
): Promise<CallParts | undefined> {
  const { agentId, outboundPromptId, agentVersionId } = call;
  const parts = await loadCallParts(db, workspaceId, call);
  if (parts === undefined) return undefined;
  if (agentVersionId !== null) {
    const place = { agentId, versionId: agentVersionId };
    const { agent, prompts } = await getVersion(db, workspaceId, place, parts.agent);
    return { ...parts, agent, prompt: prompts.find(({ id }) => id === outboundPromptId) ?? null };
  }
  if (parts.agent.versionId !== null) return parts;
  await currentVersionId(db, ids, workspaceId, agentId);
  return loadCallParts(db, workspaceId, call);
}

/**
 * The same of a second version that gets a share of the agent's conversations, where this one is in the share; undefined
 * where it is held with `published`. A further attempt keeps the version of the first one as long as that one gets any calls.
 * Tests are in no share, nor is what names its version, and nobody is called with a prompt that was deleted.
 */
export async function loadSharedParts(
  db: Database,
  workspaceId: WorkspaceId,
  call: Pick<CallRow, 'id' | 'isTest' | 'outboundPromptId' | 'agentVersionId' | 'retryOf'>,
  published: CallParts,
): Promise<CallParts | undefined> {
  const { split } = published;
  if (!split || call.isTest || call.agentVersionId !== null) return undefined;
  if (call.outboundPromptId !== null && published.prompt === null) return undefined;
  const before = call.retryOf === null ? undefined : await findHeldVersionId(db, workspaceId, call.retryOf);
  if (before !== undefined && before === published.agent.versionId) return undefined;
  if (before !== split.versionId && !isInShare(call.retryOf ?? call.id, split.percent)) return undefined;
  const place = { agentId: published.agent.id, versionId: split.versionId };
  const { agent, prompts } = await getVersion(db, workspaceId, place, published.agent);
  return { ...published, agent, prompt: prompts.find(({ id }) => id === call.outboundPromptId) ?? null };
}

type Planning = {
  ids: Ids;
  startedAt: Date;
  hasLanguageModel: boolean;
  /** What is said in a language, by its code. */
  speak(language: string | null): Promise<SpokenLanguage>;
  /** Changes what was loaded before it is used. */
  settle?: (parts: CallParts) => CallParts;
};

/**
 * Freezes what a call is run with: agent, prompt, variables and settings as they are now, or as they are in the version
 * that the call names or that it gets by a share. One that cannot be run with the version of a share, which may lack its
 * prompt, is run with what is published. Refuses, with a sentence, what has become impossible since the call was accepted.
 */
export async function planCall(
  db: Database,
  workspaceId: WorkspaceId,
  call: PlannableCall,
  planning: Planning,
): Promise<PlannedCall> {
  const loaded = await loadHeldParts(db, planning.ids, workspaceId, call);
  if (!loaded)
    return { ok: false, code: 'agent_gone', reason: 'The agent was removed before the call was placed.' };
  const shared = await loadSharedParts(db, workspaceId, call, loaded);
  if (shared) {
    const planned = await planWith(db, workspaceId, { call, parts: shared }, planning);
    if (planned.ok) return planned;
  }
  const parts = planning.settle ? planning.settle(loaded) : loaded;
  return planWith(db, workspaceId, { call, parts }, planning);
}

async function planWith(
  db: Database,
  workspaceId: WorkspaceId,
  { call, parts }: { call: PlannableCall; parts: CallParts },
  { startedAt, hasLanguageModel, speak }: Planning,
): Promise<PlannedCall> {
  const refusal = whyImpossible(call, parts, hasLanguageModel);
  if (refusal) return { ok: false, ...refusal };
  try {
    const written = spokenPrompt(call, parts.agent, parts.prompt);
    const language = await speak(languageOf(parts.agent) ?? promptLanguage(null, written));
    const { callingHours, timeZone: workspaceZone } = parts.workspace;
    const own = parts.campaign?.callingHours ?? null;
    // Hours that are never open together cannot be kept both: the workspace's are the law.
    const calling = { callingHours: commonHours(callingHours, own) ?? [callingHours], workspaceZone };
    const isPaused = parts.campaign?.state === 'paused';
    const tools = await loadWorkspaceTools(db, workspaceId, parts.agent.integrationIds);
    const plan = assemble(call, parts, { startedAt, language, tools });
    return { ok: true, plan, agentVersionId: parts.agent.versionId, calling, isPaused };
  } catch {
    return {
      ok: false,
      code: 'prompt_unusable',
      reason: 'The prompt could not be rendered, so nobody was dialled.',
    };
  }
}

/** What has become impossible since the call was accepted; undefined where it can be run. */
function whyImpossible(
  call: PlannableCall,
  { agent, prompt, campaign }: CallParts,
  hasLanguageModel: boolean,
): { code: string; reason: string } | undefined {
  if (campaign?.state === 'cancelled')
    return { code: CAMPAIGN_CANCELLED.reason, reason: CAMPAIGN_CANCELLED.endReason };
  if (!agent.isActive)
    return { code: 'agent_inactive', reason: 'The agent was switched off before the call was placed.' };
  if (call.direction === 'OUTBOUND' && !prompt)
    return {
      code: 'prompt_gone',
      reason: 'The outbound prompt was removed before the call was placed.',
    };
  const refusal = hasLanguageModel
    ? null
    : languageRefusal({ language: languageOf(agent), text: spokenPrompt(call, agent, prompt) });
  if (refusal !== null)
    return { code: 'language_not_spoken', reason: `The agent cannot hold this call. ${refusal}` };
  return undefined;
}

function announcementOf({ workspace }: CallParts, language: SpokenLanguage): string | null {
  if (!workspace.hasRecordingAnnouncement) return null;
  return workspace.recordingAnnouncement ?? language.lines.recordingAnnouncement;
}

function assemble(
  call: PlannableCall,
  parts: CallParts,
  {
    startedAt,
    language,
    tools,
  }: Pick<CallPlan, 'startedAt' | 'language'> & {
    tools: Pick<CallPlan, 'workspaceTools' | 'missingIntegrations'>;
  },
): CallPlan {
  const { agent, workspace } = parts;
  const prompt = renderPrompt({
    agent,
    outboundPrompt: parts.prompt,
    direction: call.direction,
    variables: call.variables,
    workspaceName: workspace.name,
    made: language.lines,
  });
  return {
    callId: call.id,
    announcement: announcementOf(parts, language),
    workspaceId: call.workspaceId,
    agentId: agent.id,
    direction: call.direction,
    agentPhoneNumber: parseCallParty(call.agentPhoneNumber),
    humanPhoneNumber: parseCallParty(call.humanPhoneNumber),
    variables: call.variables,
    timeZone: workspace.timeZone,
    startedAt,
    prompt,
    language,
    voiceId: agent.voiceId,
    listening: {
      hints: agent.hasHints ? listHints(agent.hints) : [],
      language: agent.hasLanguage ? agent.language : null,
      isMultilingual: agent.isMultilingual,
      hasBargeIn: agent.hasBargeIn,
    },
    hasEndCall: agent.hasEndCall,
    // Nobody can be put through from a browser: the agent must not promise it.
    hasCallTransfer: agent.hasCallTransfer && call.carrier !== 'browser',
    transferNumber:
      agent.inboundTransferNumber === null
        ? findPhoneNumber(writtenPrompt(call, agent, parts.prompt))
        : parsePhoneNumber(agent.inboundTransferNumber),
    // Where the caller withholds the number, or has none, there is only the agent's to show.
    transferCallerId: WORLDWIDE_NUMBER_PATTERN.test(call.humanPhoneNumber) ? agent.transferCallerId : 'agent',
    transferMode: agent.transferMode,
    hasAutoInboundTransfer: agent.hasAutoInboundTransfer && call.carrier !== 'browser',
    disabledToolNames: agent.disabledToolNames,
    ...tools,
    hasKnowledge: parts.hasKnowledge,
    limits: { maxDurationMs: MAX_CALL_MS, silenceMs: SILENCE_MS },
  };
}

/**
 * The prompt as its author wrote it. Rendered, it holds the values of the call's variables, and a value must never
 * decide which number is dialled.
 */
export function writtenPrompt(
  call: Pick<CallRow, 'direction'>,
  agent: { inboundPrompt: string | null },
  prompt: { instructions: string } | null,
): string {
  return (call.direction === 'OUTBOUND' ? prompt?.instructions : agent.inboundPrompt) ?? '';
}

/** The texts that decide what is said on this call, as they were written. */
function spokenPrompt(
  call: Pick<CallRow, 'direction'>,
  agent: { inboundPrompt: string | null; inboundVoicePrompt: string | null },
  prompt: { instructions: string; voicePrompt: string | null } | null,
): string {
  const voicePrompt = call.direction === 'OUTBOUND' ? prompt?.voicePrompt : agent.inboundVoicePrompt;
  return spokenTexts({ voicePrompt, prompt: writtenPrompt(call, agent, prompt) });
}

function listHints(hints: string | null): string[] {
  return (hints ?? '')
    .split(',')
    .map((hint) => hint.trim())
    .filter((hint) => hint !== '');
}
