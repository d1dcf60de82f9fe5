'use client';

import { useState } from 'react';
import { CalendarDays } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Popover } from '#components/ui/tooltip.tsx';
import { MOST_DAYS } from '#lib/features/overview/contract.ts';
import type { OverviewFilter } from '#lib/features/overview/queries.ts';
import { isRange, presetOf, PRESETS } from './range.ts';

type Range = Pick<OverviewFilter, 'days' | 'from' | 'to'>;

/** Days are those of the workspace, so that everybody who opens the address sees the same numbers. */
export function RangePicker({
  filter,
  shown,
  onChange,
}: {
  filter: OverviewFilter;
  /** The days that are shown, for the fields and the label. */
  shown: { from: string; to: string; text: string };
  onChange: (range: Range) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const preset = presetOf(filter);
  const apply = (range: Range) => {
    setIsOpen(false);
    onChange(range);
  };
  return (
    <Popover
      label="Range"
      align="end"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button className="font-normal">
          <CalendarDays aria-hidden="true" className="text-ink-subtle" />
          {preset?.label ?? shown.text}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-2">
          {PRESETS.map(({ days, label }) => (
            <Button
              key={days}
              size="sm"
              aria-pressed={preset?.days === days}
              className="aria-pressed:bg-hover"
              onClick={() => apply({ days: String(days) })}
            >
              {label}
            </Button>
          ))}
        </div>
        <OwnRange key={`${shown.from} ${shown.to}`} shown={shown} onApply={apply} />
      </div>
    </Popover>
  );
}

function OwnRange({
  shown,
  onApply,
}: {
  shown: { from: string; to: string };
  onApply: (range: Range) => void;
}) {
  const [from, setFrom] = useState(shown.from);
  const [to, setTo] = useState(shown.to);
  const problem =
    from === '' || to === ''
      ? 'Choose both days'
      : from > to
        ? 'Before the first day'
        : isRange(from, to)
          ? undefined
          : `At most ${MOST_DAYS} days`;
  return (
    <form
      className="flex flex-col gap-3 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!problem) onApply({ from, to });
      }}
    >
      <div className="grid grid-cols-2 gap-2">
        <Field label="From">
          <Input
            type="date"
            value={from}
            min="2000-01-01"
            max="2099-12-31"
            onChange={(event) => setFrom(event.target.value)}
          />
        </Field>
        <Field label="To" error={problem}>
          <Input
            type="date"
            value={to}
            min="2000-01-01"
            max="2099-12-31"
            onChange={(event) => setTo(event.target.value)}
          />
        </Field>
      </div>
      <Button type="submit" variant="primary" size="sm" disabled={problem !== undefined} className="self-end">
        Apply
      </Button>
    </form>
  );
}
