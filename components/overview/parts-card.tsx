import type { ReactNode } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import type { OverviewFigures } from '#lib/features/overview/contract.ts';
import { ChangeMark } from './figure-tiles.tsx';
import type { ListFilter } from './range.ts';
import {
  answerRate,
  type Change,
  changeOf,
  changeOfShare,
  countText,
  minutesText,
  moneyText,
  positiveShare,
  secondsText,
  shareText,
} from './wording.ts';

export type Part = {
  id: string;
  name: string;
  href: string | null;
  note: string | null;
  isDeleted: boolean;
  current: OverviewFigures;
  before: OverviewFigures;
  /** What its conversations have in common. */
  list: ListFilter;
};

type Column = {
  label: string;
  valueOf: (figures: OverviewFigures) => number | null;
  format: (value: number | null) => string;
  change: (current: number | null, before: number | null) => Change | null;
  list: ListFilter;
};

const counted =
  (format: (value: number) => string) =>
  (value: number | null): string =>
    format(value ?? 0);

const COLUMNS: Column[] = [
  {
    label: 'Calls',
    valueOf: ({ calls }) => calls,
    format: counted(countText),
    change: changeOf,
    list: { channel: 'call' },
  },
  {
    label: 'Minutes',
    valueOf: ({ minutes }) => minutes,
    format: counted(minutesText),
    change: changeOf,
    list: { channel: 'call' },
  },
  { label: 'Cost', valueOf: ({ cost }) => cost, format: counted(moneyText), change: changeOf, list: {} },
  {
    label: 'Answer rate',
    valueOf: answerRate,
    format: shareText,
    change: changeOfShare,
    list: { channel: 'call', direction: 'OUTBOUND' },
  },
  {
    label: 'Positive',
    valueOf: positiveShare,
    format: shareText,
    change: changeOfShare,
    list: { channel: 'call', sentiment: 'POSITIVE' },
  },
  {
    label: 'Time to answer',
    valueOf: ({ answerTime }) => answerTime?.medianMs ?? null,
    format: secondsText,
    change: changeOf,
    list: { channel: 'call' },
  },
];

/** Agents or prompts beside each other: each number, how it stands to the period before, and the list it counts. */
export function PartsCard({
  title,
  description,
  noun,
  parts,
  hrefOf,
}: {
  title: string;
  description: string;
  noun: string;
  parts: readonly Part[];
  hrefOf: (filter: ListFilter) => string;
}) {
  return (
    <Card title={title} description={description} isFlush>
      <Table caption={title} className="rounded-none border-0 shadow-none">
        <TableHead>
          <TableHeader>{noun}</TableHeader>
          {COLUMNS.map(({ label }) => (
            <TableHeader key={label} className="text-right">
              {label}
            </TableHeader>
          ))}
        </TableHead>
        <TableBody>
          {parts.map((part) => (
            <TableRow key={part.id}>
              <th scope="row" className="min-w-40 border-b border-line px-4 py-2 text-left font-medium">
                <PartName part={part} />
                {part.note ? (
                  <span className="block text-xs font-normal text-ink-subtle">{part.note}</span>
                ) : null}
              </th>
              {COLUMNS.map((column) => (
                <TableCell key={column.label} className="figures text-right whitespace-nowrap">
                  <PartNumber part={part} column={column} href={hrefOf({ ...part.list, ...column.list })} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}

function PartName({ part: { name, href, isDeleted } }: { part: Part }): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {href ? (
        <Link href={href} className="rounded-sm hover:text-accent-text hover:underline">
          {name}
        </Link>
      ) : (
        name
      )}
      {isDeleted ? <Badge>Deleted</Badge> : null}
    </span>
  );
}

function PartNumber({ part, column, href }: { part: Part; column: Column; href: string }) {
  const [current, before] = [column.valueOf(part.current), column.valueOf(part.before)];
  return (
    <span className="flex flex-col items-end">
      {current === null ? (
        column.format(current)
      ) : (
        <Link href={href} className="rounded-sm hover:text-accent-text hover:underline">
          {column.format(current)}
        </Link>
      )}
      <ChangeMark change={column.change(current, before)} />
    </span>
  );
}
