import { and, asc, eq, gt, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { appointments } from '#db/schema/appointments.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';

export type AppointmentRow = typeof appointments.$inferSelect;
export type NewAppointment = Omit<typeof appointments.$inferInsert, 'workspaceId'>;

/** How long one that is over is still known. */
const KEPT_DAYS = 30;

/** Until the transaction ends, nobody else books in this calendar. */
export async function lockCalendar(db: Database, calendarKey: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext(${`appointments.${calendarKey}`}))`);
}

/** What is booked, or being booked, within a time. */
export async function listTaken(
  db: Database,
  workspaceId: WorkspaceId,
  within: { calendarKey: string; from: Date; until: Date; now: Date },
): Promise<AppointmentRow[]> {
  return db
    .select()
    .from(appointments)
    .where(
      and(
        eq(appointments.workspaceId, workspaceId),
        eq(appointments.calendarKey, within.calendarKey),
        lt(appointments.startsAt, within.until),
        gt(appointments.endsAt, within.from),
        or(isNull(appointments.claimedUntil), gt(appointments.claimedUntil, within.now)),
      ),
    )
    .orderBy(asc(appointments.startsAt));
}

/** Forgets what is no claim any more, and what was over long ago. */
export async function tidyCalendar(
  db: Database,
  workspaceId: WorkspaceId,
  { calendarKey, now }: { calendarKey: string; now: Date },
): Promise<void> {
  const longAgo = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const isOver = or(
    and(isNotNull(appointments.claimedUntil), lte(appointments.claimedUntil, now)),
    lt(appointments.endsAt, longAgo),
  );
  await db
    .delete(appointments)
    .where(and(eq(appointments.workspaceId, workspaceId), eq(appointments.calendarKey, calendarKey), isOver));
}

export async function insertAppointment(
  db: Database,
  workspaceId: WorkspaceId,
  appointment: NewAppointment,
): Promise<void> {
  await db.insert(appointments).values({ ...appointment, workspaceId });
}

/** The server has it: the conversation may be told so again. */
export async function confirmAppointment(
  db: Database,
  workspaceId: WorkspaceId,
  appointmentId: string,
  callId: string,
): Promise<void> {
  await db
    .update(appointments)
    .set({ callId })
    .where(and(eq(appointments.id, appointmentId), eq(appointments.workspaceId, workspaceId)));
}

/** Those that are kept here and are not over yet. */
export async function listAppointments(
  db: Database,
  workspaceId: WorkspaceId,
  { integrationId, now, limit }: { integrationId: string; now: Date; limit: number },
): Promise<AppointmentRow[]> {
  return db
    .select()
    .from(appointments)
    .where(
      and(
        eq(appointments.workspaceId, workspaceId),
        eq(appointments.integrationId, integrationId),
        isNull(appointments.claimedUntil),
        gt(appointments.endsAt, now),
      ),
    )
    .orderBy(asc(appointments.startsAt))
    .limit(limit);
}

export async function findAppointment(
  db: Database,
  workspaceId: WorkspaceId,
  appointmentId: string,
): Promise<AppointmentRow> {
  const [row] = await db.select().from(appointments).where(eq(appointments.id, appointmentId));
  return ownedOrThrow(row, workspaceId, 'Appointment');
}

export async function deleteAppointment(
  db: Database,
  workspaceId: WorkspaceId,
  appointmentId: string,
): Promise<void> {
  await db
    .delete(appointments)
    .where(and(eq(appointments.id, appointmentId), eq(appointments.workspaceId, workspaceId)));
}
