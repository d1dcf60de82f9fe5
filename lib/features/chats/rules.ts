/** Who ended a chat, and why, in one sentence for a person. */
export type ChatEnd = { endedBy: 'agent' | 'human' | 'limit' | 'staff'; endReason: string };

/** What one chat, and all chats of one agent, may be. */
export const CHAT_LIMITS = {
  messageCharacters: 4_000,
  /** Of the person; the chat ends with the answer to the last one. */
  messages: 100,
  /** Of the model, asked and answered; the chat ends with the answer that passes it. */
  tokens: 400_000,
  /** A chat in which nobody writes any more is over. */
  idleMs: 30 * 60_000,
  /** So long at most, however much is written. */
  maxDurationMs: 6 * 3_600_000,
  /** Chats of one agent in which somebody wrote within `activeMs`. */
  activeChatsPerAgent: 100,
  activeMs: 5 * 60_000,
  /** Answers of one agent in the making. */
  answersPerAgent: 20,
  /** One answer, tools and all. */
  answerMs: 120_000,
} as const;

/** Whoever works on an answer says so this often, and is taken for dead after `answeringLeaseMs`. */
export const HEARTBEAT_MS = 2_000;
export const ANSWERING_LEASE_MS = 15_000;

/** Why a chat is over, as support reads it. */
export const CHAT_ENDS = {
  person: { endedBy: 'human', endReason: 'The visitor ended the chat.' },
  idle: { endedBy: 'human', endReason: 'The visitor wrote nothing more.' },
  too_long: { endedBy: 'limit', endReason: 'The chat reached its maximum length.' },
  widget_off: { endedBy: 'limit', endReason: 'The website widget was switched off.' },
  staff: { endedBy: 'staff', endReason: 'The chat was ended by a member of the team.' },
} as const satisfies Record<string, ChatEnd>;

/** The end that the agent itself chose. */
export function endByAgent(reason: string): ChatEnd {
  const why = reason.trim().replace(/[.!\s]+$/, '');
  const endReason = why === '' ? 'The agent ended the chat.' : `The agent ended the chat: ${why}.`;
  return { endedBy: 'agent', endReason };
}
