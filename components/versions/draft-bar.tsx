'use client';

import { useMutation } from '@tanstack/react-query';
import { PencilLine } from 'lucide-react';
import { useAgent, useMayEdit } from '#components/agents/use-agent.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { type DraftTrial, useDraftTrial } from '#components/simulations/use-draft-trial.ts';
import { useSimulationsPath, useStartSimulation } from '#components/simulations/use-start.ts';
import { trialSentence } from '#components/simulations/wording.ts';
import { StartSplit } from '#components/splits/start-split.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { useToast } from '#components/ui/toast.tsx';
import type { DraftSummary } from '#lib/features/agents/dashboard/contract.ts';
import { discardAgentDraft } from '#lib/features/publishing/drafts/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { PublishDraft } from './publish-draft.tsx';
import { useRefreshAgent } from './use-draft.ts';
import { authorName, changesSentence, conflictSentence } from './wording.ts';

/** Says on every page of an agent that it has a draft, what that changes, and what can be done with it. */
export function DraftBar({ agentId, draft }: { agentId: string; draft: DraftSummary }) {
  const { id: workspaceId } = useWorkspace();
  const mayEdit = useMayEdit();
  const compare = `versions/${encodeURIComponent(draft.versionId)}?with=${encodeURIComponent(draft.publishedVersionId)}`;
  const trial = useDraftTrial(agentId, draft.versionId);
  const simulations = useSimulationsPath(agentId);
  const start = useStartSimulation(agentId);
  const talk = `agents/${encodeURIComponent(agentId)}/talk`;
  return (
    <Notice
      tone={draft.conflicts.length > 0 ? 'warning' : 'info'}
      icon={<PencilLine aria-hidden="true" />}
      title="You see the draft of this agent"
    >
      <div className="flex flex-col gap-2">
        <p>
          {changesSentence(draft.changes)}. Calls and the API have what is published. {authorName(draft)}{' '}
          saved it <Moment iso={draft.updatedAt} />.
        </p>
        {draft.conflicts.length > 0 ? <p>{conflictSentence(draft.conflicts)}</p> : null}
        {trial.simulation ? <p>{trialSentence(trial.simulation)}</p> : null}
        {trial.isUntried ? <p>It was not tried with this agent’s scenarios yet.</p> : null}
        <span className="flex flex-wrap gap-2">
          <Link href={workspacePath(workspaceId, compare)} className={buttonClasses({ size: 'sm' })}>
            Compare with published
          </Link>
          {mayEdit ? (
            <>
              <Link href={workspacePath(workspaceId, talk)} className={buttonClasses({ size: 'sm' })}>
                Talk to the draft
              </Link>
              {trial.isUntried ? (
                <Button
                  size="sm"
                  isBusy={start.isPending}
                  onClick={() => start.mutate({ agentVersionId: draft.versionId })}
                >
                  Run its simulations
                </Button>
              ) : (
                <Link href={simulations(trial.simulation?.id)} className={buttonClasses({ size: 'sm' })}>
                  Simulations
                </Link>
              )}
              <Decisions agentId={agentId} trial={trial} />
            </>
          ) : null}
        </span>
      </div>
    </Notice>
  );
}

function Decisions({ agentId, trial }: { agentId: string; trial: DraftTrial }) {
  const { id: workspaceId } = useWorkspace();
  const { split } = useAgent(agentId);
  const toast = useToast();
  const refresh = useRefreshAgent();
  const params = { agentId };
  const discard = useMutation({
    mutationFn: () => callOperation(discardAgentDraft, { params }, { workspaceId }).then(refresh),
    onSuccess: () => toast({ title: 'The draft was discarded' }),
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <>
      <PublishDraft agentId={agentId} trial={trial} />
      {split === null ? <StartSplit agentId={agentId} version={null} /> : null}
      <ConfirmDialog
        title="Discard the draft?"
        description="Its changes are dropped and cannot be brought back. What is published stays."
        confirmLabel="Discard the draft"
        onConfirm={() => discard.mutate()}
        trigger={
          <Button size="sm" variant="ghost" isBusy={discard.isPending}>
            Discard
          </Button>
        }
      />
    </>
  );
}
