'use client';

import { useSyncExternalStore } from 'react';
import { dateFormat } from '#lib/date-format.ts';
import { useTimeZone } from './time-zone.tsx';

const STYLES = {
  short: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  full: { dateStyle: 'medium', timeStyle: 'medium' },
  time: { timeStyle: 'medium' },
} as const;

const subscribeNever = () => () => undefined;

/** A point in time by the clock of the workspace; by the reader's own one on hover. */
export function Moment({ iso, style = 'short' }: { iso: string; style?: keyof typeof STYLES }) {
  const timeZone = useTimeZone();
  const own = useOwnTimeZone();
  const date = new Date(iso);
  const exact = (zone: string) => `${dateFormat({ ...STYLES.full, timeZone: zone }).format(date)} (${zone})`;
  const title = own === null || own === timeZone ? exact(timeZone) : `${exact(timeZone)}, ${exact(own)}`;
  return (
    <time dateTime={iso} title={title} className="figures">
      {dateFormat({ ...STYLES[style], timeZone }).format(date)}
    </time>
  );
}

/** null on a server, which does not know it. */
function useOwnTimeZone(): string | null {
  return useSyncExternalStore(
    subscribeNever,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  );
}
