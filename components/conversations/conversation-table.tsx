'use client';

import { useSearchParams } from 'next/navigation';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { HighlightedText } from '#components/ui/highlighted-text.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import type { CallListItem } from '#lib/features/conversations/contract.ts';
import { DirectionIcon, OutcomeBadge, Phone, ReviewMark, SentimentMark, TagList } from './call-badges.tsx';
import { conversationPath } from './filter.ts';
import type { Chosen } from './use-chosen.ts';
import { callTitle, costLabel, durationLabel, durationWords, furtherTags } from './wording.ts';

type ConversationTableProps = {
  calls: readonly CallListItem[];
  /** What was searched for: marked where it was found. */
  words: readonly string[];
  /** null for those who may do nothing with several at once. */
  chosen: Chosen | null;
};

/** A table where there is room for one, a list of cards on a phone. */
export function ConversationTable({ calls, words, chosen }: ConversationTableProps) {
  return (
    <>
      <div className="hidden md:block">
        <WideTable calls={calls} words={words} chosen={chosen} />
      </div>
      <ul
        className="overflow-hidden rounded-lg border border-line bg-surface shadow-card md:hidden"
        aria-label="Conversations"
      >
        {calls.map((call) => (
          <ConversationCard key={call.id} call={call} words={words} chosen={chosen} />
        ))}
      </ul>
    </>
  );
}

function WideTable({ calls, words, chosen }: ConversationTableProps) {
  return (
    <Table caption="Conversations">
      <WideHead chosen={chosen} count={calls.length} />
      <TableBody>
        {calls.map((call) => (
          <TableRow key={call.id} className="relative" data-call={call.id}>
            {chosen ? (
              <TableCell className="w-px pr-0!">
                <Choose call={call} chosen={chosen} />
              </TableCell>
            ) : null}
            <TableCell className="text-ink-muted">
              <span className="whitespace-nowrap">
                <Moment iso={call.dateInitiated} />
              </span>
            </TableCell>
            <TableCell>
              <span className="flex items-center gap-2">
                <DirectionIcon direction={call.direction} channel={call.channel} />
                <CallLink call={call} />
              </span>
            </TableCell>
            <TableCell className="max-w-0">
              <Digest call={call} words={words} />
            </TableCell>
            <TableCell className="hidden max-w-40 truncate text-ink-muted wide:table-cell">
              {call.agentName}
            </TableCell>
            <TableCell className="whitespace-nowrap">
              <OutcomeBadge call={call} />
              <ReviewMark call={call} />
            </TableCell>
            <TableCell className="hidden lg:table-cell">
              <SentimentMark sentiment={call.sentiment} />
            </TableCell>
            <TableCell className="figures text-right whitespace-nowrap text-ink-muted">
              <Duration seconds={call.durationSeconds} />
            </TableCell>
            <TableCell className="figures hidden text-right whitespace-nowrap text-ink-muted wide:table-cell">
              {costLabel(call.cost)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function WideHead({ chosen, count }: { chosen: Chosen | null; count: number }) {
  return (
    <TableHead>
      {chosen ? (
        <TableHeader className="w-px pr-0!">
          <ChooseAll chosen={chosen} count={count} />
        </TableHeader>
      ) : null}
      <TableHeader>Date</TableHeader>
      <TableHeader>Person</TableHeader>
      <TableHeader className="w-full">Summary</TableHeader>
      <TableHeader className="hidden wide:table-cell">Agent</TableHeader>
      <TableHeader>Outcome</TableHeader>
      <TableHeader className="hidden lg:table-cell">Sentiment</TableHeader>
      <TableHeader className="text-right">Duration</TableHeader>
      <TableHeader className="hidden text-right wide:table-cell">Cost</TableHeader>
    </TableHead>
  );
}

function ChooseAll({ chosen, count }: { chosen: Chosen; count: number }) {
  const isAll = chosen.ids.length === count;
  return (
    <Checkbox
      aria-label="Choose all on this page"
      checked={isAll ? true : chosen.ids.length > 0 ? 'indeterminate' : false}
      onCheckedChange={chosen.toggleAll}
    />
  );
}

/** Above the link that covers the row. */
function Choose({ call, chosen }: { call: CallListItem; chosen: Chosen }) {
  return (
    <span className="relative z-10 flex items-center">
      <Checkbox
        aria-label={`Choose ${callTitle(call)}`}
        checked={chosen.isChosen(call.id)}
        disabled={call.status !== 'ended'}
        onCheckedChange={() => chosen.toggle(call.id)}
      />
    </span>
  );
}

type FoundProps = { call: CallListItem; words: readonly string[] };

function Digest({ call, words }: FoundProps) {
  const tags = furtherTags(call);
  return (
    <div className="flex min-w-0 items-center gap-3">
      <div className="min-w-0">
        <p
          className={classNames('truncate', call.summary === null ? 'text-ink-subtle' : 'text-ink')}
          title={digestOf(call)}
        >
          <HighlightedText text={digestOf(call)} words={words} matching="anywhere" />
        </p>
        {call.excerpt === null ? null : (
          <p className="truncate text-xs text-ink-muted">
            <HighlightedText text={call.excerpt} words={words} matching="anywhere" />
          </p>
        )}
      </div>
      {tags.length > 0 ? (
        <span className="shrink-0">
          <TagList tags={tags} max={1} />
        </span>
      ) : null}
    </div>
  );
}

function digestOf(call: CallListItem): string {
  return call.summary ?? call.endReason ?? 'No summary';
}

/** The row's one link; it covers the whole row for the pointer. */
function CallLink({ call }: { call: CallListItem }) {
  const workspace = useWorkspace();
  return (
    <Link
      href={conversationPath(workspace.id, call.id, useSearchParams())}
      className="rounded-sm font-medium text-ink after:absolute after:inset-0 group-hover:underline"
    >
      {call.channel === 'chat' ? 'Visitor' : <Phone number={call.humanPhoneNumber} />}
    </Link>
  );
}

function Duration({ seconds }: { seconds: number }) {
  return (
    <>
      <span aria-hidden="true">{durationLabel(seconds)}</span>
      <span className="sr-only">{durationWords(seconds)}</span>
    </>
  );
}

function ConversationCard({ call, words, chosen }: FoundProps & { chosen: Chosen | null }) {
  return (
    <li
      data-call={call.id}
      className="group relative border-b border-line px-4 py-3 last:border-b-0 active:bg-hover"
    >
      <div className="flex items-center gap-2">
        {chosen ? <Choose call={call} chosen={chosen} /> : null}
        <DirectionIcon direction={call.direction} channel={call.channel} />
        <CallLink call={call} />
        <span className="ml-auto text-xs whitespace-nowrap text-ink-subtle">
          <Moment iso={call.dateInitiated} />
        </span>
      </div>
      <p className="mt-1 line-clamp-2 text-sm text-pretty text-ink-muted">
        <HighlightedText text={digestOf(call)} words={words} matching="anywhere" />
      </p>
      {call.excerpt === null ? null : (
        <p className="mt-1 line-clamp-2 text-xs text-ink-muted">
          <HighlightedText text={call.excerpt} words={words} matching="anywhere" />
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-ink-subtle">
        <OutcomeBadge call={call} />
        <ReviewMark call={call} />
        {call.sentiment && call.sentiment !== 'N_A' ? <SentimentMark sentiment={call.sentiment} /> : null}
        <span className="figures">
          <Duration seconds={call.durationSeconds} />
        </span>
        <span className="min-w-0 truncate">{call.agentName}</span>
      </div>
    </li>
  );
}
