import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation, LONG_TEXT_BYTES } from '#lib/http/operation.ts';
import { enveloped, pathId } from '#lib/http/schemas.ts';
import { simulation, simulationSummary } from '../contract.ts';
import { scenario, scenarioBody, scenarioChange } from '../scenarios/contract.ts';

const shared = { scope: 'member', tag: 'Dashboard' } as const;
const ofAgent = z.object({ agentId: pathId });
const ofScenario = z.object({ agentId: pathId, scenarioId: pathId });

export const listScenarios = defineOperation({
  ...shared,
  id: 'listScenarios',
  method: 'GET',
  path: '/dashboard/agents/{agentId}/scenarios',
  role: 'viewer',
  summary: 'The scenarios of an agent, oldest first',
  params: ofAgent,
  response: enveloped(z.object({ scenarios: z.array(scenario) })),
  status: 200,
});

export const createScenario = defineOperation({
  ...shared,
  id: 'createScenario',
  method: 'POST',
  path: '/dashboard/agents/{agentId}/scenarios',
  role: 'member',
  summary: 'Make a scenario',
  params: ofAgent,
  maxBodyBytes: LONG_TEXT_BYTES,
  body: scenarioBody,
  response: enveloped(scenario),
  status: 201,
});

export const updateScenario = defineOperation({
  ...shared,
  id: 'updateScenario',
  method: 'PUT',
  path: '/dashboard/agents/{agentId}/scenarios/{scenarioId}',
  role: 'member',
  summary: 'Change a scenario',
  params: ofScenario,
  maxBodyBytes: LONG_TEXT_BYTES,
  body: withBase(scenarioChange),
  response: enveloped(scenario),
  status: 200,
});

export const deleteScenario = defineOperation({
  ...shared,
  id: 'deleteScenario',
  method: 'DELETE',
  path: '/dashboard/agents/{agentId}/scenarios/{scenarioId}',
  role: 'member',
  summary: 'Delete a scenario',
  params: ofScenario,
  response: enveloped(z.null()),
  status: 200,
});

export const listSimulations = defineOperation({
  ...shared,
  id: 'listSimulations',
  method: 'GET',
  path: '/dashboard/agents/{agentId}/simulations',
  role: 'viewer',
  summary: 'The simulations of an agent, latest first',
  params: ofAgent,
  response: enveloped(z.object({ simulations: z.array(simulationSummary) })),
  status: 200,
});

export const cancelSimulation = defineOperation({
  ...shared,
  id: 'cancelSimulation',
  method: 'POST',
  path: '/dashboard/agents/{agentId}/simulations/{simulationId}/cancel',
  role: 'member',
  summary: 'Cancel a simulation',
  params: z.object({ agentId: pathId, simulationId: pathId }),
  response: enveloped(simulation),
  status: 200,
});

export const makeScenarioOfCall = defineOperation({
  ...shared,
  id: 'makeScenarioOfCall',
  method: 'POST',
  path: '/dashboard/calls/{callId}/scenario',
  role: 'member',
  summary: 'Make a scenario of a conversation',
  params: z.object({ callId: pathId }),
  response: enveloped(scenario),
  status: 201,
});

export const simulationDashboardOperations = [
  listScenarios,
  createScenario,
  updateScenario,
  deleteScenario,
  listSimulations,
  cancelSimulation,
  makeScenarioOfCall,
] as const;
