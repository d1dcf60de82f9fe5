'use client';

import type { ReactNode } from 'react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { type ListFilter, listPath } from '#components/overview/range.ts';
import { countText, moneyText, secondsText, shareText } from '#components/overview/wording.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Link } from '#components/ui/link.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { versionName } from '#components/versions/wording.ts';
import type { SplitRate, SplitResults as Results } from '#lib/features/publishing/splits/contract.ts';
import { differenceText, durationText, proportionDetail, rateLabel, verdictText } from './wording.ts';

type Version = Results['versions'][number];
type Cell = { value: string; detail: string; list?: ListFilter };
type Row = { key: string; label: string; of: string; cells: Cell[]; difference: string };

const PARTS = { shared: 'Second version', published: 'Published', earlier: 'Published earlier' };

/** What the conversations of each version came to, side by side; each number leads to the conversations that it counts. */
export function SplitResults({ results }: { results: Results }) {
  const [shared, published] = results.versions;
  return (
    <div className="flex flex-col gap-2">
      <Table caption="Results of the versions" className="rounded-none border-x-0 shadow-none">
        <TableHead>
          <TableHeader className="py-1.5 align-bottom">Since it began</TableHeader>
          {results.versions.map((version) => (
            <TableHeader key={version.id} className="py-1.5 text-right align-bottom">
              <span className="block text-sm text-ink">{versionName(version)}</span>
              <Badge tone={version.part === 'shared' ? 'accent' : 'neutral'}>{PARTS[version.part]}</Badge>
            </TableHeader>
          ))}
          <TableHeader className="hidden py-1.5 align-bottom sm:table-cell">Difference</TableHeader>
        </TableHead>
        <TableBody>
          {rowsOf(results).map((row) => (
            <TableRow key={row.key}>
              <th
                scope="row"
                className="border-b border-line py-2 pr-2 pl-4 text-left font-medium sm:min-w-32 sm:pr-4"
              >
                {row.label}
                <span className="block text-xs font-normal text-ink-subtle">{row.of}</span>
                {row.difference === '–' ? null : (
                  <span className="figures block text-xs font-normal text-ink-muted sm:hidden">
                    {row.difference}
                  </span>
                )}
              </th>
              {row.cells.map((cell, index) => (
                <TableCell key={results.versions[index]?.id} className="figures text-right sm:min-w-28">
                  <Value cell={cell} version={results.versions[index]} results={results} />
                </TableCell>
              ))}
              <TableCell className="figures hidden min-w-44 text-ink-muted sm:table-cell">
                {row.difference}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <p className="px-4 py-2 text-xs text-pretty text-ink-subtle sm:px-5">
        Tests are left out. Behind each share stands in what bounds it lies for 95 of 100 samples like this.
        {shared && published
          ? ` The difference is that of ${versionName(shared).toLowerCase()} from ${versionName(published).toLowerCase()}; of twenty rows, one may show one by chance.`
          : ''}
      </p>
    </div>
  );
}

function Value({
  cell,
  version,
  results,
}: {
  cell: Cell;
  version: Version | undefined;
  results: Results;
}): ReactNode {
  const { id: workspaceId } = useWorkspace();
  const span = { startsAt: results.startedAt, endsAt: results.endedAt };
  return (
    <>
      {cell.list && version ? (
        <Link
          href={listPath(workspaceId, span, {
            ...cell.list,
            agentId: results.agentId,
            versionId: version.id,
          })}
          className="rounded-sm text-ink hover:text-accent-text hover:underline"
        >
          {cell.value}
        </Link>
      ) : (
        cell.value
      )}
      <span className="block text-xs text-ink-subtle">{cell.detail}</span>
    </>
  );
}

function rowsOf({ versions, rates, durationVerdict }: Results): Row[] {
  const first: Row = {
    key: 'conversations',
    label: 'Conversations',
    of: 'and their share of all',
    cells: versions.map(({ conversations, share }) => ({
      value: countText(conversations),
      detail: shareText(share),
      list: {},
    })),
    difference: '–',
  };
  return [first, ...rates.map(rateRow), durationRow(versions, durationVerdict), ...timeAndCost(versions)];
}

function rateRow(rate: SplitRate): Row {
  const list = listOf(rate);
  return {
    key: Object.values(rate.what).join(' '),
    ...rateLabel(rate),
    cells: rate.values.map((each) => ({
      value: each.of === 0 ? '–' : shareText(each.count / each.of),
      detail: each.of === 0 ? 'none' : proportionDetail(each),
      ...(each.of === 0 ? {} : { list }),
    })),
    difference: differenceText(rate.difference),
  };
}

/** The conversations that a share counts; of those answered by a person, the ones that it is a share of. */
function listOf({ what }: SplitRate): ListFilter {
  if (what.kind === 'reached') return { channel: 'call', direction: 'OUTBOUND' };
  if (what.kind === 'outcome') return { channel: 'call', disposition: what.outcome };
  if (what.kind === 'sentiment') return { channel: 'call', sentiment: what.sentiment };
  const { name, type } = what;
  return { result: type === 'yes_no' ? `${name}:yes_no:equals:yes` : `${name}:${type}:filled` };
}

function durationRow(versions: readonly Version[], verdict: Results['durationVerdict']): Row {
  return {
    key: 'duration',
    label: 'Median duration',
    of: 'of calls that connected',
    cells: versions.map(({ duration }) =>
      duration
        ? {
            value: durationText(duration.medianSeconds),
            detail: `${countText(duration.count)} calls, ${durationText(duration.interval.low)} to ${durationText(duration.interval.high)}`,
            list: { channel: 'call' },
          }
        : { value: '–', detail: 'none' },
    ),
    difference: verdictText(verdict),
  };
}

function timeAndCost(versions: readonly Version[]): Row[] {
  return [
    {
      key: 'answer time',
      label: 'Time to answer',
      of: "from a person's last sound to the agent's first",
      cells: versions.map(({ answerTime }) => ({
        value: secondsText(answerTime?.medianMs ?? null),
        detail: answerTime
          ? `${countText(answerTime.count)} answers, 95 of 100 within ${secondsText(answerTime.slowestMs)}`
          : 'none measured',
        ...(answerTime ? { list: { channel: 'call' } } : {}),
      })),
      difference: '–',
    },
    {
      key: 'cost',
      label: 'Cost',
      of: 'of a conversation, on average',
      cells: versions.map(({ costPerConversation, conversations }) => ({
        value: costPerConversation === null ? '–' : moneyText(costPerConversation),
        detail: `${countText(conversations)} conversations`,
      })),
      difference: '–',
    },
  ];
}
