import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getSimulation, type Simulation, type SimulationSummary } from './contract.ts';
import { listScenarios, listSimulations } from './dashboard/contract.ts';

const isOpen = ({ status, awaitsComparison }: Pick<Simulation, 'status' | 'awaitsComparison'>) =>
  status === 'running' || awaitsComparison;

/** A conversation of words takes a fraction of a second. */
const RUNNING_POLL_MS = 1_000;

const root = (workspaceId: string, agentId: string) => ['simulations', workspaceId, agentId] as const;

const isRunning = ({ status }: Pick<SimulationSummary, 'status'>) => status === 'running';

export const simulationQueries = {
  root,

  scenarios: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId, agentId), 'scenarios'],
      queryFn: ({ signal }) =>
        callOperation(listScenarios, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data.scenarios,
        ),
    }),

  list: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId, agentId), 'list'],
      queryFn: ({ signal }) =>
        callOperation(listSimulations, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data.simulations,
        ),
      refetchInterval: ({ state }) => (state.data?.some(isRunning) ? RUNNING_POLL_MS : false),
    }),

  detail: (workspaceId: string, agentId: string, simulationId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId, agentId), simulationId],
      queryFn: ({ signal }) =>
        callOperation(
          getSimulation,
          { params: { agentId, simulationId }, query: { transcripts: 'true' } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? RUNNING_POLL_MS : false),
    }),

  /** The same without what was said. */
  outcome: (workspaceId: string, agentId: string, simulationId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId, agentId), simulationId, 'outcome'],
      queryFn: ({ signal }) =>
        callOperation(
          getSimulation,
          { params: { agentId, simulationId }, query: {} },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? RUNNING_POLL_MS : false),
    }),
};
