'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { countryName } from '#lib/countries.ts';
import { numberQueries } from '#lib/features/numbers/queries.ts';
import { type ReadNumber, readPhoneNumber } from '#lib/phone-number.ts';

/** Reads numbers as people write them, with the country of the workspace; `hint` says how. */
export function useNumberReader(): { read: (text: string) => ReadNumber; hint: string } {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(numberQueries.country(workspaceId));
  const country = data?.country ? { code: data.country, isGuessed: data.isGuessed } : null;
  const hint =
    country === null
      ? 'With its country code.'
      : `Without a country code it is read as one of this country: ${countryName(country.code)}.`;
  return { read: (text) => readPhoneNumber(text, country), hint };
}

/**
 * A field's number and what a person writes for it: the value is its international form, or the text itself while that is
 * no number.
 */
export function useWrittenNumber(value: string, onChange: (number: string) => void) {
  const { read, hint } = useNumberReader();
  const [written, setWritten] = useState(value);
  const valueOf = (text: string) => {
    const reading = read(text);
    return reading.ok ? reading.number : text.trim();
  };
  // The country may be known only after the first digits, and a form may begin with a number as somebody wrote it.
  useEffect(() => {
    if (value !== '' && value === written.trim() && valueOf(written) !== value) onChange(valueOf(written));
  });
  // Else it was changed from outside.
  const text = valueOf(written) === value || written.trim() === value ? written : value;
  const write = (next: string) => {
    setWritten(next);
    onChange(valueOf(next));
  };
  return { text, write, hint, reading: text.trim() === '' ? null : read(text) };
}

/** What to say of a field with a fault: why its text is no number tells more than the form's rule. */
export function numberError(error: string | undefined, reading: ReadNumber | null): string | undefined {
  return error !== undefined && reading !== null && !reading.ok ? reading.fault : error;
}
