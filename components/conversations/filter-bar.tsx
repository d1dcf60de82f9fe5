'use client';

import { useEffect, useRef, useState, useTransition } from 'react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { memberQueries } from '#lib/features/members/queries.ts';
import { campaignQueries } from '#lib/features/campaigns/queries.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { versionName } from '#components/versions/wording.ts';
import { versionQueries } from '#lib/features/publishing/history/queries.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { tagQueries } from '#lib/features/tags/queries.ts';
import { DateRangeFilter } from './date-range-filter.tsx';
import { changedQuery } from './filter.ts';
import { ResultFilter } from './result-filter.tsx';
import { DISPOSITION_WORDS, SENTIMENT_WORDS, tagLabel } from './wording.ts';

const SEARCH_DELAY_MS = 300;

const STATUSES = [
  { value: '', label: 'Finished' },
  { value: 'live', label: 'In progress' },
  { value: 'any', label: 'Any status' },
];
const CHANNELS = [
  { value: '', label: 'Calls and chats' },
  { value: 'call', label: 'Only calls' },
  { value: 'chat', label: 'Only chats' },
];
const DIRECTIONS = [
  { value: '', label: 'Any direction' },
  { value: 'INBOUND', label: 'Inbound' },
  { value: 'OUTBOUND', label: 'Outbound' },
];
const TESTS = [
  { value: '', label: 'With tests' },
  { value: 'without', label: 'Without tests' },
  { value: 'only', label: 'Only tests' },
];
const REVIEWS = [
  { value: '', label: 'Reviewed or not' },
  { value: 'open', label: 'Not reviewed' },
  { value: 'done', label: 'Reviewed' },
];
const ASSIGNEES = [
  { value: '', label: 'Anybody’s' },
  { value: 'me', label: 'Assigned to me' },
  { value: 'none', label: 'Unassigned' },
];
const OUTCOMES = [
  { value: '', label: 'Any outcome' },
  ...Object.entries(DISPOSITION_WORDS).map(([value, words]) => ({
    value,
    label: words.label,
    detail: words.meaning,
  })),
];
const SENTIMENTS = [
  { value: '', label: 'Any sentiment' },
  ...Object.entries(SENTIMENT_WORDS).map(([value, words]) => ({ value, label: words.label })),
];

/** Every filter lives in the address, so that a view can be sent to a colleague. */
export function FilterBar({ isFiltered }: { isFiltered: boolean }) {
  const workspace = useWorkspace();
  const { params, change, clear, isPending } = useFilterAddress();
  const members = useQuery(memberQueries.list(workspace.id));
  const assigneeOptions = [
    ...ASSIGNEES,
    ...(members.data ?? [])
      .filter(({ role }) => role !== 'viewer')
      .map(({ userId, name, email }) => ({ value: userId, label: name ?? email })),
  ];
  const select = (name: string, label: string, options: typeof STATUSES) => (
    <Select
      aria-label={label}
      value={params.get(name) ?? ''}
      onValueChange={(value) => change({ [name]: value })}
      options={options}
      className="w-auto! max-w-48 shrink-0"
    />
  );
  return (
    <search aria-label="Filter conversations" className="flex flex-wrap items-center gap-2">
      <SearchBox
        key={params.get('search') ?? ''}
        initial={params.get('search') ?? ''}
        onSearch={(search) => change({ search })}
      />
      <div className="scroll-x -mx-4 flex w-[calc(100%+2rem)] items-center gap-2 px-4 py-1 sm:mx-0 sm:w-auto sm:flex-wrap sm:overflow-visible sm:px-0 sm:py-0">
        <DateRangeFilter
          start={params.get('dateStart') ?? ''}
          end={params.get('dateEnd') ?? ''}
          onChange={({ start, end }) => change({ dateStart: start, dateEnd: end })}
        />
        <AgentFilter params={params} change={change} />
        {select('channel', 'Kind', CHANNELS)}
        {select('direction', 'Direction', DIRECTIONS)}
        {select('disposition', 'Outcome', OUTCOMES)}
        {select('sentiment', 'Sentiment', SENTIMENTS)}
        {select('status', 'Status', STATUSES)}
        {select('review', 'Review', REVIEWS)}
        {select('assignee', 'Assigned to', assigneeOptions)}
        {select('tests', 'Tests', TESTS)}
        <TagFilter params={params} change={change} />
        <Chips params={params} change={change} />
        {isFiltered ? (
          <Button variant="ghost" onClick={clear}>
            <X aria-hidden="true" />
            Clear
          </Button>
        ) : null}
        {isPending ? <Spinner className="text-ink-subtle" /> : null}
      </div>
    </search>
  );
}

type FilterPartProps = {
  params: URLSearchParams;
  change: (changes: Record<string, string | undefined>) => void;
};

