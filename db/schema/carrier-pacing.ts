import { pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** When each carrier with a limit of calls per second takes its next one: shared by every process. */
export const carrierPacing = pgTable('carrier_pacing', {
  carrier: text('carrier').primaryKey(),
  nextDialAt: timestamp('next_dial_at', { withTimezone: true }).notNull(),
});
