import type { TableStore } from '#db/table-shape.ts';
import { readJournal } from '#db/migrations.ts';

type Query = Pick<TableStore, 'query'>;

/** Keys of the recordings and documents that rows name and that must be there. */
export async function namedObjects({ query }: Query): Promise<string[]> {
  const rows = await query(`
    select recording_key as key from calls where recording_key is not null
    union all select storage_key from documents where status = 'COMPLETED'`);
  return rows.map(({ key }) => String(key));
}

/** The last migration that a database has had. Throws where it has had none, or one that this release does not know. */
export async function lastMigrationOf({ query }: Query): Promise<{ idx: number; tag: string }> {
  const [row] = await query('select max(created_at)::float8 as last from drizzle.__drizzle_migrations');
  const found = (await readJournal()).entries.find(({ when }) => when === row?.last);
  if (!found) throw new Error('the database is of another release than this one');
  return { idx: found.idx, tag: found.tag };
}

/** Whether a database holds anything of anybody. */
export async function isInstalled({ query }: Query): Promise<boolean> {
  const [made] = await query("select to_regclass('public.workspaces') is not null as made");
  if (made?.made !== true) return false;
  const [row] = await query('select exists (select from workspaces) or exists (select from users) as used');
  return row?.used === true;
}

/** A schema that is there while a database is filled, and tells a service that starts on it to wait. */
export const FILLING = 'callwright_filling';

export async function isBeingFilled({ query }: Query): Promise<boolean> {
  const [row] = await query(`select to_regnamespace('${FILLING}') is not null as filling`);
  return row?.filling === true;
}
