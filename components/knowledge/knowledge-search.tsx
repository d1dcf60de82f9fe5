'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { CircleAlert, Search } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Card } from '#components/ui/card.tsx';
import { EmptyState, Notice } from '#components/ui/empty-state.tsx';
import { Input } from '#components/ui/input.tsx';
import { Link } from '#components/ui/link.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { searchKnowledge } from '#lib/features/knowledge/dashboard/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import type { DataOf } from '#lib/http/client.ts';
import { countOf } from './count-of.ts';
import { HighlightedText } from '#components/ui/highlighted-text.tsx';
import { excerptOf, tightened } from '#components/ui/word-highlights.ts';

type SearchAnswer = DataOf<typeof searchKnowledge>;
type Hit = SearchAnswer['hits'][number];

type KnowledgeSearchProps = { title: string; description: string } & (
  | { agentId: string; knowledgeBaseId?: undefined }
  | { knowledgeBaseId: string; agentId?: undefined }
);

/** The search the agent's tool uses, with the reasons for its order. */
export function KnowledgeSearch({ title, description, agentId, knowledgeBaseId }: KnowledgeSearchProps) {
  const { id: workspaceId } = useWorkspace();
  const [draft, setDraft] = useState('');
  const [query, setQuery] = useState('');
  const { data, error, isFetching } = useQuery(
    knowledgeQueries.search(workspaceId, { query, agentId, knowledgeBaseId }),
  );
  return (
    <Card title={title} description={description}>
      <search>
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            setQuery(draft.trim());
          }}
        >
          <Input
            type="search"
            aria-label="Question"
            placeholder="What does a cleaning cost?"
            icon={<Search />}
            className="min-w-0 flex-1"
            maxLength={2000}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
          <Button
            type="submit"
            variant="primary"
            disabled={draft.trim() === ''}
            isBusy={isFetching && query !== ''}
          >
            Search
          </Button>
        </form>
      </search>
      {/* Only this line is read out; whole results would be a wall of words. */}
      <output className={classNames('figures block text-xs text-ink-subtle', data && 'mt-4 mb-3')}>
        {query !== '' && data && !error ? summaryOf(data) : ''}
      </output>
      <div className={query === '' || data ? '' : 'mt-4'} aria-busy={isFetching && query !== ''}>
        {query === '' ? null : error ? (
          <Notice tone="danger" icon={<CircleAlert aria-hidden="true" />} title="The search failed">
            {describeFailure(error)}
          </Notice>
        ) : data ? (
          <SearchResults answer={data} />
        ) : (
          <div className="flex flex-col gap-3">
            <Skeleton className="h-24" />
            <Skeleton className="h-24" />
          </div>
        )}
      </div>
    </Card>
  );
}

const PLANS: Record<SearchAnswer['plan'], string> = {
  empty: 'there is nothing to search yet',
  exact: 'compared with every chunk',
  hamming: 'narrowed down by bits, then compared exactly',
};

function summaryOf(answer: SearchAnswer): string {
  const searched = `${countOf(answer.searchedChunks, 'chunk')} in ${answer.durationMs.toFixed(0)} ms`;
  return `${countOf(answer.hits.length, 'result')} among ${searched}, ${PLANS[answer.plan]}`;
}

function SearchResults({ answer }: { answer: SearchAnswer }) {
  if (answer.hits.length === 0) {
    return (
      <EmptyState
        isBare
        icon={<Search />}
        title="Nothing found"
        description="Upload a document first, or attach a knowledge base that has some."
      />
    );
  }
  return (
    <ol className="flex flex-col gap-3">
      {answer.hits.map((hit, index) => (
        <SearchHit key={hit.chunkId} hit={hit} place={index + 1} />
      ))}
    </ol>
  );
}

/** What six lines hold at the width of a phone; a longer text is cut and can be opened. */
const SHORT_TEXT = 300;

function SearchHit({ hit, place }: { hit: Hit; place: number }) {
  const { id: workspaceId } = useWorkspace();
  const [isWhole, setIsWhole] = useState(false);
  const textId = useId();
  const excerpt = excerptOf(hit.text, hit.why.matchedWords);
  const document = workspacePath(
    workspaceId,
    `knowledge/${encodeURIComponent(hit.knowledgeBaseId)}/documents/${encodeURIComponent(hit.documentId)}`,
  );
  return (
    <li className="rounded-lg border border-line px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span className="figures font-semibold text-ink">{place}</span>
        <Link
          href={document}
          className="min-w-0 truncate rounded-sm font-medium text-ink hover:text-accent-text hover:underline"
        >
          {hit.documentName}
        </Link>
        {hit.location ? <span className="min-w-0 wrap-anywhere text-ink-subtle">{hit.location}</span> : null}
      </div>
      <p
        id={textId}
        className={classNames(
          'mt-1.5 text-sm wrap-anywhere whitespace-pre-line text-ink-muted',
          !isWhole && 'line-clamp-6',
        )}
      >
        <HighlightedText text={isWhole ? hit.text : excerpt} words={hit.why.matchedWords} />
      </p>
      {excerpt.length > SHORT_TEXT || excerpt !== tightened(hit.text) ? (
        <Button
          size="sm"
          variant="ghost"
          className="mt-1 -ml-2.5"
          aria-expanded={isWhole}
          aria-controls={textId}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show the whole chunk'}
        </Button>
      ) : null}
      <dl className="figures mt-2.5 flex flex-wrap gap-1.5">
        <Reason term="Similarity" value={hit.score.toFixed(3)} />
        <Reason term="By vector" value={hit.why.vector ? `#${hit.why.vector.rank}` : 'not among the best'} />
        <Reason term="By words" value={hit.why.fullText ? `#${hit.why.fullText.rank}` : 'no match'} />
        <Reason term="Both together" value={hit.why.fusedScore.toFixed(4)} />
      </dl>
    </li>
  );
}

function Reason({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex">
      <dt className="sr-only">{term}</dt>
      <dd>
        <Badge>
          <span aria-hidden="true" className="text-ink-subtle">{`${term} `}</span>
          {value}
        </Badge>
      </dd>
    </div>
  );
}
