'use client';

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Bot, Phone, Search } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { formatPhoneNumber } from '#lib/phone-number.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge, StatusDot } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { Input } from '#components/ui/input.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Select } from '#components/ui/select.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import type { AgentListItem } from '#lib/features/agents/dashboard/contract.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { CreateAgentDialog } from './create-agent-dialog.tsx';

const STATES = [
  { value: '', label: 'All agents' },
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Inactive' },
];

export function AgentList() {
  const { id: workspaceId, role } = useWorkspace();
  const [search, setSearch] = useState('');
  const [active, setActive] = useState('');
  const filter = {
    search: useDeferredValue(search).trim(),
    active: active === '' ? undefined : (active as 'true' | 'false'),
  };
  const { data, error, refetch } = useQuery(agentQueries.list(workspaceId, filter));
  const isFiltered = filter.search !== '' || filter.active !== undefined;
  return (
    <>
      <PageHeader
        title="Agents"
        description="Who holds your conversations: what each agent says, knows and may do."
        actions={role === 'viewer' ? null : <CreateAgentDialog />}
      />
      <div className="flex flex-wrap gap-2">
        <Input
          type="search"
          aria-label="Search agents"
          placeholder="Search agents"
          icon={<Search />}
          className="w-full sm:w-72"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Select
          aria-label="State"
          options={STATES}
          value={active}
          onValueChange={setActive}
          className="w-36!"
        />
      </div>
      {data ? (
        <Agents agents={data} isFiltered={isFiltered} />
      ) : error ? (
        <ErrorState
          title="The agents could not be loaded"
          description={describeFailure(error)}
          actions={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      ) : (
        <TableSkeleton label="Loading agents" rows={5} />
      )}
    </>
  );
}

function Agents({ agents, isFiltered }: { agents: AgentListItem[]; isFiltered: boolean }) {
  const { role } = useWorkspace();
  if (agents.length === 0) {
    return isFiltered ? (
      <EmptyState
        icon={<Search />}
        title="No agent matches"
        description="Try another word, or look at all agents."
      />
    ) : (
      <EmptyState
        icon={<Bot />}
        title="No agents yet"
        description="An agent answers your phone and calls people for you. Create one, give it a prompt, and try it on a simulated call."
        actions={role === 'viewer' ? null : <CreateAgentDialog />}
      />
    );
  }
  return (
    <Table caption="Agents">
      <TableHead>
        <TableHeader>Agent</TableHeader>
        <TableHeader>State</TableHeader>
        <TableHeader className="hidden sm:table-cell">Numbers</TableHeader>
        <TableHeader className="hidden lg:table-cell">Prompts</TableHeader>
        <TableHeader className="hidden lg:table-cell">Knowledge</TableHeader>
        <TableHeader className="hidden md:table-cell">Last call</TableHeader>
      </TableHead>
      <TableBody>
        {agents.map((agent) => (
          <AgentRow key={agent.id} agent={agent} />
        ))}
      </TableBody>
    </Table>
  );
}

function AgentRow({ agent }: { agent: AgentListItem }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <TableRow>
      <TableCell className="max-w-0 w-full min-w-40 md:w-2/5">
        <Link
          href={workspacePath(workspaceId, `agents/${agent.id}`)}
          className="block truncate rounded-sm font-medium text-ink hover:text-accent-text hover:underline"
        >
          {agent.name}
        </Link>
        {agent.description ? <p className="truncate text-xs text-ink-subtle">{agent.description}</p> : null}
        {/* On a phone there is no room for a column of them. */}
        {agent.phoneNumbers.length > 0 ? (
          <span className="mt-1 block sm:hidden">
            <Numbers numbers={agent.phoneNumbers} />
          </span>
        ) : null}
      </TableCell>
      <TableCell>
        <AgentState isActive={agent.isActive} />
      </TableCell>
      <TableCell className="hidden sm:table-cell">
        <Numbers numbers={agent.phoneNumbers} />
      </TableCell>
      <TableCell className="hidden whitespace-nowrap text-ink-muted lg:table-cell">
        {promptsOf(agent)}
      </TableCell>
      <TableCell className="figures hidden text-ink-muted lg:table-cell">
        {agent.knowledgeBaseCount || '–'}
      </TableCell>
      <TableCell className="hidden whitespace-nowrap text-ink-muted md:table-cell">
        {agent.lastCallAt ? <Moment iso={agent.lastCallAt} /> : 'never'}
      </TableCell>
    </TableRow>
  );
}

export function AgentState({ isActive }: { isActive: boolean }) {
  return <StatusDot tone={isActive ? 'success' : 'neutral'}>{isActive ? 'Active' : 'Inactive'}</StatusDot>;
}

function promptsOf(agent: AgentListItem): string {
  const parts = [
    agent.hasInboundPrompt ? 'inbound' : '',
    agent.outboundPromptCount > 0 ? `${agent.outboundPromptCount} outbound` : '',
  ].filter(Boolean);
  return parts.join(' + ') || 'none';
}

function Numbers({ numbers }: { numbers: AgentListItem['phoneNumbers'] }) {
  const [first, ...others] = numbers;
  if (!first) return <span className="text-ink-subtle">–</span>;
  return (
    <span className="flex items-center gap-1.5">
      <Badge icon={<Phone aria-hidden="true" />} className="figures">
        {formatPhoneNumber(first.number)}
      </Badge>
      {others.length > 0 ? (
        <span className="text-xs text-ink-subtle" title={others.map((other) => other.number).join(', ')}>
          {`+${others.length} more`}
        </span>
      ) : null}
    </span>
  );
}
