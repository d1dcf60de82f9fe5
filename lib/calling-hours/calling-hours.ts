import { Temporal } from 'temporal-polyfill';
import { zonesOfNumber } from './zones-of-number.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** `HH:MM`, and `24:00` for the end of the day. An end that is not later than the beginning is on the next day. */
export type DayTimes = { from: string; to: string };

/** When people are called, by their own clocks. A night belongs to the day on which it begins. */
export type CallingHours = DayTimes & {
  isOn: boolean;
  days: Weekday[];
  /** Days with times of their own; one that is not among `days` is closed all the same. */
  perDay?: Partial<Record<Weekday, DayTimes>> | undefined;
};

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
 * The first moment from `earliest` on at which `number` may be called: all of `hours` that are on have to be open. Where its
 * zone is not known for sure, they have to be in all zones that it may be in; where they never are together, or none is
 * known, the workspace's zone counts.
 */
export function plannedStart(call: {
  number: string;
  hours: readonly CallingHours[];
  workspaceZone: string;
  /** When the call was asked for: accepted, or the moment of another try. */
  dueAt: Date;
  now: Date;
}): PlannedStart {
  const { dueAt, now } = call;
  const hours = call.hours.filter((each) => each.isOn && each.days.length > 0);
  const earliest = dueAt > now ? dueAt : now;
  const unplanned = { notBefore: dueAt > now ? dueAt : null, timeZone: null };
  if (hours.length === 0) return unplanned;
  const window = nextWindow(zonesOfNumber(call.number), hours, call.workspaceZone, earliest.getTime());
  if (window.opensAtMs <= earliest.getTime()) return unplanned;
  return { notBefore: new Date(window.opensAtMs), timeZone: window.timeZone };
}

/** Windows that were found, by who is called and when: calls to one country ask for the same one again and again. */
const found = new Map<string, Window & { fromMs: number }>();
const MAX_FOUND = 2000;

function nextWindow(
  zones: readonly string[],
  hours: readonly CallingHours[],
  workspaceZone: string,
  fromMs: number,
): Window {
  const key = JSON.stringify([zones, hours, workspaceZone]);
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

/** Whether there is a moment in a week at which all of them are open. */
export function areEverOpen(hours: readonly CallingHours[]): boolean {
  return commonWindow(['UTC'], hours, 0) !== undefined;
}

/** The first window from `fromMs` on in which every zone is open by all hours; undefined where they never are. */
function commonWindow(
  zones: readonly string[],
  hours: readonly CallingHours[],
  fromMs: number,
): Window | undefined {
  const all = zones.flatMap((zone) => hours.map((each) => ({ zone, hours: each })));
  const lastMs = fromMs + SEARCHED_DAYS * DAY_MS;
  let atMs = fromMs;
  let opener = zones[0] ?? '';
  let closesAtMs = Number.POSITIVE_INFINITY;
  for (let open = 0; open < all.length;) {
    closesAtMs = Number.POSITIVE_INFINITY;
    open = 0;
    for (const { zone, hours: own } of all) {
      const window = windowFrom(zone, own, atMs);
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

/** The window of one zone that is open at `atMs`, the one that began yesterday among them, or else the next one. */
function windowFrom(zone: string, hours: CallingHours, atMs: number) {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  for (let days = -1; days <= SEARCHED_DAYS; days += 1) {
    const date = today.add({ days });
    const weekday = WEEKDAYS[date.dayOfWeek - 1];
    if (!weekday || !hours.days.includes(weekday)) continue;
    const { from, to } = hours.perDay?.[weekday] ?? hours;
    const opensAtMs = momentOf(date, from, zone);
    const closesAtMs = momentOf(to > from ? date : date.add({ days: 1 }), to, zone);
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
