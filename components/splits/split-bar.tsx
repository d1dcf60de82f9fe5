'use client';

import { usePathname } from 'next/navigation';
import { Split as SplitIcon } from 'lucide-react';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { versionName } from '#components/versions/wording.ts';
import type { AgentDetail } from '#lib/features/agents/dashboard/contract.ts';

type SplitBarProps = {
  agentId: string;
  split: NonNullable<AgentDetail['split']>;
  hasDraft: boolean;
};

/** Says on every page of an agent that a second version gets conversations, and what saving does to it. */
export function SplitBar({ agentId, split, hasDraft }: SplitBarProps) {
  const { id: workspaceId } = useWorkspace();
  const path = workspacePath(workspaceId, `agents/${encodeURIComponent(agentId)}/versions`);
  // There it stands with all that belongs to it.
  if (usePathname() === path) return null;
  const name = versionName(split.version);
  return (
    <Notice
      icon={<SplitIcon aria-hidden="true" />}
      title={`${name} gets ${split.percent}% of new conversations`}
    >
      <div className="flex flex-col items-start gap-2">
        <p>
          {hasDraft ? 'Saving changes the draft.' : 'What you save here is published for the others.'} {name}{' '}
          stays as it is and keeps its share until that is ended.
        </p>
        <Link href={path} className={buttonClasses({ size: 'sm' })}>
          See both versions
        </Link>
      </div>
    </Notice>
  );
}
