'use client';

import { useState } from 'react';
import { CalendarDays } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Popover } from '#components/ui/tooltip.tsx';
import { useTimeZone } from '#components/ui/time-zone.tsx';
import { dateFormat } from '#lib/date-format.ts';
import { daysAgo, endOfDay, startOfDay, toDay } from './days.ts';

/** Unix milliseconds as text, as they stand in the address; '' = open end. */
type DateRange = { start: string; end: string };

const PRESETS = [
  { label: 'Today', days: 1 },
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
  { label: 'Last 90 days', days: 90 },
];

/** Days are the workspace's, as everywhere; the address holds exact moments. */
export function DateRangeFilter({
  start,
  end,
  onChange,
}: DateRange & { onChange: (range: DateRange) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const timeZone = useTimeZone();
  const apply = (range: DateRange) => {
    setIsOpen(false);
    onChange(range);
  };
  return (
    <Popover
      label="Date range"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button className="font-normal">
          <CalendarDays aria-hidden="true" className="text-ink-subtle" />
          {rangeLabel({ start, end }, timeZone)}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-2">
          {PRESETS.map((preset) => (
            <Button
              key={preset.label}
              size="sm"
              onClick={() => apply({ start: String(daysAgo(preset.days - 1, timeZone)), end: '' })}
            >
              {preset.label}
            </Button>
          ))}
        </div>
        <RangeForm key={`${start}-${end}`} start={start} end={end} onApply={apply} />
      </div>
    </Popover>
  );
}

function RangeForm({ start, end, onApply }: DateRange & { onApply: (range: DateRange) => void }) {
  const timeZone = useTimeZone();
  const [from, setFrom] = useState(toDay(start, timeZone));
  const [to, setTo] = useState(toDay(end, timeZone));
  const isBackwards = from !== '' && to !== '' && from > to;
  return (
    <form
      className="flex flex-col gap-3 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBackwards) onApply({ start: startOfDay(from, timeZone), end: endOfDay(to, timeZone) });
      }}
    >
      <div className="grid grid-cols-2 gap-2">
        <Field label="From">
          <Input type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
        </Field>
        <Field label="To" error={isBackwards ? 'Before the first day' : undefined}>
          <Input type="date" value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
      </div>
      <div className="flex justify-between gap-2">
        <Button variant="ghost" size="sm" onClick={() => onApply({ start: '', end: '' })}>
          Any date
        </Button>
        <Button type="submit" variant="primary" size="sm" disabled={isBackwards}>
          Apply
        </Button>
      </div>
    </form>
  );
}

function rangeLabel({ start, end }: DateRange, timeZone: string): string {
  if (!start && !end) return 'Any date';
  const preset = PRESETS.find((each) => !end && start === String(daysAgo(each.days - 1, timeZone)));
  if (preset) return preset.label;
  const day = dateFormat({ month: 'short', day: 'numeric', timeZone });
  const from = start ? day.format(Number(start)) : '';
  const to = end ? day.format(Number(end)) : '';
  if (from && to) return from === to ? from : `${from} – ${to}`;
  return from ? `Since ${from}` : `Until ${to}`;
}
