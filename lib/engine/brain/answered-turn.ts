import type { ModelEvent } from '#lib/ports/language-model.ts';
import type { BrainTurn } from './brain.ts';

type ToolCall = Extract<ModelEvent, { type: 'tool_call' }>;

export type Turn = ReturnType<typeof createTurn>;

/** One turn of the person while it is answered. `hear` keeps it once it is surely over. */
export function createTurn(asked: BrainTurn, hear: (heard: string) => void) {
  const used = new Set<string>();
  let begun = [...(asked.begun?.said ?? [])];
  let isKept = asked.begun !== undefined;
  const keep = () => {
    if (!isKept && !asked.signal.aborted) hear(asked.heard);
    isKept = true;
  };
  // An answer that is never confirmed is aborted instead, and keeps nothing.
  if (asked.confirmed) asked.confirmed.then(keep, () => undefined);
  else keep();
  const turn = {
    signal: asked.signal,
    said: begun.length,
    isFinishing: false,
    /** Something was tried and not done: the person has to hear of it. */
    hasFailedTool: false,
    unkept: () => (isKept ? undefined : asked.heard),
    async keep(): Promise<void> {
      await asked.confirmed;
      asked.signal.throwIfAborted();
      keep();
    },
    hasUsedTools: () => used.size > 0,
    /** What another brain said of the answer, once. */
    takeBegun(): string[] {
      const taken = begun;
      begun = [];
      return taken;
    },
    async *count<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
      for await (const piece of pieces) {
        if (piece !== '') turn.said += 1;
        yield piece;
      }
    },
    /** A tool used again with the same arguments would give the same result, in a loop. */
    async useTool(call: ToolCall): Promise<{ result: Record<string, unknown>; isRepeated: boolean }> {
      asked.signal.throwIfAborted();
      const key = `${call.name} ${call.arguments}`;
      if (used.has(key))
        return { result: { ok: false, reason: 'you have just used this; answer now' }, isRepeated: true };
      used.add(key);
      try {
        const args: unknown = JSON.parse(call.arguments === '' ? '{}' : call.arguments);
        const result = await asked.useTool(call.name, args);
        turn.hasFailedTool ||= result.ok === false;
        return { result, isRepeated: false };
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return { result: { ok: false, reason: 'the arguments are not valid JSON' }, isRepeated: false };
      }
    },
  };
  return turn;
}
