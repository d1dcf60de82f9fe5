import { z } from 'zod';
import { requiredText, text } from '#lib/http/schemas.ts';
import type { Criterion, Scenario, ScenarioBody } from '#lib/features/simulations/scenarios/contract.ts';
import { DIRECTIONS } from '#lib/ports/call-kinds.ts';
import { PERSON_MANNERS } from '#lib/ports/simulated-person.ts';

export const CRITERION_TYPES = [
  'said',
  'not_said',
  'tool_used',
  'tool_not_used',
  'ended_by',
  'max_turns',
  'judged',
] as const;

const words = requiredText(1_000);

/** A criterion as a row: the fields that its type does not use keep what was typed. */
const criterionRow = z
  .strictObject({
    type: z.enum(CRITERION_TYPES),
    words: text(1_000),
    tool: text(100),
    arguments: text(2_000),
    by: z.enum(['agent', 'person', 'transfer', 'limit']),
    turns: z.int().min(1).max(200),
  })
  .superRefine((row, context) => {
    const needed = needs(row.type);
    if (needed && row[needed].trim() === '')
      context.addIssue({ code: 'custom', path: [needed], message: 'must not be empty' });
  });
export type CriterionRow = z.output<typeof criterionRow>;

function needs(type: CriterionRow['type']): 'words' | 'tool' | undefined {
  if (type === 'tool_used' || type === 'tool_not_used') return 'tool';
  return type === 'ended_by' || type === 'max_turns' ? undefined : 'words';
}

const toolRow = z.strictObject({
  name: requiredText(100),
  isReal: z.boolean(),
  answer: text(20_000).refine((answer) => readObject(answer) !== undefined, 'must be a JSON object'),
});

/** A scenario as it is edited: rows in place of records, and JSON as text. */
export const scenarioForm = z.strictObject({
  name: requiredText(200),
  /** Of one that was made of a conversation: whether it is deleted with it. */
  goesWithCall: z.boolean(),
  direction: z.enum(DIRECTIONS),
  outboundPromptId: z.string().nullable(),
  variables: z.array(z.strictObject({ name: requiredText(200), value: text(10_000) })).max(200),
  playedBy: z.enum(['script', 'model']),
  description: text(4_000),
  manner: z.enum(PERSON_MANNERS),
  script: z.array(z.strictObject({ say: words, when: text(1_000) })).max(50),
  facts: z.array(z.strictObject({ about: words, answer: words })).max(50),
  closing: words,
  tools: z.array(toolRow).max(50),
  criteria: z.array(criterionRow).min(1, 'must have at least one').max(50),
});
export type ScenarioForm = z.output<typeof scenarioForm>;

export const NEW_CRITERION: CriterionRow = {
  type: 'said',
  words: '',
  tool: '',
  arguments: '',
  by: 'agent',
  turns: 10,
};

export const NEW_SCENARIO: ScenarioForm = {
  name: '',
  goesWithCall: false,
  direction: 'INBOUND',
  outboundPromptId: null,
  variables: [],
  playedBy: 'script',
  description: '',
  manner: 'patient',
  script: [{ say: '', when: '' }],
  facts: [],
  closing: "That's all, thank you. Goodbye.",
  tools: [],
  criteria: [NEW_CRITERION],
};

export function formOf({ name, content, sourceCallId }: Scenario): ScenarioForm {
  const { caller, variables, tools, criteria, direction, outboundPromptId } = content;
  return {
    name,
    goesWithCall: sourceCallId !== null,
    direction,
    outboundPromptId,
    variables: Object.entries(variables).map(([variable, value]) => ({ name: variable, value })),
    playedBy: caller.playedBy,
    description: caller.description,
    manner: caller.manner,
    script: caller.script.map(({ say, when }) => ({ say, when: when ?? '' })),
    facts: caller.facts,
    closing: caller.closing,
    tools: tools.map((tool) => ({ ...tool, answer: JSON.stringify(tool.answer, null, 2) })),
    criteria: criteria.map(rowOf),
  };
}

export function bodyOf(form: ScenarioForm): ScenarioBody {
  const { name, direction, playedBy, description, manner, closing } = form;
  return {
    name,
    content: {
      direction,
      outboundPromptId: direction === 'OUTBOUND' ? form.outboundPromptId : null,
      variables: Object.fromEntries(form.variables.map((row) => [row.name.trim(), row.value])),
      caller: {
        playedBy,
        description,
        manner,
        script: form.script.map(({ say, when }) => ({ say, when: when.trim() === '' ? null : when })),
        facts: form.facts,
        closing,
      },
      tools: form.tools.map((tool) => ({ ...tool, answer: readObject(tool.answer) ?? {} })),
      criteria: form.criteria.map(criterionOf),
    },
  };
}

function rowOf(criterion: Criterion): CriterionRow {
  const row = { ...NEW_CRITERION, type: criterion.type };
  switch (criterion.type) {
    case 'said':
    case 'not_said':
      return { ...row, words: criterion.text };
    case 'judged':
      return { ...row, words: criterion.sentence };
    case 'tool_used':
      return { ...row, tool: criterion.tool, arguments: argumentLines(criterion.arguments ?? {}) };
    case 'tool_not_used':
      return { ...row, tool: criterion.tool };
    case 'ended_by':
      return { ...row, by: criterion.by };
    case 'max_turns':
      return { ...row, turns: criterion.turns };
  }
}

function criterionOf(row: CriterionRow): Criterion {
  switch (row.type) {
    case 'said':
    case 'not_said':
      return { type: row.type, text: row.words };
    case 'judged':
      return { type: 'judged', sentence: row.words };
    case 'tool_used': {
      const given = readLines(row.arguments);
      return {
        type: 'tool_used',
        tool: row.tool,
        ...(Object.keys(given).length > 0 ? { arguments: given } : {}),
      };
    }
    case 'tool_not_used':
      return { type: 'tool_not_used', tool: row.tool };
    case 'ended_by':
      return { type: 'ended_by', by: row.by };
    case 'max_turns':
      return { type: 'max_turns', turns: row.turns };
  }
}

/** `name: words`, a line each. */
function argumentLines(given: Record<string, string>): string {
  return Object.entries(given)
    .map(([name, wanted]) => `${name}: ${wanted}`)
    .join('\n');
}

function readLines(lines: string): Record<string, string> {
  const pairs = lines.split('\n').flatMap((line) => {
    const [, name, wanted] = /^\s*([^:]+?)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name && wanted ? [[name, wanted] as const] : [];
  });
  return Object.fromEntries(pairs);
}

type Answer = ScenarioBody['content']['tools'][number]['answer'];

function readObject(json: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}
