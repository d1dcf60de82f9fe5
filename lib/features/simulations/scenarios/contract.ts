import { z } from 'zod';
import { callVariables } from '#lib/features/calls/contract.ts';
import { requiredText, text, timestamp } from '#lib/http/schemas.ts';
import { DIRECTIONS } from '#lib/ports/call-kinds.ts';
import { PERSON_MANNERS } from '#lib/ports/simulated-person.ts';

const MOST_LINES = 50;
const MOST_CRITERIA = 50;
const words = requiredText(1_000);
const toolName = requiredText(100);

/** Something that must, or must not, happen in a conversation. */
export const criterion = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('tool_used'),
      tool: toolName,
      arguments: z
        .record(z.string().min(1).max(100), text(500))
        .optional()
        .describe('Words that the arguments of these names have to contain'),
    }),
    z.strictObject({ type: z.literal('tool_not_used'), tool: toolName }),
    z.strictObject({
      type: z.literal('said'),
      text: words.describe('Said by the agent; alternatives stand beside |'),
    }),
    z.strictObject({
      type: z.literal('not_said'),
      text: words.describe('Never said by the agent; each of the alternatives beside |'),
    }),
    z.strictObject({ type: z.literal('ended_by'), by: z.enum(['agent', 'person', 'transfer', 'limit']) }),
    z.strictObject({
      type: z.literal('max_turns'),
      turns: z.int().min(1).max(200).describe('Turns of the agent'),
    }),
    z.strictObject({
      type: z.literal('judged'),
      sentence: words.describe('A sentence that is true of the conversation; a language model judges it'),
    }),
  ])
  .meta({ id: 'SimulationCriterion' });
export type Criterion = z.output<typeof criterion>;

const caller = z.strictObject({
  playedBy: z.enum(['script', 'model']),
  description: text(4_000),
  manner: z.enum(PERSON_MANNERS),
  script: z.array(z.strictObject({ say: words, when: words.nullable() })).max(MOST_LINES),
  facts: z.array(z.strictObject({ about: words, answer: words })).max(MOST_LINES),
  closing: words,
});

/** What the tools of the workspace answer; one that is not named answers that it cannot be had in a simulation. */
const simulatedTool = z.strictObject({
  name: toolName,
  isReal: z.boolean().describe('The real one is used, with all that it does'),
  answer: z.record(z.string().max(200), z.json()).describe('What the agent hears where it is not'),
});

const ANSWER_CHARACTERS = 20_000;

export const scenarioContent = z
  .strictObject({
    direction: z.enum(DIRECTIONS),
    outboundPromptId: z.string().min(1).max(500).nullable(),
    variables: callVariables,
    caller,
    tools: z
      .array(simulatedTool)
      .max(MOST_LINES)
      .refine((tools) => JSON.stringify(tools).length <= ANSWER_CHARACTERS, 'must be shorter'),
    criteria: z.array(criterion).min(1, 'must not be empty').max(MOST_CRITERIA),
  })
  .refine(({ direction, outboundPromptId }) => direction === 'INBOUND' || outboundPromptId !== null, {
    path: ['outboundPromptId'],
    message: 'is needed for a call to somebody',
  });
export type ScenarioContent = z.output<typeof scenarioContent>;

export const scenarioBody = z.strictObject({ name: requiredText(200), content: scenarioContent });
export type ScenarioBody = z.output<typeof scenarioBody>;

export const scenarioChange = scenarioBody.extend({
  sourceCallId: z
    .null()
    .optional()
    .describe('null: it has nothing of the person any more, and stays when the conversation is deleted'),
});
export type ScenarioChange = z.output<typeof scenarioChange>;

export const scenario = z.object({
  id: z.string(),
  agentId: z.string(),
  name: z.string(),
  content: scenarioContent,
  sourceCallId: z
    .string()
    .nullable()
    .describe('The conversation whose words it has, with which it is deleted'),
  createdBy: z.string(),
  updatedAt: timestamp,
});
export type Scenario = z.output<typeof scenario>;
