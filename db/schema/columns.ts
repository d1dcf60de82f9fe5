import { timestamp } from 'drizzle-orm/pg-core';

/** `timestamptz` with millisecond precision, as the API shows it. */
export const dateTime = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const createdAt = () => dateTime('created_at').notNull();
export const updatedAt = () => dateTime('updated_at').notNull();
