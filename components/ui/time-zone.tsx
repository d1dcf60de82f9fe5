'use client';

import { createContext, type ReactNode, useContext } from 'react';

const TimeZoneContext = createContext('UTC');

/** In which zone the moments below it are read. */
export function TimeZoneProvider({ timeZone, children }: { timeZone: string; children: ReactNode }) {
  return <TimeZoneContext value={timeZone}>{children}</TimeZoneContext>;
}

export function useTimeZone(): string {
  return useContext(TimeZoneContext);
}
