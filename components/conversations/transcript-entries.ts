import type { CallDetail, CallEvent } from '#lib/features/conversations/contract.ts';
import type { Turn } from '#lib/features/conversations/turns/contract.ts';

type ToolUse = CallDetail['toolUses'][number];
export type TranscriptEntry =
  | { kind: 'turn'; turn: Turn }
  | { kind: 'tool'; use: ToolUse }
  | { kind: 'event'; event: CallEvent };

/** What a reader of the transcript has to know where it happened. */
const SHOWN_EVENTS = new Set([
  'model_failed',
  'speech_failed',
  'transcription_retried',
  'transcription_failed',
  'opening_replaced',
  'voice_replaced',
  'input_dropped',
  'transfer',
  'order',
  'call_held',
  'call_resumed',
]);

/**
 * Turns and tool uses in the order in which they began. Where a tool begins with a turn, it answers a person's turn
 * and comes before the agent's, which says what the tool brought. Events stand behind the turn that was over when they
 * happened: the time of a simulated call may run faster than theirs.
 */
export function transcriptEntries(
  call: Pick<CallDetail, 'turns' | 'toolUses' | 'events'>,
): TranscriptEntry[] {
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
  return [...turns, ...tools, ...eventsInPlace(call)]
    .toSorted((a, b) => a.at - b.at || a.rank - b.rank)
    .map((item) => item.entry);
}

function eventsInPlace({ turns, events }: Pick<CallDetail, 'turns' | 'events'>) {
  const startOf = new Map(turns.map((turn) => [turn.seq, turn.startedMs]));
  let at = 0;
  return events.flatMap((event) => {
    if (event.type === 'turn') at = Math.max(at, startOf.get(Number(event.data.seq)) ?? 0);
    return SHOWN_EVENTS.has(event.type) ? [{ at, rank: 3, entry: { kind: 'event', event } as const }] : [];
  });
}

/** Entries that are laid out together; `seqs` are those of its turns. */
export type TranscriptPart = { index: number; entries: TranscriptEntry[]; seqs: ReadonlySet<number> };

/** Few: the browser lays out a whole one to show a line of it. */
const PART_LENGTH = 5;

export function partsOf(entries: readonly TranscriptEntry[]): TranscriptPart[] {
  return Array.from({ length: Math.ceil(entries.length / PART_LENGTH) }, (_, index) => {
    const part = entries.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH);
    const seqs = new Set(part.flatMap((entry) => (entry.kind === 'turn' ? [entry.turn.seq] : [])));
    return { index, entries: part, seqs };
  });
}

/** Parts from `from` to the one before `to`; `seqs` are those of all of their turns. */
export type TranscriptSection = {
  from: number;
  to: number;
  parts: readonly TranscriptPart[];
  seqs: ReadonlySet<number>;
};

const SECTION_LENGTH = 10;

export function sectionsOf(parts: readonly TranscriptPart[]): TranscriptSection[] {
  return Array.from({ length: Math.ceil(parts.length / SECTION_LENGTH) }, (_, index) => {
    const from = index * SECTION_LENGTH;
    const section = parts.slice(from, from + SECTION_LENGTH);
    const seqs = new Set(section.flatMap((part) => [...part.seqs]));
    return { from, to: from + section.length, parts: section, seqs };
  });
}

/** So many turns may begin before one that is still heard. */
const MOST_OVERLAPPING = 8;

/**
 * The turn that is heard at a moment, or the last one before it; null before the first. `turns` in the order in which they
 * began. Asked sixty times a second of hours of turns, so it looks at few of them.
 */
export function turnAt(turns: readonly Turn[], positionMs: number): number | null {
  let [from, to] = [0, turns.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((turns[middle]?.startedMs ?? 0) <= positionMs) from = middle + 1;
    else to = middle;
  }
  const heard = turns.slice(Math.max(0, from - MOST_OVERLAPPING), from);
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
