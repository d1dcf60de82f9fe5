'use client';

import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
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
] as const;

/** Days of the week and the time from and until which people are called. */
export function HoursFields<Values extends FieldValues>({
  days,
  from,
  to,
  ...shared
}: {
  form: UseFormReturn<Values, unknown, Values>;
  isDisabled: boolean;
  days: FieldPath<Values>;
  from: FieldPath<Values>;
  to: FieldPath<Values>;
}) {
  return (
    <>
      <CheckGroupField {...shared} name={days} label="Days" choices={DAYS} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...shared} name={from} label="From" isRequired placeholder="09:00" />
        <TextField
          {...shared}
          name={to}
          label="Until"
          isRequired
          placeholder="18:00"
          description="24:00 is midnight."
        />
      </div>
    </>
  );
}
