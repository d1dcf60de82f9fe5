import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, dateTime } from './columns.ts';
import { integrations } from './integrations.ts';
import { workspaces } from './workspaces.ts';

/**
 * Appointments of calendars that have no server, and for all calendars the times that are being booked just now: two
 * conversations never get the same one (docs/decisions/0298).
 */
export const appointments = pgTable(
  'appointments',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    integrationId: text('integration_id')
      .notNull()
      .references(() => integrations.id, { onDelete: 'cascade' }),
    /** What may not be booked twice: the address of a calendar, or the integration that keeps it. */
    calendarKey: text('calendar_key').notNull(),
    startsAt: dateTime('starts_at').notNull(),
    endsAt: dateTime('ends_at').notNull(),
    title: text('title').notNull(),
    /** The other side's number; null where there is none. */
    phone: text('phone'),
    /** The conversation in which it was booked; null where somebody tried it. No foreign key: it outlives it. */
    callId: text('call_id'),
    /** Until when it is kept for what a server is told just now; null: an appointment that is kept here. */
    claimedUntil: dateTime('claimed_until'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('appointments_start').on(table.calendarKey, table.startsAt),
    index('appointments_of_integration').on(table.integrationId, table.startsAt),
  ],
);
