import { CircleAlert } from 'lucide-react';
import { FactList } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import type { DeliveryDetail } from '#lib/features/webhooks/contract.ts';

/** What the receiver answered, or why nothing came. */
export function DeliveryAnswer({ delivery }: { delivery: DeliveryDetail }) {
  return (
    <div className="flex flex-col gap-3">
      {delivery.error ? (
        <Notice
          tone={delivery.status === 'unknown' ? 'warning' : 'danger'}
          icon={<CircleAlert aria-hidden="true" />}
        >
          {delivery.error}
        </Notice>
      ) : null}
      <FactList
        items={[
          {
            term: 'Status',
            value: <span className="figures">{delivery.responseStatus ?? 'no answer'}</span>,
          },
          {
            term: 'Time',
            value: (
              <span className="figures">
                {delivery.durationMs === null ? '–' : `${delivery.durationMs.toLocaleString('en-US')} ms`}
              </span>
            ),
          },
          {
            term: 'Address',
            value: <span className="font-mono text-xs">{delivery.resolvedIp ?? 'not resolved'}</span>,
          },
        ]}
      />
      {delivery.responseBody === null ? null : delivery.responseBody === '' ? (
        <p className="text-sm text-ink-subtle">The answer had no body.</p>
      ) : (
        <div className="flex flex-col gap-1.5">
          <CodeBlock code={delivery.responseBody} label="answer body" isWrapped />
          {delivery.responseTruncated ? (
            <p className="text-xs text-ink-subtle">Longer than the 64 KiB that are kept.</p>
          ) : null}
        </div>
      )}
    </div>
  );
}
