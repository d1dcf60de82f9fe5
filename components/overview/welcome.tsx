'use client';

import { Mic, PhoneCall } from 'lucide-react';
import { TalkLink } from '#components/agents/talk-link.tsx';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';

/** The first thing that a new workspace shows, until it has a conversation besides tests. */
export function Welcome() {
  const { id, name, role } = useWorkspace();
  const isViewer = role === 'viewer';
  return (
    <EmptyState
      icon={<Mic />}
      title={`Welcome to ${name}`}
      description={
        isViewer
          ? 'No agent has held a conversation yet. What they come to is shown here: calls, minutes, cost and outcomes.'
          : 'Talk to your agent from this browser, without a key and without calling anybody. Once agents have held real conversations, this page shows what they come to.'
      }
      actions={
        isViewer ? null : (
          <>
            <TalkLink />
            <Link href={workspacePath(id, 'calls/new')} className={buttonClasses()}>
              <PhoneCall aria-hidden="true" />
              Place the first call
            </Link>
          </>
        )
      }
    />
  );
}