/** The agent, and what is asked of what its conversations yielded. */
function AgentFilter({ params, change }: FilterPartProps) {
  const workspace = useWorkspace();
  const agents = useQuery(agentQueries.list(workspace.id));
  const agentOptions = [
    { value: '', label: 'Any agent' },
    ...(agents.data ?? []).map((agent) => ({ value: agent.id, label: agent.name })),
  ];
  return (
    <>
      <Select
        aria-label="Agent"
        value={params.get('agentId') ?? ''}
        // What is asked of a result is asked of the fields of one agent.
        onValueChange={(agentId) => change({ agentId, result: undefined })}
        options={agentOptions}
        className="w-auto! max-w-48 shrink-0"
      />
      <ResultFilter
        agentId={params.get('agentId') ?? ''}
        value={params.get('result') ?? ''}
        onChange={(result) => change({ result })}
      />
    </>
  );
}

/** The tags of the workspace; one that was deleted since stays while the list is narrowed by it. */
function TagFilter({ params, change }: FilterPartProps) {
  const workspace = useWorkspace();
  const { data } = useQuery(tagQueries.list(workspace.id));
  const chosen = params.get('tag') ?? '';
  const known = data ? [...data.custom, ...data.system].map(({ name }) => name) : [];
  const names = chosen === '' || known.includes(chosen) ? known : [chosen, ...known];
  return (
    <Select
      aria-label="Tag"
      value={chosen}
      onValueChange={(tag) => change({ tag: tag === '' ? undefined : tag })}
      options={[
        { value: '', label: 'Any tag' },
        ...names.map((name) => ({ value: name, label: tagLabel(name) })),
      ]}
      className="w-auto! max-w-48 shrink-0"
    />
  );
}

/** What the list is narrowed by that is chosen elsewhere. */
function Chips({ params, change }: FilterPartProps) {
  const campaignId = params.get('campaignId');
  const promptId = params.get('promptId');
  const versionId = params.get('versionId');
  return (
    <>
      {versionId ? (
        <VersionChip versionId={versionId} onRemove={() => change({ versionId: undefined })} />
      ) : null}
      {campaignId ? (
        <CampaignChip campaignId={campaignId} onRemove={() => change({ campaignId: undefined })} />
      ) : null}
      {promptId ? (
        <PromptChip
          promptId={promptId}
          agentId={params.get('agentId')}
          onRemove={() => change({ promptId: undefined })}
        />
      ) : null}
    </>
  );
}

function CampaignChip({ campaignId, onRemove }: { campaignId: string; onRemove: () => void }) {
  const workspace = useWorkspace();
  const campaign = useQuery(campaignQueries.detail(workspace.id, campaignId));
  const name = campaign.data?.name ?? campaignId;
  return (
    <Button onClick={onRemove} aria-label={`Campaign ${name}, remove this filter`}>
      Campaign {name}
      <X aria-hidden="true" />
    </Button>
  );
}

function VersionChip({ versionId, onRemove }: { versionId: string; onRemove: () => void }) {
  const workspace = useWorkspace();
  const version = useQuery(versionQueries.detail(workspace.id, versionId));
  const name = version.data ? `${versionName(version.data)} of ${version.data.agentName}` : 'Version';
  return (
    <Button onClick={onRemove} aria-label={`${name}, remove this filter`}>
      {name}
      <X aria-hidden="true" />
    </Button>
  );
}

function PromptChip({
  promptId,
  agentId,
  onRemove,
}: {
  promptId: string;
  agentId: string | null;
  onRemove: () => void;
}) {
  const workspace = useWorkspace();
  const prompts = useQuery({
    ...promptQueries.list(workspace.id, agentId ?? ''),
    enabled: agentId !== null,
  });
  const title = prompts.data?.find((prompt) => prompt.id === promptId)?.title ?? promptId;
  return (
    <Button onClick={onRemove} aria-label={`Prompt ${title}, remove this filter`}>
      Prompt {title}
      <X aria-hidden="true" />
    </Button>
  );
}

/** The filter as it stands in the address, and the ways to change it there. */
function useFilterAddress() {
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const [isPending, startTransition] = useTransition();
  const replace = (query: string) =>
    startTransition(() => router.replace(`${pathname}${query}`, { scroll: false }));
  return {
    params,
    isPending,
    change: (changes: Record<string, string | undefined>) => replace(changedQuery(params, changes)),
    clear: () => replace(''),
  };
}

function SearchBox({ initial, onSearch }: { initial: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(initial);
  const isChanged = text.trim() !== initial;
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = false;
    if (!isChanged) return undefined;
    const timer = setTimeout(() => {
      if (!isLeaving.current) onSearch(text.trim());
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only typing may start a search, not a new function
  }, [text, isChanged]);
  useEffect(() => {
    // Whoever has followed a link right after typing would be fetched back by the search.
    const leave = (event: MouseEvent) => {
      const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
      if (!opensElsewhere && event.target instanceof Element && event.target.closest('a[href]'))
        isLeaving.current = true;
    };
    document.addEventListener('click', leave);
    return () => document.removeEventListener('click', leave);
  }, []);
  return (
    <Input
      type="search"
      aria-label="Search conversations"
      placeholder="Search transcripts, numbers, tags…"
      icon={<Search />}
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
      className="w-full sm:w-72"
    />
  );
}
