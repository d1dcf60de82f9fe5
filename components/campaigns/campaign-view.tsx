'use client';

import { useInfiniteQuery, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCampaignUpdates } from '#components/conversations/use-call-updates.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { OpeningLine } from '#components/prompts/opening-line.tsx';
import { usePreview } from '#components/prompts/use-preview.ts';
import { Card } from '#components/ui/card.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { PageHeader, Stat } from '#components/ui/page-header.tsx';
import type { CampaignDetail } from '#lib/features/campaigns/contract.ts';
import type { CampaignPerson } from '#lib/features/campaigns/people/contract.ts';
import { campaignQueries, isAtWork } from '#lib/features/campaigns/queries.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';
import { CampaignActions } from './campaign-actions.tsx';
import { FileChoice } from './file-choice.tsx';
import { GuessesNotice } from './guesses-notice.tsx';
import { PeopleTable } from './people-table.tsx';
import { ProgressCard } from './progress-card.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { uploadList } from './send-list.ts';
import { useReach } from './use-reach.ts';
import { StateBadge } from './state-badge.tsx';
import { Steps } from './steps.tsx';
import { count, people } from './wording.ts';

/** One campaign: what the check found, before it is started; how it goes on, afterwards. */
export function CampaignView({ campaignId }: { campaignId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: campaign } = useSuspenseQuery(campaignQueries.detail(workspaceId, campaignId));
  useCampaignUpdates(workspaceId, campaignQueries.root(workspaceId), isAtWork(campaign));
  const isStarted = campaign.startedAt !== null;
  const [isUnsaved, setIsUnsaved] = useState(false);
  return (
    <>
      <PageHeader
        trail={[{ label: 'Campaigns', href: workspacePath(workspaceId, 'campaigns') }]}
        title={campaign.name}
        badge={<StateBadge campaign={campaign} />}
        description={`From ${formatPhoneNumber(campaign.from)}, made by ${campaign.createdBy}`}
        actions={<CampaignActions campaign={campaign} isUnsaved={isUnsaved} />}
      />
      {campaign.pauseReason === null ? null : (
        <Notice
          tone="warning"
          title={campaign.state === 'draft' ? 'The list is missing' : 'Paused by itself'}
        >
          {campaign.pauseReason}
        </Notice>
      )}
      <GuessesNotice campaign={campaign} />
      {isStarted ? <ProgressCard campaign={campaign} /> : <BeforeStart campaign={campaign} />}
      {['ready', 'running', 'paused'].includes(campaign.state) ? (
        <Schedule campaign={campaign} isOpen={!isStarted} onUnsaved={setIsUnsaved} />
      ) : null}
      {campaign.counts.people > 0 ? (
        <PeopleTable
          // What is wrong is what is looked for before the start.
          key={isStarted ? 'started' : 'checked'}
          campaign={campaign}
          initial={!isStarted && campaign.counts.callable < campaign.counts.people ? 'left_out' : ''}
        />
      ) : null}
    </>
  );
}

const SUMMARY_CLASSES = 'w-fit cursor-pointer rounded-sm text-accent-text underline-offset-4 hover:underline';

/** A step before the start; afterwards out of the way of what happens. */
function Schedule({
  campaign,
  isOpen,
  onUnsaved,
}: {
  campaign: CampaignDetail;
  isOpen: boolean;
  onUnsaved: (isUnsaved: boolean) => void;
}) {
  const form = <ScheduleForm campaign={campaign} onUnsaved={onUnsaved} />;
  if (isOpen) return form;
  return (
    <details className="text-sm">
      <summary className={SUMMARY_CLASSES}>Schedule and rate</summary>
      <div className="mt-3">{form}</div>
    </details>
  );
}

function BeforeStart({ campaign }: { campaign: CampaignDetail }) {
  const { state, counts, progress } = campaign;
  if (state === 'cancelled')
    return <p className="text-sm text-ink-muted">It was ended before it was started.</p>;
  return (
    <>
      <Steps current={state === 'ready' ? 3 : 2} />
      {state === 'ready' ? (
        <>
          <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
            <Stat
              label="Can be called"
              value={count(counts.callable)}
              detail={`of ${people(counts.people)}`}
            />
            <Stat label="With a fault" value={count(progress.faulty)} detail="each with its line below" />
            <Stat label="Twice on the list" value={count(progress.duplicate)} detail="called once" />
            <Stat label="Opted out" value={count(progress.optedOut)} detail="not called" />
          </div>
          <Reach people={progress.pending} />
          <Openings campaign={campaign} />
        </>
      ) : null}
      <Replace campaign={campaign} />
    </>
  );
}

/** How far the minutes of the month reach. */
function Reach({ people: count }: { people: number }) {
  const reach = useReach(count);
  if (!reach) return null;
  return <Notice tone={reach.isShort ? 'warning' : 'info'}>{reach.words}</Notice>;
}

const SHOWN_OPENINGS = 3;

/** What the first people would hear. */
function Openings({ campaign }: { campaign: CampaignDetail }) {
  const { id: workspaceId } = useWorkspace();
  const first = useInfiniteQuery(
    campaignQueries.people(workspaceId, campaign.id, { status: 'pending' }, SHOWN_OPENINGS),
  );
  const shown = first.data?.pages[0]?.people ?? [];
  if (shown.length === 0) return null;
  return (
    <Card
      title="What the first people would hear"
      description="Rendered by the service itself, as on a call."
    >
      <ul className="flex flex-col gap-3">
        {shown.map((person) => (
          <Opening key={person.line} campaign={campaign} person={person} />
        ))}
      </ul>
    </Card>
  );
}

function Opening({ campaign, person }: { campaign: CampaignDetail; person: CampaignPerson }) {
  const { preview, error } = usePreview(campaign.agentId, {
    direction: 'OUTBOUND',
    promptId: campaign.outboundPromptId,
    draft: {},
    variables: person.variables,
  });
  return (
    <li className="flex flex-col gap-1">
      <p className="figures text-xs text-ink-subtle">
        {`Line ${person.line}, ${formatPhoneNumber(person.number ?? person.givenNumber)}`}
      </p>
      {error ? <Notice tone="danger">{describeFailure(error)}</Notice> : null}
      {preview ? <OpeningLine text={preview.opening} /> : null}
    </li>
  );
}

/** A corrected file with the same columns; those of a list that came by the API are sent there again. */
function Replace({ campaign }: { campaign: CampaignDetail }) {
  const { id: workspaceId, role } = useWorkspace();
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const upload = useMutation({
    mutationFn: (chosen: File) => uploadList(workspaceId, campaign.id, chosen),
    onSettled: () => queryClient.invalidateQueries({ queryKey: campaignQueries.root(workspaceId) }),
  });
  if (role === 'viewer') return null;
  return (
    <details open={campaign.state === 'draft'} className="text-sm">
      <summary className={SUMMARY_CLASSES}>
        {campaign.state === 'draft' ? 'Choose the list' : 'Use a corrected file instead'}
      </summary>
      <div className="mt-3 flex flex-col gap-3">
        <FileChoice
          file={file}
          isBusy={upload.isPending}
          onFile={(chosen) => {
            setFile(chosen);
            upload.mutate(chosen);
          }}
        />
        {upload.error ? (
          <Notice tone="danger" title="The list could not be checked">
            {describeFailure(upload.error)}
          </Notice>
        ) : null}
      </div>
    </details>
  );
}
