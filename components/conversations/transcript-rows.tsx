import { CircleAlert, Wrench } from 'lucide-react';
import type { CallDetail, CallEvent } from '#lib/features/conversations/contract.ts';
import { eventFacts, eventLabel } from './event-wording.ts';
import { durationLabel, tagLabel } from './wording.ts';

/** A row: the time at the left, and what belongs to it. */
export const ROW = 'relative mt-0.5 rounded-md py-1.5 pr-2 pl-17';
/** Where the time of a row stands. */
export const ROW_TIME = 'figures absolute left-2 text-xs text-ink-subtle';

export function ToolRow({ use }: { use: CallDetail['toolUses'][number] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list around it
    <div role="listitem" className={ROW}>
      <span className={`${ROW_TIME} flex h-7 items-center`}>{durationLabel(use.startedMs / 1000)}</span>
      <details className="group/tool min-w-0 rounded-md border border-line bg-sunken/60">
        <summary className="focus-inset flex h-7 items-center gap-2 rounded-md px-2.5 text-sm text-ink-muted marker:content-none">
          <Wrench aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="font-medium">{tagLabel(use.name)}</span>
          <span className="figures ml-auto text-xs text-ink-subtle">
            {Math.max(0, Math.round(use.endedMs - use.startedMs))} ms
          </span>
          <span
            aria-hidden="true"
            className="text-xs text-ink-subtle transition-transform group-open/tool:rotate-90"
          >
            ›
          </span>
        </summary>
        <div className="flex flex-col gap-2 border-t border-line px-2.5 py-2">
          <JsonPart title="Arguments" value={use.arguments} />
          <JsonPart title="Result" value={use.result} />
        </div>
      </details>
    </div>
  );
}

function JsonPart({ title, value }: { title: string; value: Record<string, unknown> }) {
  return (
    <div className="min-w-0">
      <p className="text-xs font-medium text-ink-subtle">{title}</p>
      <pre className="max-h-64 overflow-auto font-mono text-xs wrap-anywhere whitespace-pre-wrap text-ink">
        {Object.keys(value).length === 0 ? 'none' : JSON.stringify(value, null, 2)}
      </pre>
    </div>
  );
}

/** Something that went wrong, or that a person ordered, where it happened. */
export function EventRow({ event }: { event: CallEvent }) {
  const facts = eventFacts(event);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list around it
    <div role="listitem" className={ROW}>
      <p className="flex min-w-0 items-start gap-2 rounded-md border border-line bg-sunken/60 px-2.5 py-1.5 text-sm text-ink-muted">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-warning-text" />
        <span className="min-w-0 wrap-anywhere">
          <span className="font-medium text-ink">{eventLabel(event)}</span>
          {facts.length > 0 ? <span> · {facts.join(' · ')}</span> : null}
        </span>
      </p>
    </div>
  );
}
