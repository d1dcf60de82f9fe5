import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { Sender } from '#lib/outgoing/sender.ts';
import { listTaken } from '../appointments/repository.ts';
import { readBusy } from '../calendar/busy.ts';
import { type CalendarServer, readEvents } from '../calendar/caldav.ts';
import {
  addDays,
  freeSlots,
  type Interval,
  isDay,
  lastDayOf,
  rangeOf,
  slotsOfDay,
  type SlotRules,
  todayOf,
} from '../calendar/slots.ts';
import { describeDay, isWanted, speakDay, type SpokenDay } from '../calendar/spoken.ts';
import { findArguments, type WantedTimes } from '../calendar/tools.ts';
import { asRecord } from '../http/argument-schema.ts';
import { failed } from '../http/used.ts';
import type { Heard } from '../http/answer.ts';

export type CalendarDeps = Pick<Dependencies, 'db' | 'clock' | 'ids'> & { sender: Sender };

/** In which conversation a tool is used; left out where somebody tries it. */
export type ToolCall = Pick<CallPlan, 'callId' | 'humanPhoneNumber'>;

/** One use of a calendar, with everything that it takes. */
export type CalendarUse = {
  deps: CalendarDeps;
  actor: Actor;
  rules: SlotRules;
  /** Of the event, with placeholders. */
  title: string;
  integrationId: string;
  /** null: the appointments are kept here. */
  server: (CalendarServer & { calendarUrl: string }) | null;
  /** Whose times may not be booked twice. */
  calendarKey: string;
  call: ToolCall | undefined;
};

/** What a use came to. `fault`: why the calendar does not work. */
export type CalendarAnswer = { heard: Heard; fault?: string };

/** How far ahead free times are looked for at once. */
const SEARCHED_DAYS = 31;
const SHOWN_DAYS = 3;

/** Lists free times. */
export async function findSlots(use: CalendarUse, args: unknown): Promise<CalendarAnswer> {
  const parsed = findArguments.safeParse(withoutNulls(args));
  if (!parsed.success) return { heard: failed(problemsOf(parsed.error)) };
  const { date, ...times } = parsed.data;
  const fault = date === undefined ? undefined : dayFault(use, date);
  if (fault !== undefined) return { heard: failed(fault) };
  const from = date ?? todayOf(use.rules, nowMs(use));
  const found = await freeDays(use, { from, times, wanted: date === undefined ? SHOWN_DAYS : 1 });
  if (!found.ok) return { heard: failed(found.reason), fault: found.reason };
  const note = noteOf(use, { date, days: found.days, until: found.until });
  const { timeZone } = use.rules;
  return {
    heard: { ok: true, data: { days: found.days, timeZone, ...(note === undefined ? {} : { note }) } },
  };
}

/** Why there are no appointments on a day, whatever is booked; undefined where there may be. */
export function dayFault({ rules, deps }: CalendarUse, date: string): string | undefined {
  if (!isDay(date)) return `There is no such day as ${date}.`;
  const now = deps.clock.now().getTime();
  if (date < todayOf(rules, now)) return `${speakDay(date)} is in the past.`;
  const last = lastDayOf(rules, now);
  return date > last ? `Appointments are made until ${speakDay(last)}.` : undefined;
}

type FreeDays = { ok: true; days: SpokenDay[]; until: string } | { ok: false; reason: string };

/** The next days on which something is free, beginning with `from`. */
export async function freeDays(
  use: CalendarUse,
  given: { from: string; wanted: number; times?: WantedTimes; busy?: readonly Interval[] },
): Promise<FreeDays> {
  const { rules } = use;
  const { from, times = {} } = given;
  const now = nowMs(use);
  const last = lastDayOf(rules, now);
  const farthest = addDays(from, SEARCHED_DAYS - 1);
  const until = farthest < last ? farthest : last;
  const read = given.busy ? { ok: true as const, busy: given.busy } : await busyWithin(use, { from, until });
  if (!read.ok) return read;
  const days: SpokenDay[] = [];
  for (let date = from; date <= until && days.length < given.wanted; date = addDays(date, 1)) {
    const slots = freeSlots(rules, { date, busy: read.busy, nowMs: now });
    const shown = slots.filter((slot) => isWanted(slot, times, rules.timeZone));
    if (shown.length > 0) days.push(describeDay(date, shown, rules.timeZone));
  }
  return { ok: true, days, until };
}

/** The days that are looked at for a booking, and for what else is free around it. */
export function daysAround(use: CalendarUse, date: string): { from: string; until: string } {
  const until = addDays(date, SEARCHED_DAYS - 1);
  const last = lastDayOf(use.rules, nowMs(use));
  return { from: date, until: until < last ? until : last };
}

/** What is taken on some days: in the calendar, and by bookings that are on their way to it; `exceptId`: but for one of those. */
export async function busyWithin(
  use: CalendarUse,
  days: { from: string; until: string },
  exceptId?: string,
): Promise<{ ok: true; busy: Interval[] } | { ok: false; reason: string }> {
  const { deps, actor, rules, server, calendarKey } = use;
  const range = rangeOf(rules, days);
  const read = server ? await readEvents(server, { calendarUrl: server.calendarUrl, range }) : undefined;
  if (read?.ok === false) return read;
  const inCalendar = readBusy(read?.documents ?? [], { range, timeZone: rules.timeZone });
  if (!inCalendar.ok)
    return { ok: false, reason: 'The calendar has events that repeat too often to be read.' };
  const taken = await listTaken(deps.db, actor.workspaceId, {
    calendarKey,
    from: new Date(range.startMs),
    until: new Date(range.endMs),
    now: deps.clock.now(),
  });
  const here = taken
    .filter(({ id }) => id !== exceptId)
    .map(({ startsAt, endsAt }) => ({ startMs: startsAt.getTime(), endMs: endsAt.getTime() }));
  return { ok: true, busy: [...inCalendar.busy, ...here] };
}

function noteOf(
  { rules }: CalendarUse,
  { date, days, until }: { date: string | undefined; days: SpokenDay[]; until: string },
): string | undefined {
  if (days.length === 0) return `Nothing is free until ${speakDay(until)}.`;
  if (date === undefined || days[0]?.date === date) return undefined;
  const isClosed = slotsOfDay(rules, date).length === 0;
  return isClosed ? `${speakDay(date)} is closed.` : `Nothing is free on ${speakDay(date)} at that time.`;
}

function nowMs({ deps }: CalendarUse): number {
  return deps.clock.now().getTime();
}

export function problemsOf({ issues }: { issues: { path: PropertyKey[]; message: string }[] }): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`).join('; ');
}

/** Models give null for what they leave out. */
export function withoutNulls(args: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(asRecord(args) ?? {}).filter(([, value]) => value !== null));
}
