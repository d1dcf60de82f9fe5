'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { workspacePath } from '#components/layout/navigation.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Stat } from '#components/ui/page-header.tsx';
import { Progress } from '#components/ui/progress.tsx';
import type { Usage } from '#lib/features/workspaces/contract.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';
import { LIMIT_LEAVES_OUT, LIMIT_REMEDY, limitWords } from './limit-words.ts';

const minutes = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** This month's minutes against the limit. */
export function UsageView() {
  const { id: workspaceId } = useWorkspace();
  const { data: usage } = useSuspenseQuery(workspaceQueries.usage(workspaceId));
  const { data: workspace } = useSuspenseQuery(workspaceQueries.settings(workspaceId));
  const mayManage = useMayManage();
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <MonthCard usage={usage} />
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat
          label="Used"
          value={minutes.format(usage.usedMinutes)}
          detail="minutes of calls that have ended, as their conversations show them"
        />
        <Stat
          label="Reserved"
          value={minutes.format(usage.reservedMinutes)}
          detail="by calls queued or running"
        />
        <Stat
          label="Left"
          value={
            usage.remainingMinutes === null ? 'No limit' : minutes.format(Math.max(0, usage.remainingMinutes))
          }
          detail={usage.remainingMinutes === null ? 'calls are never refused for it' : 'minutes this month'}
        />
      </div>
      <p className="text-sm text-ink-muted">
        {`Up to ${workspace.maxConcurrentCalls} calls at once. `}
        {mayManage ? (
          <Link
            href={workspacePath(workspaceId, 'settings')}
            className="rounded-sm text-accent-text underline"
          >
            Change the limits
          </Link>
        ) : (
          'Admins and owners change the limits.'
        )}
      </p>
    </div>
  );
}

function MonthCard({ usage }: { usage: Usage }) {
  const taken = usage.usedMinutes + usage.reservedMinutes;
  const share = usage.limitMinutes ? taken / usage.limitMinutes : 0;
  const limit = usage.limitMinutes === null ? 'no limit' : `${minutes.format(usage.limitMinutes)} minutes`;
  return (
    <Card
      title={monthName.format(new Date(`${usage.month}-01T00:00:00Z`))}
      description={
        <>
          Counted in UTC; begins anew on <Moment iso={usage.resetsAt} />
        </>
      }
    >
      <p className="figures flex flex-wrap items-baseline gap-x-2">
        <span className="text-2xl font-semibold tracking-tight text-ink">{minutes.format(taken)}</span>
        <span className="text-base text-ink-muted">{`minutes of ${limit}`}</span>
      </p>
      {usage.limitMinutes === null ? null : (
        <Progress
          className="mt-3 h-2"
          label="Minutes of this month's limit"
          value={Math.min(taken, usage.limitMinutes)}
          max={Math.max(usage.limitMinutes, 1)}
          tone={share >= 1 ? 'danger' : share >= 0.8 ? 'warning' : 'accent'}
        />
      )}
      {share >= 1 || usage.limitMinutes === 0 ? (
        <p className="mt-2 text-sm text-danger-text">The limit is reached. {LIMIT_REMEDY}</p>
      ) : null}
      {usage.limitMinutes === null ? null : (
        <p className="mt-2 text-sm text-pretty text-ink-muted">
          {limitWords(usage)} {LIMIT_LEAVES_OUT}
        </p>
      )}
    </Card>
  );
}
