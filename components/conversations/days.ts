import { dateFormat } from '#lib/date-format.ts';

/** `2026-03-29` of a moment in milliseconds, as a day of the zone; empty for what is no moment. */
export function toDay(milliseconds: string, timeZone: string): string {
  const date = new Date(Number(milliseconds));
  if (milliseconds === '' || Number.isNaN(date.getTime())) return '';
  const parts = partsOf(date, timeZone);
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** The first millisecond of a day in the zone, as text; empty for no day. */
export function startOfDay(day: string, timeZone: string): string {
  return day === '' ? '' : String(midnightOf(day, timeZone));
}

export function endOfDay(day: string, timeZone: string): string {
  return day === '' ? '' : String(midnightOf(addDays(day, 1), timeZone) - 1);
}

/** The first millisecond of the day so many days before today. */
export function daysAgo(days: number, timeZone: string, now = Date.now()): number {
  return midnightOf(addDays(toDay(String(now), timeZone), -days), timeZone);
}

function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Browsers without Temporal find it by the offset there; a second look takes the changes of clocks in. */
function midnightOf(day: string, timeZone: string): number {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  const first = wanted - offsetAt(wanted, timeZone);
  return wanted - offsetAt(first, timeZone);
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetAt(moment: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(new Date(moment), timeZone);
  const shown = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return shown - Math.floor(moment / 1000) * 1000;
}

function partsOf(date: Date, timeZone: string): Record<string, string> {
  const format = dateFormat({
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
}
