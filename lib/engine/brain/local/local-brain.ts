import type { Brain } from '#lib/engine/brain/brain.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { ToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import { forbidsBooking } from './forbidden.ts';
import { createLines, type Lines } from './lines.ts';
import { decide } from './policy.ts';
import { createMemory } from './situation.ts';

export type WhileThinking = <Decision>(deciding: Promise<Decision>) => Promise<Decision>;

/** The keyless brain: follows the rendered prompt by tables and rules (docs/keyless-agent.md). Speaks English. */
export function createLocalBrain({
  plan,
  tools,
  whileThinking = (deciding) => deciding,
}: {
  plan: CallPlan;
  tools: ToolExecutor;
  /** Awaits a decision, which takes the encoder's thread some time. */
  whileThinking?: WhileThinking | undefined;
}): Brain<string> {
  const memory = createMemory(plan);
  const usual = createLines(plan.prompt.card.tone);
  const calm = createLines('calm');
  const line: Lines = (name, values) => (memory.emergency ? calm : usual)(name, values);
  const hasNoBooking = forbidsBooking(plan.prompt.body);
  const has: ToolExecutor['has'] = (name) =>
    !(hasNoBooking && name === 'book_appointment') && tools.has(name);
  // The encoder loads for a quarter of a second, while the person still says hello.
  void memory.understand(plan.prompt.opening).catch(() => undefined);
  return {
    async *respond({ heard, useTool, signal }) {
      signal.throwIfAborted();
      const say = await whileThinking(decide({ plan, memory, line, has, useTool, heard }));
      signal.throwIfAborted();
      yield* say;
    },
    noteAgentSaid(text) {
      if (text !== '') memory.lastSaid = text;
    },
    recover() {
      memory.awaiting = 'message';
      return line('transferFailed');
    },
    usage: { inputTokens: 0, outputTokens: 0 },
  };
}
