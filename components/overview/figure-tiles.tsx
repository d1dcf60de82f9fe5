import { ArrowDown, ArrowUp, Minus } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import type { Overview, OverviewFigures } from '#lib/features/overview/contract.ts';
import {
  answerRate,
  type Change,
  changeOf,
  changeOfShare,
  countText,
  minutesText,
  moneyText,
  secondsText,
  shareText,
} from './wording.ts';
import type { ListFilter } from './range.ts';

type Tile = {
  label: string;
  value: string;
  detail: string;
  change: Change | null;
  list: ListFilter;
};

function tilesOf(current: OverviewFigures, before: OverviewFigures): Tile[] {
  const changed = (numberOf: (figures: OverviewFigures) => number) =>
    changeOf(numberOf(current), numberOf(before));
  return [
    {
      label: 'Calls',
      value: countText(current.calls),
      detail: `${countText(current.outbound)} placed, ${countText(current.calls - current.outbound)} received`,
      change: changed((figures) => figures.calls),
      list: { channel: 'call' },
    },
    {
      label: 'Minutes',
      value: minutesText(current.minutes),
      detail: current.calls === 0 ? 'of calls' : `${minutesText(current.minutes / current.calls)} a call`,
      change: changed((figures) => figures.minutes),
      list: { channel: 'call' },
    },
    {
      label: 'Cost',
      value: moneyText(current.cost),
      detail: 'of calls and chats',
      change: changed((figures) => figures.cost),
      list: {},
    },
    {
      label: 'Answer rate',
      value: shareText(answerRate(current)),
      detail: `${countText(current.reached)} of ${countText(current.outbound)} answered by a person`,
      change: changeOfShare(answerRate(current), answerRate(before)),
      list: { channel: 'call', direction: 'OUTBOUND' },
    },
    {
      label: 'Time to answer',
      value: secondsText(current.answerTime?.medianMs ?? null),
      detail: current.answerTime
        ? `95 of 100 within ${secondsText(current.answerTime.slowestMs)}`
        : 'no answer was measured',
      change: changeOf(current.answerTime?.medianMs ?? null, before.answerTime?.medianMs ?? null),
      list: { channel: 'call' },
    },
    {
      label: 'Chats',
      value: countText(current.chats),
      detail: 'on websites and over the API',
      change: changed((figures) => figures.chats),
      list: { channel: 'chat' },
    },
  ];
}

/** The numbers of the range, each with how it stands to the period before, and each a link to what it counts. */
export function FigureTiles({
  totals,
  hrefOf,
}: {
  totals: Overview['totals'];
  hrefOf: (filter: ListFilter) => string;
}) {
  return (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6" aria-label="Figures of the range">
      {tilesOf(totals.current, totals.before).map((tile) => (
        <li key={tile.label} className="min-w-0">
          <Link
            href={hrefOf(tile.list)}
            className="flex h-full flex-col rounded-lg border border-line bg-surface px-4 py-3 shadow-card transition-colors hover:bg-hover/60"
          >
            <span className="text-sm text-ink-subtle">{tile.label}</span>
            <span className="figures mt-0.5 text-xl font-semibold tracking-tight text-ink">{tile.value}</span>
            <ChangeMark change={tile.change} />
            <span className="mt-0.5 text-xs text-pretty text-ink-subtle">{tile.detail}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const ICONS = { up: ArrowUp, down: ArrowDown, same: Minus };

/** More is not better and less not worse, so it has no colour. */
export function ChangeMark({ change }: { change: Change | null }) {
  if (!change) return <span className="figures mt-0.5 text-xs text-ink-subtle">–</span>;
  const Icon = ICONS[change.direction];
  return (
    <span className="figures relative mt-0.5 inline-flex items-center gap-1 text-xs text-ink-muted">
      <Icon aria-hidden="true" className="size-3 shrink-0" />
      <span aria-hidden="true">{change.short}</span>
      <span className="sr-only">{change.words}</span>
    </span>
  );
}
