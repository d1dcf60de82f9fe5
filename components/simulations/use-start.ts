'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { startSimulation, type WantedSimulation } from '#lib/features/simulations/contract.ts';
import { simulationQueries } from '#lib/features/simulations/queries.ts';
import { callOperation } from '#lib/http/client.ts';

/** The path of a part of an agent's simulations. */
export function useSimulationsPath(agentId: string): (part?: string) => string {
  const { id: workspaceId } = useWorkspace();
  const base = workspacePath(workspaceId, `agents/${encodeURIComponent(agentId)}/simulations`);
  return (part) => (part === undefined ? base : `${base}/${part}`);
}

/** Starts a simulation and goes to its page. */
export function useStartSimulation(agentId: string) {
  const { id: workspaceId } = useWorkspace();
  const path = useSimulationsPath(agentId);
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  return useMutation({
    mutationFn: (body: WantedSimulation) =>
      callOperation(startSimulation, { params: { agentId }, body }, { workspaceId }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(simulationQueries.detail(workspaceId, agentId, data.id).queryKey, data);
      void queryClient.invalidateQueries({ queryKey: simulationQueries.list(workspaceId, agentId).queryKey });
      router.push(path(data.id));
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
}
