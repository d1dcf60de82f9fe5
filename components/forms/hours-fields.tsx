'use client';

import {
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form';
import { Button } from '#components/ui/button.tsx';
import type { CallingHours, Weekday } from '#lib/calling-hours/calling-hours.ts';
import { CheckGroupField } from './check-group-field.tsx';
import { TextField } from './form-fields.tsx';

const DAYS = [
  ['mon', 'Monday'],
  ['tue', 'Tuesday'],
  ['wed', 'Wednesday'],
  ['thu', 'Thursday'],
  ['fri', 'Friday'],
  ['sat', 'Saturday'],
  ['sun', 'Sunday'],
] as const satisfies readonly (readonly [Weekday, string])[];

type HoursProps<Values extends FieldValues> = {
  form: UseFormReturn<Values, unknown, Values>;
  isDisabled: boolean;
  /** The field that has the hours. */
  name: FieldPath<Values>;
};

/** Days of the week and the times from and until which people are called, for single days other ones. */
export function HoursFields<Values extends FieldValues>({ name, ...shared }: HoursProps<Values>) {
  const hours = useHours({ ...shared, name });
  const at = (field: string) => `${name}.${field}` as FieldPath<Values>;
  return (
    <>
      <CheckGroupField {...shared} name={at('days')} label="Days" choices={DAYS} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...shared} name={at('from')} label="From" isRequired placeholder="09:00" />
        <TextField
          {...shared}
          name={at('to')}
          label="Until"
          isRequired
          placeholder="18:00"
          description={untilNote(hours)}
        />
      </div>
      <SingleDays {...shared} name={name} />
    </>
  );
}

function useHours<Values extends FieldValues>({ form, name }: HoursProps<Values>) {
  return useWatch({ control: form.control as Control<Values>, name }) as CallingHours;
}

/** A night is told from a day, as nothing else shows it. */
const untilNote = ({ from, to }: { from: string; to: string }) =>
  to < from && to !== '' ? 'On the next day.' : '24:00 is midnight.';

function SingleDays<Values extends FieldValues>(props: HoursProps<Values>) {
  const hours = useHours(props);
  const chosen = DAYS.filter(([day]) => hours.days.includes(day));
  const { form, name, isDisabled } = props;
  function set(day: Weekday, isOwn: boolean): void {
    const { [day]: _, ...others } = hours.perDay ?? {};
    const { from, to } = hours;
    const perDay = isOwn ? { ...others, [day]: { from, to } } : others;
    form.setValue(
      `${name}.perDay` as FieldPath<Values>,
      perDay as FieldPathValue<Values, FieldPath<Values>>,
      { shouldDirty: true, shouldValidate: true },
    );
  }
  if (chosen.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-ink">Single days</legend>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {chosen.map(([day, label]) => (
          <li key={day} className="px-3 py-2">
            <DayRow {...props} day={day} label={label} times={hours.perDay?.[day]} hours={hours} />
            {isDisabled ? null : (
              <Button
                variant="ghost"
                size="sm"
                className="mt-1 -ml-2"
                aria-label={`${hours.perDay?.[day] ? 'As on other days' : 'Other times'}: ${label}`}
                onClick={() => set(day, hours.perDay?.[day] === undefined)}
              >
                {hours.perDay?.[day] ? 'As on other days' : 'Other times'}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function DayRow<Values extends FieldValues>({
  day,
  label,
  times,
  hours,
  name,
  ...shared
}: HoursProps<Values> & {
  day: Weekday;
  label: string;
  times: { from: string; to: string } | undefined;
  hours: CallingHours;
}) {
  const at = (field: string) => `${name}.perDay.${day}.${field}` as FieldPath<Values>;
  if (!times)
    return (
      <p className="flex justify-between gap-4 text-sm">
        <span className="text-ink">{label}</span>
        <span className="text-ink-muted tabular-nums">{`${hours.from} – ${hours.to}`}</span>
      </p>
    );
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField {...shared} name={at('from')} label={`${label} from`} isRequired placeholder="09:00" />
      <TextField
        {...shared}
        name={at('to')}
        label={`${label} until`}
        isRequired
        placeholder="18:00"
        description={untilNote(times)}
      />
    </div>
  );
}
