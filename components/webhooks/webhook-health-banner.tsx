'use client';

import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { webhooksPath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { webhookQueries } from '#lib/features/webhooks/queries.ts';

/** Says that the last 20 webhooks failed, and nothing otherwise. Stands above every page of the workspace. */
export function WebhookHealthBanner() {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(webhookQueries.health(workspaceId));
  if (!data?.isFailing) return null;
  const { lastFailure } = data;
  return (
    <div className="mx-auto w-full max-w-[90rem] px-4 pt-4 sm:px-6 lg:px-8">
      <Notice
        tone="danger"
        icon={<TriangleAlert aria-hidden="true" />}
        title={`The last ${data.failedCount} webhooks failed`}
        actions={
          <Link href={webhooksPath(workspaceId, lastFailure?.id)} className={buttonClasses({ size: 'sm' })}>
            Look at the last
          </Link>
        }
      >
        {lastFailure?.error ?? 'Your system did not take them.'} Calls that were missed can be read from the
        list of conversations.
      </Notice>
    </div>
  );
}
