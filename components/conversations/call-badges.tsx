import {
  ArrowDownLeft,
  ArrowUpRight,
  CircleCheck,
  CircleUser,
  Frown,
  MessageSquare,
  Meh,
  Minus,
  Smile,
} from 'lucide-react';
import { Badge, StatusDot } from '#components/ui/badge.tsx';
import { classNames } from '#components/ui/class-names.ts';
import type { CallListItem } from '#lib/features/conversations/contract.ts';
import { formatPhoneNumber, WEB_CALLER, WITHHELD_NUMBER } from '#lib/phone-number.ts';
import { useNow } from './use-now.ts';
import { DISPOSITION_WORDS, SENTIMENT_WORDS, STATUS_WORDS, statusLabel, tagLabel } from './wording.ts';

/** How a call ended, or where it stands, and whether it was a test. */
export function OutcomeBadge({
  call,
}: {
  call: Pick<CallListItem, 'status' | 'disposition' | 'endedBy' | 'isTest' | 'waitsUntil'>;
}) {
  return (
    <span className="inline-flex items-center gap-1">
      <Outcome call={call} />
      {call.isTest ? <Badge>Test</Badge> : null}
    </span>
  );
}

function Outcome({
  call,
}: {
  call: Pick<CallListItem, 'status' | 'disposition' | 'endedBy' | 'waitsUntil'>;
}) {
  const nowMs = useNow(call.status === 'queued');
  if (call.status !== 'ended') {
    const words = STATUS_WORDS[call.status];
    return (
      <Badge tone={words.tone}>
        <StatusDot tone={words.tone} isLive>
          {nowMs === null ? words.label : statusLabel(call, new Date(nowMs))}
        </StatusDot>
      </Badge>
    );
  }
  if (!call.disposition) return <Badge>{STATUS_WORDS.ended.label}</Badge>;
  // The person gave nothing up: somebody of the workspace hung up.
  if ((call.disposition === 'ABANDONED' || call.disposition === 'FAILED') && call.endedBy === 'staff')
    return <Badge>Ended by us</Badge>;
  const words = DISPOSITION_WORDS[call.disposition];
  return <Badge tone={words.tone}>{words.label}</Badge>;
}

/** Whether it was reviewed, or else by whom it should be; nothing for most. */
export function ReviewMark({ call }: { call: Pick<CallListItem, 'isReviewed' | 'assignee'> }) {
  if (!call.isReviewed && call.assignee === null) return null;
  const label = call.isReviewed ? 'Reviewed' : `Assigned to ${call.assignee}`;
  const Icon = call.isReviewed ? CircleCheck : CircleUser;
  return (
    <span title={label} className="ml-1 inline-flex align-middle text-ink-subtle">
      <Icon
        aria-hidden="true"
        className={classNames('size-4 shrink-0', call.isReviewed && 'text-success-text')}
      />
      <span className="sr-only">{label}</span>
    </span>
  );
}

const SENTIMENT_ICONS = { POSITIVE: Smile, NEUTRAL: Meh, NEGATIVE: Frown, N_A: Minus };
const SENTIMENT_COLOURS = {
  POSITIVE: 'text-success-text',
  NEUTRAL: 'text-ink-subtle',
  NEGATIVE: 'text-danger-text',
  N_A: 'text-ink-subtle',
};

export function SentimentMark({ sentiment }: { sentiment: CallListItem['sentiment'] }) {
  const known = sentiment ?? 'N_A';
  const Icon = SENTIMENT_ICONS[known];
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap text-ink-muted">
      <Icon aria-hidden="true" className={classNames('size-4 shrink-0', SENTIMENT_COLOURS[known])} />
      {SENTIMENT_WORDS[known].label}
    </span>
  );
}

export function DirectionIcon({
  direction,
  channel,
  className,
}: {
  direction: CallListItem['direction'];
  channel?: CallListItem['channel'];
  className?: string;
}) {
  const isChat = channel === 'chat';
  const Icon = isChat ? MessageSquare : direction === 'INBOUND' ? ArrowDownLeft : ArrowUpRight;
  const label = isChat ? 'Chat' : direction === 'INBOUND' ? 'Inbound' : 'Outbound';
  return (
    <span title={label} className={classNames('inline-flex shrink-0 text-ink-subtle', className)}>
      <Icon aria-hidden="true" className="size-4" />
      <span className="sr-only">{label}</span>
    </span>
  );
}

export function Phone({ number }: { number: string }) {
  if (number === WEB_CALLER) return <span className="whitespace-nowrap">Browser</span>;
  if (number === WITHHELD_NUMBER) return <span className="whitespace-nowrap">Number withheld</span>;
  return <span className="figures whitespace-nowrap">{formatPhoneNumber(number)}</span>;
}

/** At most `max` tags, and how many more there are. */
export function TagList({ tags, max = Infinity }: { tags: readonly string[]; max?: number }) {
  const hidden = tags.slice(max);
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-1" aria-label="Tags">
      {tags.slice(0, max).map((tag) => (
        <li key={tag} className="min-w-0">
          <Badge>{tagLabel(tag)}</Badge>
        </li>
      ))}
      {hidden.length > 0 ? (
        <li className="text-xs text-ink-subtle" title={hidden.map(tagLabel).join(', ')}>
          +{hidden.length}
          <span className="sr-only"> more: {hidden.map(tagLabel).join(', ')}</span>
        </li>
      ) : null}
    </ul>
  );
}
