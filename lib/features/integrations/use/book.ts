import { speakMoment } from '#lib/engine/spoken-time.ts';
import {
  confirmAppointment,
  deleteAppointment,
  insertAppointment,
  listTaken,
  lockCalendar,
  tidyCalendar,
} from '../appointments/repository.ts';
import { addEvent, hasEvent } from '../calendar/caldav.ts';
import { writeEvent } from '../calendar/event.ts';
import { titleOf } from '../calendar/settings.ts';
import { type Interval, isTaken, localOf, slotsOfDay, todayOf } from '../calendar/slots.ts';
import { speakDay, speakTime } from '../calendar/spoken.ts';
import { bookArguments } from '../calendar/tools.ts';
import { failed } from '../http/used.ts';
import {
  busyWithin,
  type CalendarAnswer,
  type CalendarUse,
  dayFault,
  daysAround,
  freeDays,
  problemsOf,
  withoutNulls,
} from './free.ts';

/** How long a time is kept for what a server is told: longer than it may take to answer, and to show what it was told. */
const CLAIM_MS = 120_000;
const SHOWN_DAYS = 2;

type Wanted = Interval & { date: string; topic: string | undefined; name: string | undefined };

/** Books a time that is free, and writes it down. Never one that is taken, closed or over. */
export async function bookSlot(use: CalendarUse, args: unknown): Promise<CalendarAnswer> {
  const parsed = bookArguments.safeParse(withoutNulls(args));
  if (!parsed.success) return { heard: failed(problemsOf(parsed.error)) };
  const { date, time, topic, name } = parsed.data;
  const fault = dayFault(use, date);
  const { rules } = use;
  const today = todayOf(rules, use.deps.clock.now().getTime());
  if (fault !== undefined) return refuse(use, today, fault);
  const slots = slotsOfDay(rules, date);
  const slot = slots.find(({ startMs }) => localOf(startMs, rules.timeZone).time === time);
  if (!slot) {
    const isClosed = slots.length === 0;
    return refuse(
      use,
      date,
      isClosed ? `${speakDay(date)} is closed.` : `No appointment begins at ${speakTime(time)}.`,
    );
  }
  const earliestMs = use.deps.clock.now().getTime() + rules.noticeMinutes * 60_000;
  if (slot.startMs < earliestMs) return refuse(use, date, `${speakTime(time)} is too soon.`);
  return bookFree(use, { ...slot, date, topic, name });
}

async function bookFree(use: CalendarUse, wanted: Wanted): Promise<CalendarAnswer> {
  const claim = await claimSlot(use, wanted);
  if (claim.kind === 'own') return booked(use, wanted);
  if (claim.kind === 'taken') return refuse(use, wanted.date, TAKEN);
  if (!use.server) return booked(use, wanted);
  const written = await writeDown({ ...use, server: use.server }, wanted, claim.id);
  const { db } = use.deps;
  if (!written.heard.ok) await deleteAppointment(db, use.actor.workspaceId, claim.id);
  else if (use.call) await confirmAppointment(db, use.actor.workspaceId, claim.id, use.call.callId);
  return written;
}

const TAKEN = 'That time is taken.';

type Claim = { kind: 'claimed'; id: string } | { kind: 'taken' } | { kind: 'own' };

