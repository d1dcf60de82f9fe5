'use client';

import { useState, useSyncExternalStore } from 'react';
import { CalendarDays } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Popover } from '#components/ui/tooltip.tsx';
import { dateFormat } from '#lib/date-format.ts';

/** Unix milliseconds as text, as they stand in the address; '' = open end. */
type DateRange = { start: string; end: string };

const PRESETS = [
  { label: 'Today', days: 1 },
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
  { label: 'Last 90 days', days: 90 },
];

const subscribeNever = () => () => undefined;

/** Days are the reader's own: the address holds exact moments, so a shared link means the same calls everywhere. */
export function DateRangeFilter({
  start,
  end,
  onChange,
}: DateRange & { onChange: (range: DateRange) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const isInBrowser = useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
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
          {isInBrowser ? rangeLabel({ start, end }) : 'Any date'}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-2">
          {PRESETS.map((preset) => (
            <Button
              key={preset.label}
              size="sm"
              onClick={() => apply({ start: String(daysAgo(preset.days - 1)), end: '' })}
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
  const [from, setFrom] = useState(toDay(start));
  const [to, setTo] = useState(toDay(end));
  const isBackwards = from !== '' && to !== '' && from > to;
  return (
    <form
      className="flex flex-col gap-3 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBackwards) onApply({ start: startOfDay(from), end: endOfDay(to) });
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

function rangeLabel({ start, end }: DateRange): string {
  if (!start && !end) return 'Any date';
  const preset = PRESETS.find((each) => !end && start === String(daysAgo(each.days - 1)));
  if (preset) return preset.label;
  const day = dateFormat({ month: 'short', day: 'numeric' });
  const from = start ? day.format(Number(start)) : '';
  const to = end ? day.format(Number(end)) : '';
  if (from && to) return from === to ? from : `${from} – ${to}`;
  return from ? `Since ${from}` : `Until ${to}`;
}

function daysAgo(days: number): number {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
}

function toDay(milliseconds: string): string {
  if (milliseconds === '') return '';
  const date = new Date(Number(milliseconds));
  if (Number.isNaN(date.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function startOfDay(day: string): string {
  return day === '' ? '' : String(new Date(`${day}T00:00:00`).getTime());
}

function endOfDay(day: string): string {
  return day === '' ? '' : String(new Date(`${day}T23:59:59.999`).getTime());
}
