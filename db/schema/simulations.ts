import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ScenarioContent } from '#lib/features/simulations/scenarios/contract.ts';
import {
  RESULT_OUTCOMES,
  RESULT_STATUSES,
  type ResultReport,
  SIMULATION_MODES,
  SIMULATION_STATUSES,
} from '#lib/features/simulations/rules.ts';
import { agents } from './agents.ts';
import { createdAt, dateTime, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

const workspaceId = () =>
  text('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' });
const agentId = () =>
  text('agent_id')
    .notNull()
    .references(() => agents.id, { onDelete: 'cascade' });

/**
 * The conversation whose words it has, with which it is deleted. No foreign key: deletions see to it, and the fences of calls
 * stay as they are.
 */
const sourceCallId = () => text('source_call_id');

/** What an agent is tried with: who calls, what they want, and what must happen. */
export const scenarios = pgTable(
  'scenarios',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    agentId: agentId(),
    name: text('name').notNull(),
    content: jsonb('content').$type<ScenarioContent>().notNull(),
    sourceCallId: sourceCallId(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('scenarios_agent').on(table.agentId, table.createdAt, table.id),
    index('scenarios_source')
      .on(table.sourceCallId)
      .where(sql`source_call_id is not null`),
  ],
);

/** Scenarios of an agent that were run together, with one version of it. */
export const simulations = pgTable(
  'simulations',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    agentId: agentId(),
    status: text('status', { enum: SIMULATION_STATUSES }).notNull(),
    mode: text('mode', { enum: SIMULATION_MODES }).notNull(),
    /** What all of its conversations are held with, whatever becomes of the agent meanwhile; versions are never deleted. */
    agentVersionId: text('agent_version_id').notNull(),
    /** null: a state of the draft. */
    versionNumber: integer('version_number'),
    startedBy: text('started_by').notNull(),
    createdAt: createdAt(),
    endedAt: dateTime('ended_at'),
  },
  (table) => [
    index('simulations_agent').on(table.agentId, table.createdAt, table.id),
    index('simulations_running')
      .on(table.status)
      .where(sql`status = 'running'`),
  ],
);

/** One conversation of a simulation. */
export const simulationResults = pgTable(
  'simulation_results',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    simulationId: text('simulation_id')
      .notNull()
      .references(() => simulations.id, { onDelete: 'cascade' }),
    /** No foreign key: a result is still read when its scenario was deleted. */
    scenarioId: text('scenario_id').notNull(),
    scenarioName: text('scenario_name').notNull(),
    /** As it was when the simulation began. */
    content: jsonb('content').$type<ScenarioContent>().notNull(),
    sourceCallId: sourceCallId(),
    /** From 0; of the simulations that wait, the first ones of each are run before the second ones. */
    position: integer('position').notNull(),
    status: text('status', { enum: RESULT_STATUSES }).notNull(),
    outcome: text('outcome', { enum: RESULT_OUTCOMES }),
    /** Of an outcome that says nothing about the agent: why, in a sentence. */
    reason: text('reason'),
    report: jsonb('report').$type<ResultReport>(),
    leaseOwner: text('lease_owner'),
    leaseExpiresAt: dateTime('lease_expires_at'),
    attempts: integer('attempts').notNull().default(0),
    createdAt: createdAt(),
    endedAt: dateTime('ended_at'),
  },
  (table) => [
    index('simulation_results_simulation').on(table.simulationId, table.position),
    // What a result is compared with.
    index('simulation_results_scenario').on(table.scenarioId, table.createdAt),
    index('simulation_results_source')
      .on(table.sourceCallId)
      .where(sql`source_call_id is not null`),
    // What the processes look at every second, however many results there are.
    index('simulation_results_open')
      .on(table.position, table.createdAt)
      .where(sql`status <> 'ended'`),
  ],
);
