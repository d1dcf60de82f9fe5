import type { Brain } from '#lib/engine/brain/brain.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { ToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import { createLines } from './lines.ts';
import { decide } from './policy.ts';
import { createMemory } from './situation.ts';

/** The keyless brain: follows the rendered prompt by tables and rules (docs/keyless-agent.md). Speaks English. */
export function createLocalBrain({ plan, tools }: { plan: CallPlan; tools: ToolExecutor }): Brain {
  const memory = createMemory(plan);
  const line = createLines(plan.prompt.card.tone);
  return {
    async *respond({ heard, useTool, signal }) {
      signal.throwIfAborted();
      const say = await decide({ plan, memory, line, has: tools.has, useTool, heard });
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
