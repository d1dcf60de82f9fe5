'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAgent } from '#components/agents/use-agent.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import type { DraftTrial } from '#components/simulations/use-draft-trial.ts';
import { isAnsweredByRules, trialSentence } from '#components/simulations/wording.ts';
import { shareStays } from '#components/splits/wording.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { publishAgentDraft } from '#lib/features/publishing/drafts/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { LookedAt, useLookedAt } from './looked-at.tsx';
import { useRefreshAgent } from './use-draft.ts';

/** Publishes a draft, once somebody looked at what its simulations did not judge. */
export function PublishDraft({ agentId, trial }: { agentId: string; trial: DraftTrial }) {
  const { id: workspaceId } = useWorkspace();
  const { split } = useAgent(agentId);
  const toast = useToast();
  const refresh = useRefreshAgent();
  const [isOpen, setIsOpen] = useState(false);
  const lookedAt = useLookedAt(agentId, isOpen);
  const publish = useMutation({
    mutationFn: () =>
      callOperation(
        publishAgentDraft,
        { params: { agentId } },
        { workspaceId, confirmation: lookedAt.confirmation },
      ).then(refresh),
    onSuccess: () => toast({ title: 'The draft is published' }),
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      tone="primary"
      title="Publish the draft?"
      description={`It is what the agent is from the next call on, as a new version. You can go back to the one before.${shareStays(split)}`}
      confirmLabel="Publish"
      isOpen={isOpen}
      isReady={lookedAt.isReady}
      onOpenChange={setIsOpen}
      onConfirm={() => {
        setIsOpen(false);
        publish.mutate();
      }}
      trigger={
        <Button size="sm" isBusy={publish.isPending}>
          Publish
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Warning trial={trial} />
        <LookedAt of={lookedAt} />
      </div>
    </ConfirmDialog>
  );
}

/** What simulations have against publishing. */
function Warning({ trial: { simulation, isUntried } }: { trial: DraftTrial }) {
  if (isUntried)
    return (
      <p className="text-sm text-warning-text">It was not tried in simulations since its last change.</p>
    );
  if (!simulation) return null;
  const isGood = simulation.status === 'completed' && simulation.passed && !isAnsweredByRules(simulation);
  return isGood ? null : <p className="text-sm text-warning-text">{trialSentence(simulation)}</p>;
}
