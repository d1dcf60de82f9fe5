'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Pause, Play, Trash2, X } from 'lucide-react';
import { useDeletion } from '#components/forms/use-deletion.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useDownload } from '#components/forms/use-download.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { useTimeZone } from '#components/ui/time-zone.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { dateFormat } from '#lib/date-format.ts';
import {
  type CampaignDetail,
  cancelCampaign,
  confirmCampaignGuesses,
  deleteCampaign,
  pauseCampaign,
  resumeCampaign,
  startCampaign,
} from '#lib/features/campaigns/contract.ts';
import { exportCampaign } from '#lib/features/campaigns/people/contract.ts';
import { campaignQueries } from '#lib/features/campaigns/queries.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { useReach } from './use-reach.ts';
import { people } from './wording.ts';

const MOVES = {
  confirmGuesses: { operation: confirmCampaignGuesses, done: 'Guessed numbers are called as they were read' },
  start: { operation: startCampaign, done: 'The campaign runs' },
  pause: { operation: pauseCampaign, done: 'Nobody else is called until you resume' },
  resume: { operation: resumeCampaign, done: 'The campaign goes on' },
  cancel: { operation: cancelCampaign, done: 'The campaign is over' },
} as const;

type Move = keyof typeof MOVES;

/** Moves a campaign, and says so. */
export function useMove(campaignId: string) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: async (move: Move) => {
      const { operation, done } = MOVES[move];
      const { data } = await callOperation(operation, { params: { campaignId } }, { workspaceId });
      return { data, done };
    },
    onSuccess: ({ data, done }) => {
      queryClient.setQueryData(campaignQueries.detail(workspaceId, campaignId).queryKey, data);
      void queryClient.invalidateQueries({ queryKey: campaignQueries.root(workspaceId) });
      toast({ title: done });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
}

/** What can be done with a campaign in its state; reading and downloading for viewers too. */
export function CampaignActions({ campaign, isUnsaved }: { campaign: CampaignDetail; isUnsaved: boolean }) {
  const { role } = useWorkspace();
  const move = useMove(campaign.id);
  const { state } = campaign;
  const isBusy = (trigger: Move) => move.isPending && move.variables === trigger;
  return (
    <>
      {campaign.counts.people > 0 ? <ExportButton campaign={campaign} /> : null}
      {role === 'viewer' ? null : (
        <>
          {state === 'running' ? (
            <Button isBusy={isBusy('pause')} onClick={() => move.mutate('pause')}>
              <Pause aria-hidden="true" />
              Pause
            </Button>
          ) : null}
          {state === 'running' || state === 'paused' ? (
            <EndButton campaign={campaign} isBusy={isBusy('cancel')} onEnd={() => move.mutate('cancel')} />
          ) : null}
          {state === 'paused' ? (
            <Button variant="primary" isBusy={isBusy('resume')} onClick={() => move.mutate('resume')}>
              <Play aria-hidden="true" />
              Resume
            </Button>
          ) : null}
          {['draft', 'ready', 'finished', 'cancelled'].includes(state) ? (
            <DeleteCampaign campaign={campaign} />
          ) : null}
          {state === 'ready' ? (
            <StartButton
              campaign={campaign}
              isUnsaved={isUnsaved}
              isBusy={isBusy('start')}
              onStart={() => move.mutate('start')}
            />
          ) : null}
        </>
      )}
    </>
  );
}

function ExportButton({ campaign }: { campaign: CampaignDetail }) {
  const download = useDownload();
  const params = { campaignId: campaign.id };
  return (
    <Button
      isBusy={download.isPending}
      onClick={() => download.start({ operation: exportCampaign, params, filename: 'campaign.csv' })}
    >
      <Download aria-hidden="true" />
      Export CSV
    </Button>
  );
}

type EndButtonProps = { campaign: CampaignDetail; isBusy: boolean; onEnd: () => void };

function EndButton({ campaign, isBusy, onEnd }: EndButtonProps) {
  return (
    <ConfirmDialog
      title="End this campaign?"
      description={`${people(campaign.progress.pending)} on the list will not be called, and calls that wait end undialled. Conversations in progress go on. This cannot be undone.`}
      confirmLabel="End campaign"
      onConfirm={onEnd}
      trigger={
        <Button isBusy={isBusy}>
          <X aria-hidden="true" />
          End
        </Button>
      }
    />
  );
}

type StartButtonProps = {
  campaign: CampaignDetail;
  isUnsaved: boolean;
  isBusy: boolean;
  onStart: () => void;
};

function StartButton({ campaign, isUnsaved, isBusy, onStart }: StartButtonProps) {
  const { id: workspaceId } = useWorkspace();
  const { data: workspace } = useQuery(workspaceQueries.settings(workspaceId));
  const { pending } = campaign.progress;
  const timeZone = useTimeZone();
  const reach = useReach(pending);
  const hasHours = (campaign.callingHours ?? workspace?.callingHours)?.isOn ?? true;
  return (
    <>
      {isUnsaved ? <p className="text-sm text-ink-muted">Save the schedule to start</p> : null}
      <ConfirmDialog
        title={`Call ${people(pending)}?`}
        description={startWords(campaign, { hasHours, timeZone })}
        confirmLabel="Start campaign"
        tone="primary"
        onConfirm={onStart}
        trigger={
          <Button variant="primary" isBusy={isBusy} disabled={pending === 0 || isUnsaved}>
            <Play aria-hidden="true" />
            Start
          </Button>
        }
      >
        {reach ? (
          <p className={classNames('text-sm', reach.isShort ? 'text-warning-text' : 'text-ink-muted')}>
            {reach.words}
          </p>
        ) : null}
      </ConfirmDialog>
    </>
  );
}

function startWords(
  { callsPerMinute, startAt }: CampaignDetail,
  { hasHours, timeZone }: { hasHours: boolean; timeZone: string },
): string {
  const rate = callsPerMinute === 1 ? 'one call' : `${callsPerMinute} calls`;
  const when =
    startAt === null
      ? 'It begins at once'
      : `It begins on ${dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(startAt))} (${timeZone})`;
  return `${when}, with ${rate} a minute at most, ${hasHours ? 'in the calling hours of each person' : 'at any hour: calling hours are off'}. You can pause it at any time.`;
}

function DeleteCampaign({ campaign }: { campaign: CampaignDetail }) {
  const { id: workspaceId } = useWorkspace();
  const remove = useDeletion({
    name: campaign.name,
    remove: () => callOperation(deleteCampaign, { params: { campaignId: campaign.id } }, { workspaceId }),
    list: workspacePath(workspaceId, 'campaigns'),
    listKey: [...campaignQueries.root(workspaceId), 'list'],
  });
  return (
    <ConfirmDialog
      title={`Delete ${campaign.name}?`}
      description="Its list of people is deleted with it. Conversations that it led to stay, and no longer name it. This cannot be undone."
      confirmLabel="Delete campaign"
      onConfirm={() => remove.mutate()}
      trigger={
        <Button isBusy={remove.isPending}>
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      }
    />
  );
}
