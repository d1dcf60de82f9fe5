'use client';

import { useSyncExternalStore } from 'react';
import { dateFormat } from '#lib/date-format.ts';

const SHORT = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;

// A server does not know the reader's time zone: it renders UTC, and the browser puts its own in right after.
const subscribeNever = () => () => undefined;

/** A point in time in the reader's own zone, exact on hover. */
export function Moment({ iso, style = 'short' }: { iso: string; style?: 'short' | 'full' | 'time' }) {
  const isInBrowser = useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
  const date = new Date(iso);
  const zone = isInBrowser ? {} : { timeZone: 'UTC' };
  const options =
    style === 'full'
      ? ({ dateStyle: 'medium', timeStyle: 'medium', ...zone } as const)
      : style === 'time'
        ? ({ timeStyle: 'medium', ...zone } as const)
        : ({ ...SHORT, ...zone } as const);
  return (
    <time dateTime={iso} title={iso} className="figures">
      {dateFormat(options).format(date)}
    </time>
  );
}
