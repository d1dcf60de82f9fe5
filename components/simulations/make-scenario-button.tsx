'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { FlaskConical } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { reviewQueries } from '#lib/features/reviews/queries.ts';
import { makeScenarioOfCall } from '#lib/features/simulations/dashboard/contract.ts';
import { simulationQueries } from '#lib/features/simulations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { useSimulationsPath } from './use-start.ts';

/** Makes a scenario of a conversation in one step, and opens it to be looked at. */
export function MakeScenarioButton({ call }: { call: CallDetail }) {
  const { id: workspaceId, role } = useWorkspace();
  const path = useSimulationsPath(call.agentId);
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const make = useMutation({
    mutationFn: () => callOperation(makeScenarioOfCall, { params: { callId: call.id } }, { workspaceId }),
    onSuccess: ({ data }) => {
      const { queryKey } = simulationQueries.scenarios(workspaceId, call.agentId);
      void queryClient.invalidateQueries({ queryKey });
      void queryClient.invalidateQueries(reviewQueries.ofCall(workspaceId, call.id));
      toast({ title: 'Made a scenario of this conversation' });
      router.push(path(`scenarios/${encodeURIComponent(data.id)}`));
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  const hasWords = call.turns.some(({ speaker }) => speaker === 'human');
  if (role === 'viewer' || call.agentState === 'deleted' || !hasWords) return null;
  return (
    <Button isBusy={make.isPending} onClick={() => make.mutate()}>
      <FlaskConical aria-hidden="true" />
      Make a scenario
    </Button>
  );
}
