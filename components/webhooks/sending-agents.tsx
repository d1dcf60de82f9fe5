'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge, StatusDot } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { webhookQueries } from '#lib/features/webhooks/queries.ts';

/** Which agents send, and where to. */
export function SendingAgents() {
  const { id: workspaceId } = useWorkspace();
  const { data: settings } = useSuspenseQuery(webhookQueries.settings(workspaceId));
  return (
    <Card title="Agents" description="Each agent's webhook is turned on under its Behaviour." isFlush>
      {settings.agents.length === 0 ? (
        <p className="px-4 py-4 text-sm text-ink-muted sm:px-5">There are no agents yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {settings.agents.map((agent) => (
            <li
              key={agent.id}
              className="flex items-center justify-between gap-3 px-4 py-2.5 text-sm sm:px-5"
            >
              <div className="min-w-0">
                <Link
                  href={workspacePath(workspaceId, `agents/${encodeURIComponent(agent.id)}/behaviour`)}
                  className="block truncate rounded-sm font-medium text-ink hover:text-accent-text hover:underline"
                >
                  {agent.name}
                </Link>
                {agent.enabled ? (
                  <p className="truncate text-xs text-ink-subtle">
                    {agent.effectiveUrl ?? 'No URL: nothing is sent'}
                  </p>
                ) : null}
              </div>
              <span className="flex shrink-0 items-center gap-2">
                {agent.ownUrl ? <Badge>Own URL</Badge> : null}
                <StatusDot tone={agent.enabled ? (agent.effectiveUrl ? 'success' : 'warning') : 'neutral'}>
                  {agent.enabled ? 'On' : 'Off'}
                </StatusDot>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
