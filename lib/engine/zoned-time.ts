/** The wall clock of `timeZone` at `instant`, as an ISO text without offset: `2026-03-24T15:30`. */
export function toLocalTime(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? '00';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/**
 * The instant at which clocks in `timeZone` show `local` (`2026-03-24T15:30`); undefined where there is no such day.
 * In the hour that is skipped in spring, the time after the change; in the one that comes twice, the first.
 */
export function toInstant(local: string, timeZone: string): Date | undefined {
  const asUtc = new Date(`${local}:00.000Z`);
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 16) !== local) return undefined;
  const offsetAt = (instant: number) =>
    new Date(`${toLocalTime(new Date(instant), timeZone)}:00.000Z`).getTime() -
    Math.floor(instant / 60_000) * 60_000;
  const before = asUtc.getTime() - offsetAt(asUtc.getTime() - 86_400_000);
  const after = asUtc.getTime() - offsetAt(asUtc.getTime() + 86_400_000);
  const isShown = (instant: number) => toLocalTime(new Date(instant), timeZone) === local;
  const found = [Math.min(before, after), Math.max(before, after)].find(isShown);
  return new Date(found ?? before);
}
