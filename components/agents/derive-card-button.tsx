'use client';

import { useMutation } from '@tanstack/react-query';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { DeriveAgain } from '#components/prompts/derive-again.tsx';
import { useDraft } from '#components/versions/use-draft.ts';
import { useToast } from '#components/ui/toast.tsx';
import type { AgentView } from '#lib/features/agents/contract.ts';
import { deriveAgentCard } from '#lib/features/agents/dashboard/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { useKeepAgent } from './use-agent.ts';

export function DeriveCardButton({ agent }: { agent: AgentView }) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const keep = useKeepAgent();
  const draft = useDraft(agent.id);
  const derive = useMutation({
    mutationFn: () =>
      draft.save(() => callOperation(deriveAgentCard, { params: { agentId: agent.id } }, { workspaceId }), {
        kind: 'derive_card',
      }),
    onSuccess: (saved) => {
      if (saved) keep(saved.data);
      toast({ title: 'Voice card derived from the prompt' });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <DeriveAgain
      isEdited={agent.voiceCardEdited}
      isBusy={derive.isPending}
      onDerive={() => derive.mutate()}
    />
  );
}
