import type { Brain } from '#lib/engine/brain/brain.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import type { ToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import { createLines } from './lines.ts';
import { decide } from './policy.ts';
import { createMemory } from './situation.ts';

/** The keyless brain: follows the rendered prompt by tables and rules (docs/keyless-agent.md). Speaks English. */
export function createLocalBrain({
  plan,
  tools,
  clock,
}: {
  plan: CallPlan;
  tools: ToolExecutor;
  clock?: CallClock;
}): Brain {
  const memory = createMemory(plan);
  const line = createLines(plan.prompt.card.tone);
  // The encoder loads for a quarter of a second, while the person still says hello.
  void memory.understand(plan.prompt.opening).catch(() => undefined);
  return {
    async *respond({ heard, useTool, signal }) {
      signal.throwIfAborted();
      const deciding = decide({ plan, memory, line, has: tools.has, useTool, heard });
      // Simulated time waits for the encoder's thread, of which it knows nothing.
      const say = await (clock?.during?.(deciding) ?? deciding);
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
