import { pgTable, text } from 'drizzle-orm/pg-core';
import { dateTime } from './columns.ts';

/** From when on each piece of scheduled work may be done again: whichever process comes first then does it. */
export const scheduledWork = pgTable('scheduled_work', {
  name: text('name').primaryKey(),
  nextAt: dateTime('next_at').notNull(),
});
