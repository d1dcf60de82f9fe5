'use client';

import { Card } from '#components/ui/card.tsx';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { resultLabel, turnAnchor } from './result-wording.ts';

type Result = NonNullable<CallDetail['results']>[number];

/** What the conversation yielded; the words that a value rests on lead to their turn. */
export function ResultsCard({ results }: { results: CallDetail['results'] }) {
  if (!results || results.length === 0) return null;
  const known = results.filter(({ value }) => value !== null).length;
  return (
    <Card
      title="Results"
      actions={
        <span className="text-sm text-ink-subtle">
          {known} of {results.length}
        </span>
      }
    >
      <dl className="flex flex-col gap-3">
        {results.map((result) => (
          <ResultEntry key={result.name} result={result} />
        ))}
      </dl>
    </Card>
  );
}

function ResultEntry({ result }: { result: Result }) {
  const { name, question, value, quotes, dropped } = result;
  return (
    <div className="min-w-0 text-sm">
      <dt className="font-mono text-xs break-all text-ink-subtle" title={question}>
        {name}
      </dt>
      <dd className="min-w-0">
        {value === null ? (
          <p className="text-pretty text-ink-subtle">{dropped ?? 'Not said'}</p>
        ) : (
          <p className="text-base wrap-anywhere text-ink">{resultLabel(value)}</p>
        )}
        {quotes.map(({ seq, speaker, text }) => (
          <a
            key={`${seq} ${text}`}
            href={`#${turnAnchor(seq)}`}
            className="block rounded-sm text-ink-subtle underline decoration-line-strong underline-offset-2 hover:text-accent-text"
          >
            <span className="sr-only">{speaker === 'agent' ? 'Agent: ' : 'Human: '}</span>“{text}”
          </a>
        ))}
      </dd>
    </div>
  );
}
