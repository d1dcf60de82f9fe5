import { Temporal } from 'temporal-polyfill';

/** The wall clock of `timeZone` at `instant`, as an ISO text without offset: `2026-03-24T15:30`. */
export function toLocalTime(instant: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
}

/**
 * The instant at which clocks in `timeZone` show `local` (`2026-03-24T15:30`); undefined where there is no such day.
 * In the hour that is skipped in spring, the time after the change; in the one that comes twice, the first.
 */
export function toInstant(local: string, timeZone: string): Date | undefined {
  const clock = readLocalTime(local);
  return clock && new Date(clock.toZonedDateTime(timeZone).epochMilliseconds);
}

function readLocalTime(local: string): Temporal.PlainDateTime | undefined {
  try {
    return Temporal.PlainDateTime.from(local);
  } catch {
    return undefined;
  }
}
