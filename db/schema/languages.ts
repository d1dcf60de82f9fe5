import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Language } from '#lib/engine/languages/language.ts';
import { createdAt } from './columns.ts';

/** What agents say in languages that the service does not come with, made once by the language model. */
export const madeLanguages = pgTable('made_languages', {
  /** `uk`, `zh`. */
  code: text('code').primaryKey(),
  lines: jsonb('lines').$type<Language>().notNull(),
  model: text('model').notNull(),
  createdAt: createdAt(),
});
