import type { ToolUseRecord, TurnRecord } from '#lib/engine/plan.ts';
import type { ChatMessage } from '#lib/ports/language-model.ts';

/** What is stored of a chat; everything that an answer depends on is made of it, so any process can give it. */
export type ChatPast = {
  turns: readonly Pick<TurnRecord, 'seq' | 'speaker' | 'text' | 'startedMs'>[];
  toolUses: readonly Pick<ToolUseRecord, 'seq' | 'name' | 'arguments' | 'result' | 'startedMs'>[];
};
export type PastToolUse = ChatPast['toolUses'][number];
export type PastTurn = ChatPast['turns'][number] & {
  /** What was used to answer it, or for its answer; of the person's turns only. */
  toolUses: PastToolUse[];
};

/** What documents said is told to the model for so many of the last questions; the answers it gave stay. */
const SEARCHES_KEPT = 3;
/** Each message is asked for with all that is told of the past: some 10,000 tokens of it, the newest, and no more. */
const MOST_CHARACTERS = 40_000;

/** The turns in order, each of the person's with the tools that were used after it. */
export function turnsWithTools({ turns, toolUses }: ChatPast): PastTurn[] {
  const inOrder = turns.toSorted((one, other) => one.seq - other.seq);
  const heard = inOrder.filter((turn) => turn.speaker === 'human');
  const withTools = new Map<number, PastToolUse[]>();
  for (const use of toolUses.toSorted((one, other) => one.seq - other.seq)) {
    const turn = heard.findLast(({ startedMs }) => startedMs <= use.startedMs);
    if (turn) withTools.set(turn.seq, [...(withTools.get(turn.seq) ?? []), use]);
  }
  return inOrder.map((turn) => ({ ...turn, toolUses: withTools.get(turn.seq) ?? [] }));
}

/**
 * What a language model is told of a chat so far, the latest message of the person included. Of a long chat the oldest turns
 * are left out, with what was used for them.
 */
export function messagesOf(past: ChatPast): ChatMessage[] {
  const searches = past.toolUses
    .filter((use) => use.name === 'search_knowledge')
    .toSorted((one, other) => one.seq - other.seq);
  const forgotten = new Set(searches.slice(0, -SEARCHES_KEPT).map((use) => use.seq));
  const turns = newestOf(
    turnsWithTools(past).map((turn) => ({
      ...turn,
      toolUses: turn.toolUses.filter((use) => !forgotten.has(use.seq)),
    })),
  );
  const messages: ChatMessage[] = [];
  for (const turn of turns) {
    const last = messages.at(-1);
    if (turn.speaker === 'agent') messages.push({ role: 'assistant', content: turn.text });
    // A message that was never answered: what follows it is one with it.
    else if (last?.role === 'user') last.content = `${last.content}\n${turn.text}`;
    else messages.push({ role: 'user', content: turn.text });
    for (const use of turn.toolUses) messages.push(...toolMessages(use));
  }
  return messages;
}

function newestOf(turns: readonly PastTurn[]): readonly PastTurn[] {
  let characters = 0;
  const first = turns.findLastIndex((turn) => {
    const used = turn.toolUses.reduce((sum, use) => sum + JSON.stringify(use.result).length, 0);
    characters += turn.text.length + used;
    return characters > MOST_CHARACTERS;
  });
  return turns.slice(Math.min(first + 1, turns.length - 1));
}

function toolMessages(use: PastToolUse): ChatMessage[] {
  const id = `used_${use.seq}`;
  return [
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id, name: use.name, arguments: JSON.stringify(use.arguments) }],
    },
    { role: 'tool', toolCallId: id, content: JSON.stringify(use.result) },
  ];
}
