'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { AudioLines, BookOpen, Bot, FileText, Search } from 'lucide-react';
import { callTitle, DISPOSITION_WORDS } from '#components/conversations/wording.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import type { CommandEntry } from '#components/ui/command.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { useSettled } from '#components/ui/use-settled.ts';
import { SEARCH_MIN_CHARACTERS, type SearchResults } from '#lib/features/search/contract.ts';
import { searchQueries } from '#lib/features/search/queries.ts';
import { workspacePath } from './navigation.ts';
import { useWorkspace } from './workspace-context.tsx';

/** Long enough that a fast typist asks once per word, short enough to feel live. */
const PAUSE_MS = 200;

/** What the workspace has for a query, asked of the service while somebody types. */
export function useFoundEntries(query: string) {
  const workspace = useWorkspace();
  const router = useRouter();
  const settled = useSettled(query.trim(), PAUSE_MS);
  const isAsked = query.trim().length >= SEARCH_MIN_CHARACTERS;
  const { data, error, isFetching } = useQuery({
    ...searchQueries.find(workspace.id, settled),
    // What was found stays while more is typed, but not into another workspace.
    placeholderData: (found, query) => (query?.queryKey[1] === workspace.id ? found : undefined),
  });
  const open = (path: string) => () => router.push(workspacePath(workspace.id, path));
  const transcripts: CommandEntry = {
    // Another one for each query: a selection left on it would keep Enter from what was found.
    id: `search-transcripts:${settled}`,
    label: `Search all transcripts for “${query.trim()}”`,
    group: 'Conversations',
    icon: <Search aria-hidden="true" />,
    onSelect: open(`conversations?${new URLSearchParams({ search: query.trim() })}`),
  };
  const isRunning = isAsked && (isFetching || settled !== query.trim());
  return {
    found: isAsked && (data || !isRunning) ? [...(data ? entriesOf(data, open) : []), transcripts] : [],
    search:
      isAsked && error && !isRunning
        ? { failure: `The search failed. ${describeFailure(error)}` }
        : isRunning
          ? ('running' as const)
          : ('resting' as const),
  };
}

function entriesOf(results: SearchResults, open: (path: string) => () => void): CommandEntry[] {
  return [
    ...results.agents.map((agent) => ({
      id: `agent:${agent.id}`,
      label: agent.name,
      group: 'Agents',
      icon: <Bot aria-hidden="true" />,
      hint: agent.isActive ? undefined : 'Inactive',
      onSelect: open(`agents/${encodeURIComponent(agent.id)}`),
    })),
    ...results.prompts.map((prompt) => ({
      id: `prompt:${prompt.id}`,
      label: prompt.title,
      group: 'Outbound prompts',
      icon: <FileText aria-hidden="true" />,
      hint: prompt.agentName,
      onSelect: open(
        `agents/${encodeURIComponent(prompt.agentId)}/outbound-prompts/${encodeURIComponent(prompt.id)}`,
      ),
    })),
    ...results.knowledgeBases.map((base) => ({
      id: `knowledge:${base.id}`,
      label: base.name,
      group: 'Knowledge bases',
      icon: <BookOpen aria-hidden="true" />,
      onSelect: open(`knowledge/${encodeURIComponent(base.id)}`),
    })),
    ...results.conversations.map((call) => ({
      id: `conversation:${call.id}`,
      label: [callTitle(call), call.foundName].filter(Boolean).join(' · '),
      group: 'Conversations',
      icon: <AudioLines aria-hidden="true" />,
      hint: (
        <>
          {call.disposition ? `${DISPOSITION_WORDS[call.disposition].label}, ` : null}
          <Moment iso={call.dateInitiated} />
        </>
      ),
      onSelect: open(`conversations/${encodeURIComponent(call.id)}`),
    })),
  ];
}
