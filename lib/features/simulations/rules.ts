import type { Criterion } from './scenarios/contract.ts';

export const SIMULATION_LIMITS = {
  scenariosPerAgent: 200,
  /** Of all simulations of a workspace that are not over. */
  openResults: 1_000,
  /** Older ones are deleted when another one begins. */
  keptPerAgent: 100,
} as const;

export const SIMULATION_MODES = ['text', 'audio'] as const;
export type SimulationMode = (typeof SIMULATION_MODES)[number];

export const SIMULATION_STATUSES = ['running', 'completed', 'cancelled'] as const;
export type SimulationStatus = (typeof SIMULATION_STATUSES)[number];

export const RESULT_STATUSES = ['waiting', 'running', 'ended'] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/**
 * `not_judged`: nothing failed, and nobody judged some of it. The last three say nothing about the agent: the conversation
 * could not be run, its processes died too often, or somebody cancelled it.
 */
export const RESULT_OUTCOMES = [
  'passed',
  'failed',
  'not_judged',
  'broken',
  'interrupted',
  'cancelled',
] as const;
export type ResultOutcome = (typeof RESULT_OUTCOMES)[number];

export const VERDICT_STATES = ['passed', 'failed', 'not_judged'] as const;
export type VerdictState = (typeof VERDICT_STATES)[number];

/** What became of one criterion, and the words that this rests on. */
export type Verdict = {
  criterion: Criterion;
  state: VerdictState;
  reason: string;
  quote: { speaker: 'agent' | 'human'; text: string; seq: number } | null;
};

export type SimulatedTurn = {
  seq: number;
  speaker: 'agent' | 'human';
  text: string;
  intendedText: string | null;
  startedMs: number;
  endedMs: number;
  interrupted: boolean;
  /** There where the agent understood something else: what the person said. */
  said?: string;
};

/** What the person said and the agent never heard. */
export type UnheardLine = { text: string; startedMs: number };

export type SimulatedToolUse = {
  seq: number;
  name: string;
  arguments: Record<string, unknown>;
  result: Record<string, unknown>;
  startedMs: number;
  /** `scenario`: the scenario gave the answer. `real`: the tool was really used. `simulation`: built in, and without effect. */
  answeredBy: 'scenario' | 'real' | 'simulation';
};

export const ENDED_BY = ['agent', 'person', 'transfer', 'limit', 'fault'] as const;
export type EndedBy = (typeof ENDED_BY)[number];

/** A conversation as its criteria see it. */
export type Observed = {
  turns: SimulatedTurn[];
  toolUses: SimulatedToolUse[];
  endedBy: EndedBy;
  endReason: string;
  /** From answer to hang-up, in the time of the call. */
  durationMs: number;
  /** Of a call with sound: the model that made words of the person's speech; null: they arrived as they are written. */
  heardBy?: string | null;
  unheard?: UnheardLine[];
};

/** Who speaks for the agent. The built-in rules take facts from its prompt, and follow little else of how it is worded. */
export const ANSWERERS = ['model', 'rules'] as const;
export type Answerer = (typeof ANSWERERS)[number];

export type ResultReport = Observed & {
  verdicts: Verdict[];
  playedBy: 'script' | 'model';
  /** Absent in results of earlier releases. */
  answeredBy?: Answerer;
  /** How long it took on the machine. */
  tookMs: number;
};

/** What the criteria make of a conversation, together. */
export function outcomeOf(verdicts: readonly Pick<Verdict, 'state'>[]): ResultOutcome {
  if (verdicts.some(({ state }) => state === 'failed')) return 'failed';
  return verdicts.some(({ state }) => state === 'not_judged') ? 'not_judged' : 'passed';
}
