'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { MessageSquareQuote, Plus } from 'lucide-react';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import type { OutboundPromptView } from '#lib/features/prompts/contract.ts';
import { DeleteOutboundPrompt } from './delete-outbound-prompt.tsx';

export function OutboundPromptList({ agentId }: { agentId: string }) {
  const { id: workspaceId, role } = useWorkspace();
  const { data: prompts } = useSuspenseQuery(promptQueries.edited(workspaceId, agentId));
  const base = workspacePath(workspaceId, `agents/${encodeURIComponent(agentId)}/outbound-prompts`);
  const mayEdit = role !== 'viewer';
  const create = mayEdit ? (
    <Link href={`${base}/new`} className={buttonClasses({ variant: 'primary' })}>
      <Plus aria-hidden="true" />
      New outbound prompt
    </Link>
  ) : null;
  if (prompts.length === 0) {
    return (
      <EmptyState
        icon={<MessageSquareQuote />}
        title="No outbound prompts"
        description="An outbound prompt says why the agent calls somebody. Without one it cannot place calls."
        actions={create}
      />
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-sm text-ink-muted">
          The first one is used when a call names none. A call can name any of them by its id.
        </p>
        {create}
      </div>
      <ul className="flex flex-col gap-3">
        {prompts.map((prompt, index) => (
          <PromptCard
            key={prompt.id}
            prompt={prompt}
            isDefault={index === 0}
            href={`${base}/${encodeURIComponent(prompt.id)}`}
            mayEdit={mayEdit}
          />
        ))}
      </ul>
    </div>
  );
}

function PromptCard({
  prompt,
  isDefault,
  href,
  mayEdit,
}: {
  prompt: OutboundPromptView;
  isDefault: boolean;
  href: string;
  mayEdit: boolean;
}) {
  return (
    <li className="relative flex items-start justify-between gap-4 rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card transition-colors hover:border-line-strong sm:px-5">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="min-w-0 text-base font-semibold wrap-anywhere">
            <Link href={href} className="rounded-sm after:absolute after:inset-0 hover:text-accent-text">
              {prompt.title}
            </Link>
          </h2>
          {isDefault ? <Badge tone="accent">Default</Badge> : null}
          {prompt.singlePrompt === null ? null : <Badge>Single prompt</Badge>}
          {prompt.voiceCardEdited ? <Badge>Edited by hand</Badge> : null}
        </div>
        <p className="mt-1 line-clamp-2 text-sm text-ink-muted">{prompt.opening ?? prompt.instructions}</p>
        <p className="mt-1.5 text-xs text-ink-subtle">
          <span className="font-mono">{prompt.id}</span>
          {' · changed '}
          <Moment iso={prompt.updatedAt} />
        </p>
      </div>
      {mayEdit ? (
        <div className="relative z-10">
          <DeleteOutboundPrompt prompt={prompt} />
        </div>
      ) : null}
    </li>
  );
}
