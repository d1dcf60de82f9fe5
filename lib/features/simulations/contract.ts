import { z } from 'zod';
import { defineOperation, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId, timestamp } from '#lib/http/schemas.ts';
import { CHANGES } from './comparison/rules.ts';
import {
  ANSWERERS,
  ENDED_BY,
  RESULT_OUTCOMES,
  RESULT_STATUSES,
  SIMULATION_LIMITS,
  SIMULATION_MODES,
  SIMULATION_STATUSES,
  VERDICT_STATES,
} from './rules.ts';
import { criterion } from './scenarios/contract.ts';

const verdict = z
  .object({
    criterion,
    state: z.enum(VERDICT_STATES),
    reason: z.string().describe('In a sentence'),
    quote: z
      .object({ speaker: z.enum(['agent', 'human']), text: z.string(), seq: z.int() })
      .nullable()
      .describe('The words that it rests on'),
    before: z.enum(VERDICT_STATES).nullable().describe('What became of it in the run before'),
  })
  .meta({ id: 'SimulationVerdict' });

const simulatedTurn = z
  .object({
    seq: z.int(),
    speaker: z.enum(['agent', 'human']),
    text: z.string(),
    startedMs: z.int(),
    interrupted: z.boolean(),
    said: z.string().optional().describe('What the person said, where the agent understood something else'),
  })
  .meta({ id: 'SimulatedTurn' });

const simulatedToolUse = z
  .object({
    seq: z.int(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    result: z.record(z.string(), z.unknown()),
    startedMs: z.int(),
    answeredBy: z
      .enum(['scenario', 'real', 'simulation'])
      .describe('By the scenario, by the real tool, or built in and without effect'),
  })
  .meta({ id: 'SimulatedToolUse' });

export const simulationResult = z
  .object({
    id: z.string(),
    scenarioId: z.string(),
    scenarioName: z.string(),
    status: z.enum(RESULT_STATUSES),
    outcome: z.enum(RESULT_OUTCOMES).nullable(),
    reason: z.string().nullable().describe('Of an outcome that says nothing about the agent'),
    change: z
      .enum(CHANGES)
      .nullable()
      .describe('Against the run before of the same scenario; null: it is not over'),
    outcomeBefore: z.enum(RESULT_OUTCOMES).nullable(),
    verdicts: z.array(verdict),
    playedBy: z.enum(['script', 'model']).nullable(),
    answeredBy: z
      .enum(ANSWERERS)
      .nullable()
      .describe(
        'Who spoke for the agent: the language model, or the built-in rules, which follow little of how a prompt is worded. null: not known, or it was not run',
      ),
    endedBy: z.enum(ENDED_BY).nullable(),
    endReason: z.string().nullable(),
    durationMs: z.int().nullable().describe('In the time of the call'),
    tookMs: z.int().nullable().describe('In real time'),
    heardBy: z
      .string()
      .nullable()
      .describe(
        'Of a conversation with sound: the model that made words of what the person said; null: there was none, or no voice for their language, and the words arrived as they are written',
      ),
    turns: z.array(simulatedTurn).optional(),
    toolUses: z.array(simulatedToolUse).optional(),
    unheard: z
      .array(z.object({ text: z.string(), startedMs: z.int() }))
      .optional()
      .describe('What the person said and the agent did not hear at all'),
  })
  .meta({ id: 'SimulationResult' });
export type SimulationResult = z.output<typeof simulationResult>;

const counts = z
  .object({
    all: z.int(),
    open: z.int(),
    passed: z.int(),
    failed: z.int(),
    notJudged: z.int(),
    notRun: z.int().describe('Broken, interrupted or cancelled'),
  })
  .meta({ id: 'SimulationCounts' });

export const simulationSummary = z
  .object({
    id: z.string(),
    agentId: z.string(),
    status: z.enum(SIMULATION_STATUSES),
    mode: z.enum(SIMULATION_MODES),
    passed: z.boolean().nullable().describe('Every scenario passed; null while it runs'),
    counts,
    version: z
      .object({ id: z.string(), number: z.int().nullable() })
      .describe('The version of the agent that it is run with; without a number: a draft'),
    startedBy: z.string(),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'SimulationSummary' });
export type SimulationSummary = z.output<typeof simulationSummary>;

export const simulation = simulationSummary
  .extend({
    worse: z.int().describe('Scenarios of which something passed in the run before and failed now'),
    better: z.int().describe('Scenarios that got better; none where the built-in rules answered'),
    awaitsComparison: z
      .boolean()
      .describe(
        'A run of what is published, which this one is compared with, is not over: `change`, `worse` and `better` may still change',
      ),
    results: z.array(simulationResult),
  })
  .meta({ id: 'Simulation' });
export type Simulation = z.output<typeof simulation>;

export const wantedSimulation = z
  .strictObject({
    scenarios: z
      .array(z.string().min(1).max(500))
      .min(1)
      .max(SIMULATION_LIMITS.scenariosPerAgent)
      .optional()
      .describe('Ids or names; all of the agent where it is left out'),
    mode: z
      .enum(SIMULATION_MODES)
      .optional()
      .describe(
        '`text` (where it is left out): words alone, as fast as possible. `audio`: both sides really speak, and the agent hears the person through voice activity and transcription',
      ),
    agentVersionId: pathId
      .optional()
      .describe('A version of the agent, or a state of its draft; what is published where it is left out'),
  })
  .meta({ id: 'NewSimulation' });
export type WantedSimulation = z.output<typeof wantedSimulation>;

const shared = { scope: 'workspace', tag: 'Simulations', errors: [...LOOK_UP_ERRORS] } as const;

export const startSimulation = defineOperation({
  ...shared,
  id: 'startSimulation',
  method: 'POST',
  path: '/agents/{agentId}/simulations',
  role: 'member',
  summary: 'Try an agent with its scenarios',
  description:
    'Runs real conversations of the engine with people who are played, with what is published of the agent, or with the version named. Nobody is called and nothing is booked or sent, and the conversations are in no list, no usage and no webhook. Ask `GET /agents/{agentId}/simulations/{simulationId}` until its status is not `running`. With a draft, what is published is run as well with the scenarios that it was not tried with, to compare. docs/simulations.md tells more, and docs/examples/simulations-in-a-pipeline has a script for a build pipeline.',
  params: z.object({ agentId: pathId }),
  body: wantedSimulation,
  example: { mode: 'text' },
  response: enveloped(simulation),
  status: 202,
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE'],
});

export const getSimulation = defineOperation({
  ...shared,
  id: 'getSimulation',
  method: 'GET',
  path: '/agents/{agentId}/simulations/{simulationId}',
  role: 'viewer',
  summary: 'Read what came of a simulation',
  params: z.object({ agentId: pathId, simulationId: pathId }),
  query: z.object({
    transcripts: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: with what was said and done in each conversation'),
  }),
  response: enveloped(simulation),
  status: 200,
});

export const simulationOperations = [startSimulation, getSimulation] as const;
