'use client';

import { useQuery } from '@tanstack/react-query';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ErrorState } from '#components/ui/empty-state.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { authorName } from '#components/versions/wording.ts';
import type { Split } from '#lib/features/publishing/splits/contract.ts';
import { splitQueries } from '#lib/features/publishing/splits/queries.ts';
import { SplitControls } from './split-controls.tsx';
import { SplitResults } from './split-results.tsx';
import { splitTitle, stepSentence } from './wording.ts';

/** A share that runs or is over: what was done with it and what came of it. */
export function SplitCard({ split }: { split: Split }) {
  const { id: workspaceId, role } = useWorkspace();
  const results = useQuery(splitQueries.results(workspaceId, split.id));
  const mayEnd = role !== 'viewer' && split.endedAt === null;
  return (
    <Card
      title={splitTitle(split)}
      description={
        split.endedAt === null
          ? 'The others have what is published. Saving and publishing change what is published; this version keeps its share until you end it.'
          : undefined
      }
      actions={mayEnd ? <SplitControls split={split} /> : undefined}
      isFlush
    >
      <ol className="flex flex-col gap-0.5 px-4 py-3 text-sm text-ink-muted sm:px-5">
        {split.steps.map((step) => (
          <li key={`${step.at} ${step.kind}`} className="wrap-anywhere">
            {stepSentence(step)}{' '}
            <span className="text-xs text-ink-subtle">
              · {authorName(step)} · <Moment iso={step.at} />
            </span>
          </li>
        ))}
      </ol>
      {results.data ? (
        <SplitResults results={results.data} />
      ) : results.error ? (
        <ErrorState
          title="The results could not be loaded"
          description={describeFailure(results.error)}
          actions={<Button onClick={() => void results.refetch()}>Try again</Button>}
          isBare
        />
      ) : (
        <TableSkeleton label="Loading the results" rows={4} />
      )}
    </Card>
  );
}
