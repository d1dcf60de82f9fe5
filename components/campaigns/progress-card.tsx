'use client';

import { DISPOSITION_WORDS } from '#components/conversations/wording.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { Stat } from '#components/ui/page-header.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Progress } from '#components/ui/progress.tsx';
import type { CampaignDetail } from '#lib/features/campaigns/contract.ts';
import { count, fractionDone, remainingWords } from './wording.ts';

/** How far a campaign is, and how its calls ended. */
export function ProgressCard({ campaign }: { campaign: CampaignDetail }) {
  const { progress, counts } = campaign;
  const done = fractionDone(campaign);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat
          label="Called"
          value={count(progress.called)}
          detail={`of ${count(counts.callable)} who can be called`}
        />
        <Stat label="Being called" value={count(progress.calling)} detail="also waiting for another try" />
        <Stat
          label="Not called yet"
          value={count(progress.pending)}
          detail={<Remaining campaign={campaign} />}
        />
        <Stat
          label="Left out"
          value={count(counts.people - counts.callable + progress.refused)}
          detail={`${count(progress.faulty)} faults, ${count(progress.duplicate)} twice, ${count(progress.guessed)} guessed, ${count(progress.optedOut)} opted out`}
        />
      </div>
      <Card title="Outcomes" description="Of the last call to each person.">
        <div className="flex flex-col gap-4">
          <div className="flex flex-col gap-1.5">
            <p className="figures text-sm text-ink-muted">
              {count(counts.placed + counts.refused)} of {count(counts.callable)} had their turn
            </p>
            <Progress label="People who had their turn" value={done * 100} className="h-2" />
          </div>
          {/* Told in steps: a reader who hears every call would hear nothing else. */}
          <output className="sr-only">{announcement(campaign, done)}</output>
          <Outcomes campaign={campaign} />
        </div>
      </Card>
    </div>
  );
}

function announcement({ state }: CampaignDetail, done: number): string {
  if (state === 'finished') return 'The campaign is finished.';
  if (state === 'paused') return 'The campaign is paused.';
  if (state === 'cancelled') return 'The campaign was ended.';
  return `${Math.floor(done * 10) * 10} percent of the calls are placed.`;
}

function Remaining({ campaign }: { campaign: CampaignDetail }) {
  const { state, progress, callsPerMinute, endedAt } = campaign;
  if (endedAt !== null)
    return (
      <>
        over since <Moment iso={endedAt} />
      </>
    );
  if (progress.pending === 0) return 'the list is through';
  return state === 'paused'
    ? 'paused'
    : `${remainingWords(progress.pending, callsPerMinute)} at ${count(callsPerMinute)} a minute`;
}

function Outcomes({ campaign }: { campaign: CampaignDetail }) {
  const { id: workspaceId } = useWorkspace();
  const known = Object.entries(DISPOSITION_WORDS).flatMap(([key, { label }]) => {
    const value = campaign.progress.outcomes[key] ?? 0;
    return value > 0 ? [{ key, label, value }] : [];
  });
  if (known.length === 0) return <p className="text-sm text-ink-subtle">No call is over yet.</p>;
  const list = workspacePath(workspaceId, 'conversations');
  return (
    <ul aria-label="Outcomes" className="grid gap-x-8 gap-y-1 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {known.map(({ key, label, value }) => (
        <li key={key} className="flex items-baseline justify-between gap-3 border-b border-line py-1.5">
          <Link
            className="rounded-sm text-accent-text underline-offset-4 hover:underline"
            href={`${list}?campaignId=${encodeURIComponent(campaign.id)}&disposition=${key}`}
          >
            {label}
          </Link>
          <span className="figures text-ink">{count(value)}</span>
        </li>
      ))}
    </ul>
  );
}
