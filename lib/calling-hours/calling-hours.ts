import { Temporal } from 'temporal-polyfill';
import { zonesOfNumber } from './zones-of-number.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When people are called, by their own clocks. `from` and `to` are `HH:MM` of one day; `to` may be `24:00`. */
export type CallingHours = { isOn: boolean; days: Weekday[]; from: string; to: string };

export const DEFAULT_CALLING_HOURS: CallingHours = {
  isOn: false,
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '09:00',
  to: '18:00',
};

/** When a call may be placed, and by whose clock that is: null where nothing keeps it waiting but its own moment. */
export type PlannedStart = { notBefore: Date | null; timeZone: string | null };

/** While people may be called; `timeZone` is the one whose clock opened it. */
type Window = { opensAtMs: number; closesAtMs: number; timeZone: string };

const DAY_MS = 86_400_000;
/** Every weekday comes within it, a day later where clocks change. */
const SEARCHED_DAYS = 9;

/**
 * The first moment from `earliest` on at which `number` may be called. Where its zone is not known for sure, all zones
 * that it may be in have to be open; where they are never open together, or none is known, the workspace's zone counts.
 */
export function plannedStart(call: {
  number: string;
  hours: CallingHours;
  workspaceZone: string;
  /** When the call was asked for: accepted, or the moment of another try. */
  dueAt: Date;
  now: Date;
}): PlannedStart {
  const { hours, dueAt, now } = call;
  const earliest = dueAt > now ? dueAt : now;
  const unplanned = { notBefore: dueAt > now ? dueAt : null, timeZone: null };
  if (!hours.isOn || hours.days.length === 0) return unplanned;
  const window = nextWindow(zonesOfNumber(call.number), hours, call.workspaceZone, earliest.getTime());
  if (window.opensAtMs <= earliest.getTime()) return unplanned;
  return { notBefore: new Date(window.opensAtMs), timeZone: window.timeZone };
}

/** Windows that were found, by who is called and when: calls to one country ask for the same one again and again. */
const found = new Map<string, Window & { fromMs: number }>();
const MAX_FOUND = 2000;

function nextWindow(
  zones: readonly string[],
  hours: CallingHours,
  workspaceZone: string,
  fromMs: number,
): Window {
  const key = [zones.join(), hours.days.join(), hours.from, hours.to, workspaceZone].join('|');
  const known = found.get(key);
  if (known && known.fromMs <= fromMs && fromMs < known.closesAtMs) return known;
  const window =
    (zones.length > 0 ? commonWindow(zones, hours, fromMs) : undefined) ??
    commonWindow([workspaceZone], hours, fromMs);
  if (!window) throw new Error('calling hours without a day');
  if (found.size >= MAX_FOUND) found.clear();
  found.set(key, { ...window, fromMs });
  return window;
}

/** The first window from `fromMs` on in which every zone is open; undefined where they never are. */
function commonWindow(zones: readonly string[], hours: CallingHours, fromMs: number): Window | undefined {
  const lastMs = fromMs + SEARCHED_DAYS * DAY_MS;
  let atMs = fromMs;
  let opener = zones[0] ?? '';
  let closesAtMs = Number.POSITIVE_INFINITY;
  for (let open = 0; open < zones.length;) {
    closesAtMs = Number.POSITIVE_INFINITY;
    open = 0;
    for (const zone of zones) {
      const window = windowFrom(zone, hours, atMs);
      if (!window || window.opensAtMs > lastMs) return undefined;
      if (window.opensAtMs > atMs) {
        atMs = window.opensAtMs;
        opener = zone;
        break;
      }
      open += 1;
      closesAtMs = Math.min(closesAtMs, window.closesAtMs);
    }
  }
  return { opensAtMs: atMs, closesAtMs, timeZone: opener };
}

/** The window of one zone that is open at `atMs`, or else the next one. */
function windowFrom(zone: string, hours: CallingHours, atMs: number) {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  for (let days = 0; days <= SEARCHED_DAYS; days += 1) {
    const date = today.add({ days });
    const weekday = WEEKDAYS[date.dayOfWeek - 1];
    if (!weekday || !hours.days.includes(weekday)) continue;
    const opensAtMs = momentOf(date, hours.from, zone);
    const closesAtMs = momentOf(date, hours.to, zone);
    if (closesAtMs > atMs && closesAtMs > opensAtMs) return { opensAtMs, closesAtMs };
  }
  return undefined;
}

/** A time that is skipped when clocks change is the one after the change; of one that comes twice, the first counts. */
function momentOf(date: Temporal.PlainDate, time: string, zone: string): number {
  const isMidnight = time === '24:00';
  const local = (isMidnight ? date.add({ days: 1 }) : date).toPlainDateTime(isMidnight ? '00:00' : time);
  return local.toZonedDateTime(zone).epochMilliseconds;
}
