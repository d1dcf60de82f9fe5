import type { CallDetail, Turn } from '#lib/features/conversations/contract.ts';

type ToolUse = CallDetail['toolUses'][number];
export type TranscriptEntry = { kind: 'turn'; turn: Turn } | { kind: 'tool'; use: ToolUse };

/**
 * Turns and tool uses in the order in which they began. Where a tool begins with a turn, it answers a person's turn
 * and comes before the agent's, which says what the tool brought.
 */
export function transcriptEntries(call: Pick<CallDetail, 'turns' | 'toolUses'>): TranscriptEntry[] {
  const turns = call.turns.map((turn) => ({
    at: turn.startedMs,
    rank: turn.speaker === 'human' ? 0 : 2,
    entry: { kind: 'turn', turn } as const,
  }));
  const tools = call.toolUses.map((use) => ({
    at: use.startedMs,
    rank: 1,
    entry: { kind: 'tool', use } as const,
  }));
  return [...turns, ...tools].toSorted((a, b) => a.at - b.at || a.rank - b.rank).map((item) => item.entry);
}

/** The turn that is heard at a moment, or the last one before it; null before the first. */
export function turnAt(turns: readonly Turn[], positionMs: number): number | null {
  const heard = turns.filter((turn) => turn.startedMs <= positionMs);
  const sounding = heard.findLast((turn) => positionMs < turn.endedMs);
  return (sounding ?? heard.at(-1))?.seq ?? null;
}

/** What was cut off by an interruption: the part that was meant but not heard. */
export function unheardPart(turn: Turn): string | null {
  if (!turn.interrupted || turn.intendedText === null) return null;
  const heard = turn.text.replace(/[\s.…—-]+$/u, '');
  const rest = turn.intendedText.startsWith(heard)
    ? turn.intendedText.slice(heard.length)
    : turn.intendedText;
  return /[\p{L}\p{N}]/u.test(rest) ? rest.trim() : null;
}

/** The turns in which any of the words occurs, anywhere and in any case, as the list finds them. */
export function turnsWith(turns: readonly Turn[], words: readonly string[]): number[] {
  const wanted = words.map((word) => word.toLowerCase());
  return turns
    .filter((turn) => wanted.some((word) => turn.text.toLowerCase().includes(word)))
    .map((turn) => turn.seq);
}

export function transcriptText(turns: readonly Turn[]): string {
  return turns.map((turn) => `${turn.speaker === 'agent' ? 'Agent' : 'Human'}: ${turn.text}`).join('\n');
}
