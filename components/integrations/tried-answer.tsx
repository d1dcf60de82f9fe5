import { Badge } from '#components/ui/badge.tsx';
import { FactList } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import type { TriedUse } from '#lib/features/integrations/contract.ts';

/** What went out, what came back, and what of it the agent learns. */
export function TriedAnswer({ use }: { use: TriedUse }) {
  const isOk = use.heard['ok'] === true;
  return (
    <div className="flex flex-col gap-4" data-testid="tried-use">
      <FactList
        items={[
          {
            term: 'Result',
            value: <Badge tone={isOk ? 'success' : 'danger'}>{isOk ? 'Worked' : 'Failed'}</Badge>,
          },
          ...(use.status === null && (use.request || isOk) ? [] : [status(use)]),
          {
            term: 'Time',
            value: <span className="figures">{use.durationMs.toLocaleString('en-US')} ms</span>,
          },
        ]}
      />
      <Part title="What the agent learns" code={JSON.stringify(use.heard, null, 2)} label="result" />
      {use.request ? (
        <Part title="Request, without its secrets" code={requestText(use.request)} label="request" />
      ) : null}
      {use.answer ? <Part title="Answer" code={use.answer} label="answer" /> : null}
    </div>
  );
}

/** There are protocols without a status; what failed is told by what the agent learns. */
function status(use: TriedUse) {
  return { term: 'Status', value: <span className="figures">{use.status ?? 'not sent'}</span> };
}

function Part({ title, code, label }: { title: string; code: string; label: string }) {
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-medium text-ink">{title}</h3>
      <CodeBlock code={code} label={label} isWrapped />
    </div>
  );
}

function requestText({ method, url, headers, body }: NonNullable<TriedUse['request']>): string {
  const lines = headers.map(({ name, value }) => `${name}: ${value}`);
  return [`${method} ${url}`, ...lines, ...(body === '' ? [] : ['', body])].join('\n');
}
