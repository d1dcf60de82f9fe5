import { timestamp } from 'drizzle-orm/pg-core';

/** `timestamptz` with millisecond precision, as the API shows it. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const createdAt = () => moment('created_at').notNull();
export const updatedAt = () => moment('updated_at').notNull();
