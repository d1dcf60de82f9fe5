import { customType, timestamp } from 'drizzle-orm/pg-core';
import type { CallingHours } from '#lib/calling-hours/calling-hours.ts';
import { fromStoredHours, type StoredHours, toStoredHours } from '#lib/calling-hours/stored-hours.ts';

/** `timestamptz` with millisecond precision, as the API shows it. */
export const dateTime = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** `jsonb`, so that processes of the version before read it too (docs/decisions/0292). */
export const callingHoursColumn = customType<{ data: CallingHours; driverData: string | StoredHours }>({
  dataType: () => 'jsonb',
  toDriver: (hours) => JSON.stringify(toStoredHours(hours)),
  fromDriver: (stored) =>
    fromStoredHours(typeof stored === 'string' ? (JSON.parse(stored) as StoredHours) : stored),
});

export const createdAt = () => dateTime('created_at').notNull();
export const updatedAt = () => dateTime('updated_at').notNull();
