import type { ToolUseRecord, TurnRecord } from '#lib/engine/plan.ts';
import type { ChatState, ShownMessage } from './contract.ts';
import type { ChatRow } from './repository.ts';

/** What is stored of a chat as its readers are shown it: moments instead of milliseconds. Pure. */
const momentOf = (beganAt: Date, ms: number) => new Date(beganAt.getTime() + ms).toISOString();

export function toShownMessage(
  turn: Pick<TurnRecord, 'seq' | 'speaker' | 'text' | 'startedMs'>,
  beganAt: Date,
): ShownMessage {
  const from = turn.speaker === 'agent' ? 'agent' : 'person';
  return { seq: turn.seq, from, text: turn.text, at: momentOf(beganAt, turn.startedMs) };
}

export function toShownToolUse(
  use: Pick<ToolUseRecord, 'seq' | 'name' | 'arguments' | 'result' | 'startedMs'>,
  beganAt: Date,
) {
  const { seq, name, result } = use;
  return { seq, name, arguments: use.arguments, result, at: momentOf(beganAt, use.startedMs) };
}

export function toChatState(
  chat: ChatRow,
  stored: {
    call: { isTest: boolean; endReason: string | null };
    turns: readonly Parameters<typeof toShownMessage>[0][];
    toolUses: readonly Parameters<typeof toShownToolUse>[0][];
    now: Date;
  },
): ChatState {
  return {
    conversationId: chat.id,
    agentId: chat.agentId,
    status: chat.isOpen ? 'open' : 'ended',
    isAnswering: chat.answeringUntil !== null && chat.answeringUntil > stored.now,
    isTest: stored.call.isTest,
    endReason: stored.call.endReason,
    messages: stored.turns.map((turn) => toShownMessage(turn, chat.createdAt)),
    lastMessageId: chat.lastMessageId,
    toolUses: stored.toolUses.map((use) => toShownToolUse(use, chat.createdAt)),
  };
}