/** Keeps the time for this conversation: of two that want it at once, one gets it. Without a server it is booked by that. */
async function claimSlot(use: CalendarUse, wanted: Wanted): Promise<Claim> {
  const { deps, actor, calendarKey, rules, call, integrationId } = use;
  const { workspaceId } = actor;
  const now = deps.clock.now();
  const bufferMs = rules.bufferMinutes * 60_000;
  return deps.db.transaction(async (tx): Promise<Claim> => {
    await lockCalendar(tx, calendarKey);
    await tidyCalendar(tx, workspaceId, { calendarKey, now });
    const taken = await listTaken(tx, workspaceId, {
      calendarKey,
      from: new Date(wanted.startMs - bufferMs),
      until: new Date(wanted.endMs + bufferMs),
      now,
    });
    // A model that asks twice has booked once.
    const isOwn = taken.some(
      ({ callId, startsAt }) =>
        callId !== null && callId === call?.callId && startsAt.getTime() === wanted.startMs,
    );
    if (taken.length > 0) return { kind: isOwn ? 'own' : 'taken' };
    const id = deps.ids.next('apt');
    await insertAppointment(tx, workspaceId, {
      id,
      integrationId,
      calendarKey,
      startsAt: new Date(wanted.startMs),
      endsAt: new Date(wanted.endMs),
      title: titleFor(use, wanted),
      phone: phoneOf(use) ?? null,
      // Until the server has it, nobody is told that it is booked.
      callId: use.server ? null : (call?.callId ?? null),
      claimedUntil: use.server ? new Date(now.getTime() + CLAIM_MS) : null,
      createdAt: now,
    });
    return { kind: 'claimed', id };
  });
}

/** Looks at the calendar once more, and writes the event. */
async function writeDown(
  use: CalendarUse & { server: NonNullable<CalendarUse['server']> },
  wanted: Wanted,
  id: string,
): Promise<CalendarAnswer> {
  const { server, rules, deps } = use;
  const read = await busyWithin(use, daysAround(use, wanted.date), id);
  if (!read.ok) return { heard: failed(read.reason), fault: read.reason };
  if (isTaken(rules, wanted, read.busy)) return refuse(use, wanted.date, TAKEN, read.busy);
  const filename = `${id}.ics`;
  const iCalString = writeEvent({
    uid: `${id}@callwright`,
    title: titleFor(use, wanted),
    description: descriptionFor(use, wanted),
    startMs: wanted.startMs,
    endMs: wanted.endMs,
    nowMs: deps.clock.now().getTime(),
  });
  const { calendarUrl } = server;
  const written = await addEvent(server, { calendarUrl, filename, iCalString });
  if (written.ok) return booked(use, wanted);
  // The answer may have been lost after it was written: whoever called must not be told the wrong thing.
  if (written.isUnknown && (await hasEvent(server, { calendarUrl, filename }))) return booked(use, wanted);
  return { heard: failed(written.reason), fault: written.reason };
}

/** Says why not, and what is free instead. */
async function refuse(
  use: CalendarUse,
  date: string,
  reason: string,
  busy?: readonly Interval[],
): Promise<CalendarAnswer> {
  const found = await freeDays(use, { from: date, wanted: SHOWN_DAYS, ...(busy ? { busy } : {}) });
  if (!found.ok) return { heard: failed(found.reason), fault: found.reason };
  return { heard: { ok: false, reason, data: { days: found.days } } };
}

function booked({ rules, server }: CalendarUse, { startMs, topic }: Wanted): CalendarAnswer {
  const startsAt = new Date(startMs);
  const { timeZone } = rules;
  const data = {
    startsAt: startsAt.toISOString(),
    timeZone,
    spoken: speakMoment(startsAt, timeZone),
    ...(topic === undefined ? {} : { topic }),
    keptIn: server ? 'the calendar' : 'the list of appointments',
  };
  return { heard: { ok: true, data } };
}

function titleFor(use: CalendarUse, { name, topic }: Wanted): string {
  return titleOf(use.title, { name, topic, phone: phoneOf(use) });
}

function descriptionFor(use: CalendarUse, { name, topic }: Wanted): string {
  const { call } = use;
  const rows = [
    name && `Name: ${name}`,
    phoneOf(use) && `Phone: ${phoneOf(use)}`,
    topic && `About: ${topic}`,
    `Booked by Callwright${call ? ` in conversation ${call.callId}` : ''}.`,
  ];
  return rows.filter((row) => row !== undefined && row !== '').join('\n');
}

/** There is none in a chat, and where it is withheld. */
function phoneOf({ call }: CalendarUse): string | undefined {
  return call?.humanPhoneNumber.startsWith('+') === true ? call.humanPhoneNumber : undefined;
}
