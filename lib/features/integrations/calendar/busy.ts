import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import type { Interval } from './slots.ts';

/** Repetitions that are counted through for one question: an event of every second since 1970 would never end. */
const MAX_REPETITIONS = 30_000;
const DAY_MS = 86_400_000;

export type Read = { ok: true; busy: Interval[] } | { ok: false };

/**
 * When a calendar's events keep somebody busy within a range: what repeats, moved and left out repetitions included;
 * cancelled events and those that are marked as free are not. Times without a zone are those of `timeZone`. Not ok where
 * events repeat too often to be counted.
 */
export function readBusy(
  documents: readonly string[],
  { range, timeZone }: { range: Interval; timeZone: string },
): Read {
  const reading: Reading = { range, timeZone, left: MAX_REPETITIONS, busy: [] };
  for (const document of documents) {
    const calendar = parse(document);
    if (!calendar) continue;
    const events = calendar.getAllSubcomponents('vevent');
    // A moved repetition stands in an event of its own, and its first time is free again.
    const moved = new Set(
      events.flatMap((event) => {
        const ms = startOf(event, 'recurrence-id', timeZone)?.ms;
        return ms === undefined ? [] : [`${uidOf(event)} ${ms}`];
      }),
    );
    for (const event of events) readWhole(event, moved, reading);
    if (reading.left < 0) return { ok: false };
  }
  return { ok: true, busy: reading.busy };
}

type Reading = { range: Interval; timeZone: string; left: number; busy: Interval[] };

function parse(document: string): ICAL.Component | undefined {
  try {
    return ICAL.Component.fromString(document);
  } catch {
    // One broken event must not keep everybody from every appointment.
    return undefined;
  }
}

function readWhole(event: ICAL.Component, moved: ReadonlySet<string>, reading: Reading): void {
  try {
    readEvent(event, moved, reading);
  } catch {
    // A time or a rule that says nothing; see `parse`.
  }
}

function readEvent(event: ICAL.Component, moved: ReadonlySet<string>, reading: Reading): void {
  if (textOf(event, 'status') === 'CANCELLED' || textOf(event, 'transp') === 'TRANSPARENT') return;
  const start = startOf(event, 'dtstart', reading.timeZone);
  if (!start) return;
  const durationMs = durationOf(event, start, reading.timeZone);
  const repeats = event.hasProperty('rrule') || event.hasProperty('rdate');
  if (!repeats || event.hasProperty('recurrence-id')) return keep({ startMs: start.ms, durationMs }, reading);
  const expansion = new ICAL.RecurExpansion({ component: event, dtstart: start.time });
  for (let next = expansion.next(); next; next = expansion.next()) {
    reading.left -= 1;
    if (reading.left < 0) return;
    const startMs = msOf(next, start.tzid, reading.timeZone);
    if (startMs >= reading.range.endMs) return;
    if (!moved.has(`${uidOf(event)} ${startMs}`)) keep({ startMs, durationMs }, reading);
  }
}

function keep(given: { startMs: number; durationMs: number }, { range, busy }: Reading): void {
  const endMs = given.startMs + given.durationMs;
  if (given.startMs < range.endMs && endMs > range.startMs) busy.push({ startMs: given.startMs, endMs });
}

type Start = { time: ICAL.Time; tzid: string | undefined; ms: number };

function startOf(event: ICAL.Component, name: string, timeZone: string): Start | undefined {
  const property = event.getFirstProperty(name);
  const time: unknown = property?.getFirstValue();
  if (!property || !(time instanceof ICAL.Time)) return undefined;
  const tzid = property.getFirstParameter('tzid') ?? undefined;
  return { time, tzid, ms: msOf(time, tzid, timeZone) };
}

function durationOf(event: ICAL.Component, start: Start, timeZone: string): number {
  const end = startOf(event, 'dtend', timeZone);
  if (end) return Math.max(0, end.ms - start.ms);
  const duration: unknown = event.getFirstPropertyValue('duration');
  if (duration instanceof ICAL.Duration) return Math.max(0, duration.toSeconds() * 1000);
  return start.time.isDate ? DAY_MS : 0;
}

/** The moment of a time by its zone: a name that everybody knows, else the zone that the document itself describes. */
function msOf(time: ICAL.Time, tzid: string | undefined, timeZone: string): number {
  const { year, month, day, hour, minute, second } = time;
  if (time.isDate)
    return Temporal.PlainDate.from({ year, month, day }).toZonedDateTime(timeZone).epochMilliseconds;
  if (time.zone === ICAL.Timezone.utcTimezone) return time.toUnixTime() * 1000;
  const clock = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
  const zone = tzid === undefined ? timeZone : knownZone(tzid);
  if (zone !== undefined) return clock.toZonedDateTime(zone).epochMilliseconds;
  const isDescribed = time.zone !== ICAL.Timezone.localTimezone;
  return isDescribed ? time.toUnixTime() * 1000 : clock.toZonedDateTime(timeZone).epochMilliseconds;
}

function knownZone(tzid: string): string | undefined {
  // Some programs put their own path in front: /freeassociation.sourceforge.net/Europe/Berlin.
  const name = /(?:[A-Z][\w+-]*\/)?[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)?$/.exec(tzid)?.[0] ?? tzid;
  for (const each of [tzid, name]) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: each }).resolvedOptions().timeZone;
    } catch {
      continue;
    }
  }
  return undefined;
}

function textOf(event: ICAL.Component, name: string): string {
  const value: unknown = event.getFirstPropertyValue(name);
  return typeof value === 'string' ? value.toUpperCase() : '';
}

function uidOf(event: ICAL.Component): string {
  const uid: unknown = event.getFirstPropertyValue('uid');
  return typeof uid === 'string' ? uid : '';
}
