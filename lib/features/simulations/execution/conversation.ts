import type { ConversationClient } from '#lib/conversation-process/host.ts';
import type { CallReport } from '#lib/conversation-process/protocol.ts';
import { BUILT_IN_TOOLS } from '#lib/engine/tools/registry.ts';
import type { ConversationResult, ToolUseRecord, TurnRecord, UseWorkspaceTool } from '#lib/engine/plan.ts';
import { type CallParty, parsePhoneNumber } from '#lib/phone-number.ts';
import type { PlannableCall } from '#lib/features/calls/execution/plan.ts';
import { type HeardPerson, PERSON_HEARD } from '#lib/ports/simulated-person.ts';
import type { EndedBy, Observed, SimulatedToolUse, SimulatedTurn } from '../rules.ts';
import { matchSaid } from './rules.ts';
import type { ScenarioContent } from '../scenarios/contract.ts';
import type { ClaimedResult } from './repository.ts';

/** Nobody has them: the last is one of the numbers that are never given out. */
const AGENT_NUMBER: CallParty = parsePhoneNumber('+15550100000');
const PERSON_NUMBER: CallParty = parsePhoneNumber('+15550199900');

/** A call that is only tried out, as the plan of a call sees it. */
export function triedCall(
  { id, workspaceId, content }: Pick<ClaimedResult, 'id' | 'workspaceId' | 'content'>,
  { agentId, agentVersionId }: { agentId: string; agentVersionId: string },
): PlannableCall {
  return {
    id,
    workspaceId,
    agentId,
    agentVersionId,
    outboundPromptId: content.direction === 'OUTBOUND' ? content.outboundPromptId : null,
    campaignId: null,
    isTest: true,
    retryOf: null,
    direction: content.direction,
    carrier: 'simulated',
    agentPhoneNumber: AGENT_NUMBER,
    humanPhoneNumber: PERSON_NUMBER,
    variables: content.variables,
  };
}

/** Who is played on the call. */
export function playedBy(content: ScenarioContent, hasLanguageModel: boolean): 'script' | 'model' {
  return content.caller.playedBy === 'model' && hasLanguageModel ? 'model' : 'script';
}

/** What a scenario needs and cannot have here; undefined where it can be run. */
export function whyNotPlayable(content: ScenarioContent, hasLanguageModel: boolean): string | undefined {
  const { caller } = content;
  const hasScript = caller.script.length > 0 || caller.manner === 'silent' || caller.manner === 'hangs_up';
  return caller.playedBy === 'model' && !hasLanguageModel && !hasScript
    ? 'A language model plays its caller, and there is none. Write a script, or set OPENAI_API_KEY or OPENAI_BASE_URL.'
    : undefined;
}

export type Listener = {
  client: Pick<
    ConversationClient,
    'report' | 'flush' | 'failed' | 'extendUsage' | 'beginTransfer' | 'useWorkspaceTool'
  >;
  observed(result: ConversationResult): Observed;
};

const NOT_HERE = {
  ok: false,
  reason: 'This tool cannot be used in this simulation: the scenario gives no answer for it.',
};

/** Listens to a conversation, and answers its tools as the scenario says. Nothing is written, nobody is called. */
export function listenTo(content: ScenarioContent, callReal: UseWorkspaceTool): Listener {
  const turns: TurnRecord[] = [];
  const toolUses: ToolUseRecord[] = [];
  let heard: HeardPerson | undefined;
  const tools = new Map(content.tools.map((tool) => [tool.name, tool]));
  const hear = (report: CallReport) => {
    if (report.type === 'turn') turns.push(report.turn);
    else if (report.type === 'tool_use') toolUses.push(report.use);
    // Our own processes wrote it.
    else if (report.type === 'event' && report.name === PERSON_HEARD) heard = report.data as HeardPerson;
  };
  return {
    client: {
      report: hear,
      flush: async () => {},
      failed: new AbortController().signal,
      extendUsage: async () => true,
      beginTransfer: async () => undefined,
      async useWorkspaceTool(use) {
        const tool = tools.get(use.name);
        if (tool?.isReal) return callReal(use);
        return tool ? tool.answer : NOT_HERE;
      },
    },
    observed(result) {
      const seen = inOrder(turns);
      const said = heard?.model ? matchSaid(seen, heard.said) : { turns: seen };
      return {
        ...said,
        ...(heard ? { heardBy: heard.model } : {}),
        toolUses: toolUses.map((use) => ({ ...use, answeredBy: answererOf(use.name, tools) })),
        endedBy: endedBy(result),
        endReason: result.endReason,
        durationMs: result.durationMs,
      };
    },
  };
}

function inOrder(turns: readonly TurnRecord[]): SimulatedTurn[] {
  return turns
    .toSorted((one, other) => one.startedMs - other.startedMs || one.seq - other.seq)
    .map(({ seq, speaker, text, intendedText, startedMs, endedMs, interrupted }) => ({
      seq,
      speaker,
      text,
      intendedText,
      startedMs: Math.round(startedMs),
      endedMs: Math.round(endedMs),
      interrupted,
    }));
}

function answererOf(
  name: string,
  tools: ReadonlyMap<string, ScenarioContent['tools'][number]>,
): SimulatedToolUse['answeredBy'] {
  const tool = tools.get(name);
  if (tool) return tool.isReal ? 'real' : 'scenario';
  return BUILT_IN_TOOLS.some((builtIn) => builtIn.name === name) ? 'simulation' : 'scenario';
}

function endedBy({ transferredTo, endedBy: by, endReason }: ConversationResult): EndedBy {
  if (transferredTo !== null) return 'transfer';
  if (by === 'human') return 'person';
  if (by === 'agent') return endReason.startsWith('The agent could not go on') ? 'fault' : 'agent';
  return by === 'limit' ? 'limit' : 'fault';
}
