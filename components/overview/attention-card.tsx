'use client';

import { useQuery } from '@tanstack/react-query';
import { ChevronRight, CircleCheck, ClipboardCheck, TriangleAlert } from 'lucide-react';
import { webhooksPath, workspacePath } from '#components/layout/navigation.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { modelProblemWords } from '#components/conversations/model-health-banner.tsx';
import { LIMIT_REMEDY, limitWords } from '#components/settings/limit-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ErrorState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { Attention } from '#lib/features/overview/attention/contract.ts';
import { overviewQueries } from '#lib/features/overview/queries.ts';
import { countText, minutesText, shareText } from './wording.ts';

type Item = { key: string; title: string; detail: string; href: string; isTask?: boolean };

function itemsOf(found: Attention, workspaceId: string, mayManage: boolean): Item[] {
  const { webhooks, documents, limit, model, carriers } = found;
  const items: (Item | null)[] = [
    model && {
      key: 'model',
      title: modelProblemWords(model).title,
      detail: modelProblemWords(model).effect,
      href: workspacePath(workspaceId, `conversations/${encodeURIComponent(model.callId)}`),
    },
    ...carriers.map(({ kind, failed, calls }) => ({
      key: `carrier ${kind}`,
      title: `The carrier ${kind} fails`,
      detail: `${countText(failed)} of ${countText(calls)} calls of the last hour could not be placed, or broke.`,
      href: workspacePath(workspaceId, mayManage ? 'settings/status' : 'conversations?disposition=FAILED'),
    })),
    webhooks && {
      key: 'webhooks',
      title:
        webhooks.failed === webhooks.of
          ? `The last ${webhooks.of === 1 ? 'webhook' : `${webhooks.of} webhooks`} failed`
          : `${webhooks.failed} of the last ${webhooks.of} webhooks failed`,
      detail: webhooks.error ?? 'Your system did not take them.',
      href: webhooksPath(workspaceId, webhooks.lastId),
    },
    limit && {
      key: 'limit',
      title:
        limit.minutes >= limit.limitMinutes
          ? "The month's limit is reached"
          : `${shareText(limit.minutes / limit.limitMinutes)} of the month's limit is used`,
      detail: `${minutesText(limit.minutes)} of ${minutesText(limit.limitMinutes)}. ${limitWords(limit)} ${LIMIT_REMEDY}`,
      href: workspacePath(workspaceId, 'settings/usage'),
    },
    documents && {
      key: 'documents',
      title: documents.failed === 1 ? 'A document failed' : `${countText(documents.failed)} documents failed`,
      detail: 'Agents do not know what they say. Each has its reason beside it.',
      href: workspacePath(
        workspaceId,
        documents.knowledgeBaseId === null
          ? 'knowledge'
          : `knowledge/${encodeURIComponent(documents.knowledgeBaseId)}`,
      ),
    },
  ];
  // A person who needs somebody now waits for no webhook.
  return [actionNeededItem(found, workspaceId), ...items, ...tasksOf(found, workspaceId)].filter(
    (item) => item !== null,
  );
}

function actionNeededItem({ actionNeeded }: Attention, workspaceId: string): Item | null {
  return (
    actionNeeded && {
      key: 'action',
      title: `${conversationsText(actionNeeded)} ${actionNeeded.count === 1 ? 'needs' : 'need'} action`,
      detail: 'Of the last seven days: somebody asked for something that the agent could not do.',
      href: workspacePath(
        workspaceId,
        `conversations?tests=without&tag=action_needed&review=open&dateStart=${actionNeeded.since}`,
      ),
    }
  );
}

/** Conversations that somebody has to look at. */
function tasksOf({ assigned, toReview }: Attention, workspaceId: string): (Item | null)[] {
  return [
    assigned && {
      key: 'assigned',
      title: `${conversationsText(assigned)} assigned to you`,
      detail: 'Not reviewed yet.',
      href: workspacePath(workspaceId, 'conversations?assignee=me&review=open'),
      isTask: true,
    },
    toReview && {
      key: 'review',
      title: `${conversationsText(toReview)} to review`,
      detail: 'Of the last seven days.',
      href: workspacePath(
        workspaceId,
        `conversations?status=ended&tests=without&review=open&dateStart=${toReview.since}`,
      ),
      isTask: true,
    },
  ];
}

function conversationsText({ count, isExact }: { count: number; isExact: boolean }): string {
  return `${isExact ? '' : 'More than '}${countText(count)} ${count === 1 ? 'conversation' : 'conversations'}`;
}

/** What somebody has to look after, the most urgent first, each with the way to it. `isQuiet`: nothing where there is nothing. */
export function AttentionCard({ isQuiet = false }: { isQuiet?: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const mayManage = useMayManage();
  const attention = useQuery(overviewQueries.attention(workspaceId));
  if (attention.isPending) return <Skeleton className="h-24" />;
  if (attention.isError)
    return (
      <ErrorState
        title="What needs attention could not be loaded"
        description={attention.error.message}
        actions={<Button onClick={() => void attention.refetch()}>Try again</Button>}
      />
    );
  const items = itemsOf(attention.data, workspaceId, mayManage);
  if (items.length === 0)
    return isQuiet ? null : (
      <p className="flex items-center gap-2 text-sm text-ink-muted">
        <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success-text" />
        Nothing needs your attention.
      </p>
    );
  return (
    <Card title="Needs attention" isFlush>
      <ul className="divide-y divide-line">
        {items.map((item) => (
          <li key={item.key}>
            <Link
              href={item.href}
              className="focus-inset flex items-center gap-3 px-4 py-2.5 transition-colors hover:bg-hover/60 sm:px-5"
            >
              {item.isTask ? (
                <ClipboardCheck aria-hidden="true" className="size-4 shrink-0 text-ink-subtle" />
              ) : (
                <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-warning-text" />
              )}
              <span className="min-w-0 flex-1">
                <span className="block text-sm font-medium text-ink">{item.title}</span>
                <span className="block text-sm wrap-anywhere text-ink-subtle">{item.detail}</span>
              </span>
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-subtle" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
