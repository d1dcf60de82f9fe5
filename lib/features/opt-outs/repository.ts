import { and, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { optOuts } from '#db/schema/opt-outs.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { E164 } from '#lib/phone-number.ts';
import type { OptOutPosition } from './rules.ts';

export type OptOutRow = typeof optOuts.$inferSelect;
export type NewOptOut = Omit<OptOutRow, 'workspaceId' | 'number'>;

/** Rows of one insert: each has a few parameters, and a statement takes 65,535. */
const ROWS_PER_INSERT = 1000;

/** Whether a number is on the list, as a condition of another statement: one look-up by the primary key. */
export function isOptedOut(workspaceId: WorkspaceId, number: SQL | string): SQL<boolean> {
  return sql`exists (select from ${optOuts} where ${optOuts.workspaceId} = ${workspaceId} and ${optOuts.number} = ${number})`;
}

export async function findOptOut(
  db: Database,
  workspaceId: WorkspaceId,
  number: string,
): Promise<OptOutRow | undefined> {
  const [row] = await db
    .select()
    .from(optOuts)
    .where(and(eq(optOuts.workspaceId, workspaceId), eq(optOuts.number, number)));
  return row;
}

/** Which of these numbers are on the list, in one statement for any number of them. */
export async function findOptedOut(
  db: Database,
  workspaceId: WorkspaceId,
  numbers: readonly string[],
): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const asked = sql`array(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`;
  const rows = await db
    .select({ number: optOuts.number })
    .from(optOuts)
    .where(and(eq(optOuts.workspaceId, workspaceId), sql`${optOuts.number} = any(${asked})`));
  return new Set(rows.map((row) => row.number));
}

/** Those that were not on the list before. What is there stays as it is: who asked first, and when. */
export async function insertOptOuts(
  db: Database,
  workspaceId: WorkspaceId,
  numbers: readonly E164[],
  added: NewOptOut,
): Promise<OptOutRow[]> {
  const inserted: OptOutRow[] = [];
  // In one order, as two lists that share numbers would lock them in different orders and wait for one another.
  const sorted = numbers.toSorted();
  for (let start = 0; start < sorted.length; start += ROWS_PER_INSERT) {
    const part = sorted.slice(start, start + ROWS_PER_INSERT);
    const rows = await db
      .insert(optOuts)
      .values(part.map((number) => ({ ...added, workspaceId, number })))
      .onConflictDoNothing()
      .returning();
    inserted.push(...rows);
  }
  return inserted;
}

export async function deleteOptOut(
  db: Database,
  workspaceId: WorkspaceId,
  number: string,
): Promise<OptOutRow | undefined> {
  const [row] = await db
    .delete(optOuts)
    .where(and(eq(optOuts.workspaceId, workspaceId), eq(optOuts.number, number)))
    .returning();
  return row;
}

/** Latest first, from behind `after` on. `digits` and `words`: what is looked for in numbers and in notes. */
export async function listOptOuts(
  db: Database,
  workspaceId: WorkspaceId,
  page: {
    limit: number;
    after?: OptOutPosition | undefined;
    digits?: string | undefined;
    words?: string | undefined;
  },
): Promise<OptOutRow[]> {
  const { limit, after, digits, words } = page;
  const found = or(
    digits === undefined ? undefined : ilike(optOuts.number, `%${digits}%`),
    words === undefined ? undefined : ilike(optOuts.note, `%${words.replace(/[\\%_]/g, '\\$&')}%`),
    words === undefined ? undefined : ilike(optOuts.addedBy, `%${words.replace(/[\\%_]/g, '\\$&')}%`),
  );
  return db
    .select()
    .from(optOuts)
    .where(
      and(
        eq(optOuts.workspaceId, workspaceId),
        after === undefined
          ? undefined
          : sql`(${optOuts.createdAt}, ${optOuts.number}) < (${after.createdAt.toISOString()}::timestamptz, ${after.number})`,
        found,
      ),
    )
    .orderBy(desc(optOuts.createdAt), desc(optOuts.number))
    .limit(limit);
}
