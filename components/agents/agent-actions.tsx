'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Copy, MessageSquare, Mic, MoreHorizontal, PhoneCall, Power, Trash2 } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses, IconButton } from '#components/ui/button.tsx';
import { DropdownMenu, MenuItem } from '#components/ui/dropdown-menu.tsx';
import { Link } from '#components/ui/link.tsx';
import { useToast } from '#components/ui/toast.tsx';
import type { AgentView } from '#lib/features/agents/contract.ts';
import { duplicateAgent, updateAgent } from '#lib/features/agents/dashboard/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { DeleteAgent } from './delete-agent.tsx';
import { useKeepAgent, useMayEdit } from './use-agent.ts';

function useAgentChanges(agent: AgentView) {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const toast = useToast();
  const keep = useKeepAgent();
  const params = { agentId: agent.id };
  const onError = (error: unknown) => toast({ title: describeFailure(error), tone: 'danger' });

  const duplicate = useMutation({
    mutationFn: () => callOperation(duplicateAgent, { params }, { workspaceId }),
    onSuccess: ({ data }) => {
      keep(data);
      toast({ title: `${data.name} was created` });
      router.push(workspacePath(workspaceId, `agents/${data.id}`));
    },
    onError,
  });
  const toggle = useMutation({
    mutationFn: () =>
      callOperation(updateAgent, { params, body: { isActive: !agent.isActive } }, { workspaceId }),
    onSuccess: ({ data }) => {
      keep(data);
      toast({ title: data.isActive ? `${data.name} takes calls again` : `${data.name} takes no more calls` });
    },
    onError,
  });
  return { duplicate, toggle };
}

export function AgentActions({ agent }: { agent: AgentView }) {
  const { id: workspaceId } = useWorkspace();
  const mayDelete = useMayManage();
  const [asksToDelete, setAsksToDelete] = useState(false);
  const { duplicate, toggle } = useAgentChanges(agent);
  if (!useMayEdit()) return null;
  return (
    <>
      {agent.isActive ? (
        <>
          <Link
            href={workspacePath(workspaceId, `agents/${encodeURIComponent(agent.id)}/talk`)}
            className={buttonClasses({ variant: 'primary' })}
          >
            <Mic aria-hidden="true" />
            Talk to this agent
          </Link>
          <Link
            href={workspacePath(workspaceId, `agents/${encodeURIComponent(agent.id)}/chat`)}
            className={buttonClasses()}
          >
            <MessageSquare aria-hidden="true" />
            Chat with this agent
          </Link>
          <Link
            href={`${workspacePath(workspaceId, 'calls/new')}?agentId=${encodeURIComponent(agent.id)}`}
            className={buttonClasses()}
          >
            <PhoneCall aria-hidden="true" />
            Place a call
          </Link>
        </>
      ) : (
        <p className="text-sm text-ink-subtle">Inactive: it places and takes no calls.</p>
      )}
      <DropdownMenu
        trigger={
          <IconButton label="More actions" variant="secondary" icon={<MoreHorizontal aria-hidden="true" />} />
        }
      >
        <MenuItem onSelect={() => duplicate.mutate()} disabled={duplicate.isPending}>
          <Copy aria-hidden="true" />
          Duplicate
        </MenuItem>
        <MenuItem onSelect={() => toggle.mutate()} disabled={toggle.isPending}>
          <Power aria-hidden="true" />
          {agent.isActive ? 'Deactivate' : 'Activate'}
        </MenuItem>
        {mayDelete ? (
          <MenuItem tone="danger" onSelect={() => setAsksToDelete(true)}>
            <Trash2 aria-hidden="true" />
            Delete
          </MenuItem>
        ) : null}
      </DropdownMenu>
      <DeleteAgent agent={agent} isOpen={asksToDelete} onOpenChange={setAsksToDelete} />
    </>
  );
}
