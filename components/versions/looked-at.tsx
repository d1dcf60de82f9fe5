'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { draftQueries } from '#lib/features/publishing/drafts/queries.ts';

/** What has to be looked at before a draft is published, asked while `isAsking`; a tick is good for what was shown with it. */
export function useLookedAt(agentId: string, isAsking: boolean) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, isFetching } = useQuery({
    ...draftQueries.publishing(workspaceId, agentId),
    enabled: isAsking,
  });
  const [tickedFor, setTickedFor] = useState<string>();
  const shown = data?.notJudged.join('\n');
  if (!isAsking && tickedFor !== undefined) setTickedFor(undefined);
  const isTicked = tickedFor !== undefined && tickedFor === shown;
  return {
    notJudged: data?.notJudged ?? [],
    error,
    isTicked,
    tick: (isOn: boolean) => setTickedFor(isOn ? shown : undefined),
    isReady: data !== undefined && !isFetching && (data.notJudged.length === 0 || isTicked),
    confirmation: data?.confirmation,
  };
}

/** The tick of somebody who looked at what simulations of a draft did not judge. */
export function LookedAt({ of }: { of: ReturnType<typeof useLookedAt> }) {
  const { notJudged, error, isTicked, tick } = of;
  if (error)
    return (
      <p role="alert" className="text-sm text-danger-text">
        What was not judged could not be read: {describeFailure(error)}
      </p>
    );
  if (notJudged.length === 0) return null;
  return (
    <Field
      layout="check"
      label="I looked at what was not judged"
      description={`Not judged: ${notJudged.join(', ')}.`}
    >
      <Checkbox checked={isTicked} onCheckedChange={(isOn) => tick(isOn === true)} />
    </Field>
  );
}
