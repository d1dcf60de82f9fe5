import type { ToolUseRecord } from '#lib/engine/plan.ts';
import type { Logger } from '#lib/log.ts';
import type { ToolDefinition } from '#lib/ports/language-model.ts';
import { offeredTools } from './registry.ts';
import type { ToolContext } from './tool.ts';

/** The tools of one call, as a brain uses them: every use is stored with its arguments, result and times. */
export type ToolExecutor = {
  readonly definitions: readonly ToolDefinition[];
  has(name: string): boolean;
  /** What is said while the tool works; undefined where nothing is set. */
  meanwhile(name: string): string | undefined;
  /** Never throws: what went wrong is the result, which the brain can act on. */
  use(
    name: string,
    rawArguments: unknown,
    finishAfterReply: ToolContext['finishAfterReply'],
  ): Promise<Record<string, unknown>>;
};

export function createToolExecutor(
  options: Omit<ToolContext, 'finishAfterReply'> & {
    /** Milliseconds since the answer. */
    elapsedMs(): number;
    store(use: ToolUseRecord): void;
    log: Logger;
  },
): ToolExecutor {
  const tools = offeredTools(options.plan, options);
  let lastSeq = 0;
  return {
    definitions: tools.map((tool) => tool.definition),
    has: (name) => tools.some((tool) => tool.name === name),
    meanwhile: (name) =>
      options.plan.workspaceTools.find((tool) => tool.name === name)?.meanwhile ?? undefined,
    async use(name, rawArguments, finishAfterReply) {
      const tool = tools.find((candidate) => candidate.name === name);
      if (!tool) return { ok: false, reason: `there is no tool named ${name}` };
      const seq = (lastSeq += 1);
      const startedMs = Math.round(options.elapsedMs());
      const done = await tool
        .invoke({ ...options, finishAfterReply }, rawArguments)
        .catch((error: unknown) => {
          options.log.warn({ callId: options.plan.callId, tool: name, err: error }, 'A tool failed');
          return { arguments: { given: rawArguments }, result: { ok: false, reason: 'the tool failed' } };
        });
      options.store({ seq, name, ...done, startedMs, endedMs: Math.round(options.elapsedMs()) });
      return done.result;
    },
  };
}
