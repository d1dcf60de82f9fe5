'use client';

import { useQuery } from '@tanstack/react-query';
import { Mic } from 'lucide-react';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';

/** To the first active agent; where there is none, to the list in which one is made. */
export function TalkLink() {
  const workspace = useWorkspace();
  const agents = useQuery(agentQueries.list(workspace.id));
  const agent = agents.data?.find((each) => each.isActive);
  const target = agent ? `agents/${encodeURIComponent(agent.id)}/talk` : 'agents';
  return (
    <Link href={workspacePath(workspace.id, target)} className={buttonClasses({ variant: 'primary' })}>
      <Mic aria-hidden="true" />
      Talk to your agent
    </Link>
  );
}
