import { z } from 'zod';
import type { CallPlan, WorkspaceTool } from '#lib/engine/plan.ts';
import type { ToolDefinition } from '#lib/ports/language-model.ts';
import { bookAppointment, noteAppointment } from './book-appointment.ts';
import { endCall } from './end-call.ts';
import { optOut } from './opt-out.ts';
import { pressDigits } from './press-digits.ts';
import { scheduleCallback } from './schedule-callback.ts';
import { searchKnowledge } from './search-knowledge.ts';
import type { Line, Tool, ToolContext } from './tool.ts';
import { transferCall } from './transfer-call.ts';

/** A tool whose argument type is known to itself alone. */
type RegisteredTool = {
  name: string;
  isOffered(plan: CallPlan, line: Line): boolean;
  definition: ToolDefinition;
  invoke(
    context: ToolContext,
    rawArguments: unknown,
  ): Promise<{ arguments: Record<string, unknown>; result: Record<string, unknown> }>;
};

const TOOLS: readonly RegisteredTool[] = [
  register(endCall),
  register(transferCall),
  register(searchKnowledge),
  register(scheduleCallback),
  register(bookAppointment),
  register(pressDigits),
  register(optOut),
];

/** All built-in tools, for people who choose among them. */
export const BUILT_IN_TOOLS: readonly { name: string; description: string }[] = TOOLS.map(
  ({ definition }) => ({
    name: definition.name,
    description: definition.description,
  }),
);

/** The tools this call's agent may use: what its settings and its line allow, without what `disabledToolNames` takes away. */
export function offeredTools(plan: CallPlan, line: Line): readonly RegisteredTool[] {
  const isReplaced = ({ name }: RegisteredTool) => plan.workspaceTools.some((tool) => tool.name === name);
  const all = [...TOOLS.filter((tool) => !isReplaced(tool)), ...plan.workspaceTools.map(fromWorkspace)];
  return all.filter((tool) => tool.isOffered(plan, line) && !plan.disabledToolNames.includes(tool.name));
}

/** Its arguments are checked in the service, by the schema that is stored there. */
function fromWorkspace({ name, description, parameters, integrationId }: WorkspaceTool): RegisteredTool {
  return {
    name,
    isOffered: () => true,
    definition: { name, description, parameters },
    async invoke({ useWorkspaceTool, outcome }, rawArguments) {
      const answer = await useWorkspaceTool({ integrationId, name, arguments: rawArguments });
      const result = name === bookAppointment.name ? noteAppointment(outcome, answer) : answer;
      return { arguments: asRecord(rawArguments), result };
    },
  };
}

function register<Arguments extends Record<string, unknown>>(tool: Tool<Arguments>): RegisteredTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.parameters);
  return {
    name: tool.name,
    isOffered: tool.isOffered,
    definition: { name: tool.name, description: tool.description, parameters },
    async invoke(context, rawArguments) {
      const parsed = tool.parameters.safeParse(rawArguments);
      if (!parsed.success) {
        const problems = parsed.error.issues.map(
          (issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`,
        );
        return { arguments: asRecord(rawArguments), result: { ok: false, reason: problems.join('; ') } };
      }
      return { arguments: parsed.data, result: await tool.run(context, parsed.data) };
    },
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : { given: value ?? null };
}
