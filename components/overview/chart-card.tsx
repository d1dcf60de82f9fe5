'use client';

import { useState } from 'react';
import { ChartColumn, Table2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { Plot, type PlotPeriod, type Series } from './plot.tsx';

export type Chart = {
  title: string;
  description: string;
  kind: 'bars' | 'lines';
  series: readonly Series[];
  periods: readonly (PlotPeriod & { name: string })[];
  /** Of the whole range, by the key of a series. */
  totals: Record<string, number | null>;
  /** The list that a number of a series leads to, where it is another than that of the period. */
  hrefOf?: (key: string, index: number) => string;
  format: (value: number) => string;
  most?: number;
  /** Parts of a whole are added up in the table. */
  sumName?: string;
};

/** A chart with its numbers beside it: those of the range, or of the period under the pointer; or all of them as a table. */
export function ChartCard({ chart, rangeName }: { chart: Chart; rangeName: string }) {
  const [isTable, setIsTable] = useState(false);
  const [marked, setMarked] = useState<number | null>(null);
  const period = marked === null ? undefined : chart.periods[marked];
  const values = period?.values ?? chart.totals;
  return (
    <Card
      title={chart.title}
      description={chart.description}
      actions={
        <Button size="sm" variant="ghost" onClick={() => setIsTable(!isTable)}>
          {isTable ? <ChartColumn aria-hidden="true" /> : <Table2 aria-hidden="true" />}
          {isTable ? 'Chart' : 'Table'}
          <span className="sr-only">of {chart.title.toLowerCase()}</span>
        </Button>
      }
    >
      {isTable ? (
        <ChartTable chart={chart} />
      ) : (
        <div className="flex flex-col gap-3">
          <Legend chart={chart} values={values} name={period?.name ?? rangeName} />
          <Plot
            kind={chart.kind}
            label={summaryOf(chart, rangeName)}
            periods={chart.periods}
            series={chart.series}
            format={chart.format}
            marked={marked}
            onMark={setMarked}
            {...(chart.most === undefined ? {} : { most: chart.most })}
          />
        </div>
      )}
    </Card>
  );
}

function shownValue(chart: Chart, value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : chart.format(value);
}

function summaryOf(chart: Chart, rangeName: string): string {
  const parts = chart.series.map(({ key, label }) => `${label} ${shownValue(chart, chart.totals[key])}`);
  return `${chart.title}, ${rangeName}: ${parts.join(', ')}. The table has each period.`;
}

function Legend({
  chart,
  values,
  name,
}: {
  chart: Chart;
  values: Record<string, number | null>;
  name: string;
}) {
  return (
    <div className="flex min-h-5 flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
      <span className="font-medium text-ink">{name}</span>
      {chart.series.map(({ key, label, colour }) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <svg aria-hidden="true" width="8" height="8">
            <rect width="8" height="8" rx="2" fill={colour} />
          </svg>
          {label}
          <span className="figures text-ink">{shownValue(chart, values[key])}</span>
        </span>
      ))}
    </div>
  );
}

function ChartTable({ chart }: { chart: Chart }) {
  const { series, periods, sumName, hrefOf } = chart;
  return (
    <Table caption={chart.title} className="max-h-80 overflow-y-auto shadow-none">
      <TableHead>
        <TableHeader>Period</TableHeader>
        {series.map(({ key, label }) => (
          <TableHeader key={key} className="text-right">
            {label}
          </TableHeader>
        ))}
        {sumName ? <TableHeader className="text-right">{sumName}</TableHeader> : null}
      </TableHead>
      <TableBody>
        {periods.map((period, index) => (
          <TableRow key={period.href}>
            <th scope="row" className="h-9 border-b border-line px-4 text-left font-normal whitespace-nowrap">
              <Link href={period.href} className="rounded-sm text-accent-text hover:underline">
                {period.name}
              </Link>
            </th>
            {series.map(({ key }) => {
              const value = period.values[key];
              return (
                <TableCell key={key} className="figures h-9 text-right whitespace-nowrap">
                  {hrefOf && value ? (
                    <Link
                      href={hrefOf(key, index)}
                      className="rounded-sm hover:text-accent-text hover:underline"
                    >
                      {chart.format(value)}
                    </Link>
                  ) : (
                    shownValue(chart, value)
                  )}
                </TableCell>
              );
            })}
            {sumName ? (
              <TableCell className="figures h-9 text-right whitespace-nowrap">
                {chart.format(series.reduce((sum, { key }) => sum + (period.values[key] ?? 0), 0))}
              </TableCell>
            ) : null}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
