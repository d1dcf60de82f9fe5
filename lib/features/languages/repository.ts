import { eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { madeLanguages } from '#db/schema/languages.ts';

/** The lines that were made for a language; undefined where none were. */
export async function findMadeLanguage(db: Database, code: string) {
  const [row] = await db.select().from(madeLanguages).where(eq(madeLanguages.code, code));
  return row;
}

/** Keeps what was made, in place of what an older version had made. */
export async function keepMadeLanguage(db: Database, made: typeof madeLanguages.$inferInsert): Promise<void> {
  await db.insert(madeLanguages).values(made).onConflictDoUpdate({ target: madeLanguages.code, set: made });
}
