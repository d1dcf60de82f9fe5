/** A table as it is copied: all of its columns, in the order of its key. */
export type TableShape = {
  name: string;
  columns: string[];
  key: { name: string; isText: boolean }[];
  /** Tables whose rows must be there first. */
  needs: string[];
  /** Columns that count up by themselves. */
  counters: string[];
};

/** A database as tables with rows in COPY's binary form, which is the same on every PostgreSQL. */
export type TableStore = {
  /** Every table of the service, those first that others refer to. */
  shapes(): Promise<TableShape[]>;
  /** All rows in the order of the key, whatever the database's locale; or none, as of an empty table. */
  read(shape: TableShape, options?: { isEmpty: boolean }): AsyncIterable<Uint8Array>;
  /** Rows as `read` gives them; into an empty table. */
  write(shape: TableShape, rows: AsyncIterable<Uint8Array>): Promise<void>;
  /** One connection: `begin` begins a transaction in which everything after it is. */
  query(text: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};

/** Whose turn it is belongs to the processes of one database, not to its data. */
const LEFT_OUT = ['scheduled_work'];

export const SHAPES = `
  select c.relname as name,
    (select json_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select json_agg(json_build_object('name', a.attname, 'isText', a.attcollation <> 0) order by k.place)
      from pg_index i, unnest(i.indkey) with ordinality as k (attnum, place), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as key,
    (select coalesce(json_agg(distinct f.relname), '[]') from pg_constraint r join pg_class f on f.oid = r.confrelid
      where r.conrelid = c.oid and r.contype = 'f' and r.confrelid <> c.oid) as needs,
    (select coalesce(json_agg(a.attname), '[]') from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) is not null) as counters
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind = 'r' and c.relname not in (${LEFT_OUT.map((name) => `'${name}'`).join(', ')})
  order by c.relname`;

/** The rows of `SHAPES`, those first that others refer to. Throws where two tables refer to each other, or one has no key. */
export function inOrder(rows: readonly Record<string, unknown>[]): TableShape[] {
  const waiting = new Map(rows.map((row) => [String(row.name), row as TableShape]));
  const ordered: TableShape[] = [];
  while (waiting.size > 0) {
    const next = [...waiting.values()].find((shape) => !shape.needs.some((name) => waiting.has(name)));
    if (!next) throw new Error(`these tables refer to each other: ${[...waiting.keys()].join(', ')}`);
    if (!next.key) throw new Error(`the table ${next.name} has no primary key`);
    waiting.delete(next.name);
    ordered.push(next);
  }
  return ordered;
}

const named = (name: string) => `"${name}"`;
export const columnsOf = ({ columns }: TableShape) => columns.map(named).join(', ');
export const tableOf = ({ name }: TableShape) => `public.${named(name)}`;

export function rowsInOrder(shape: TableShape, { isEmpty } = { isEmpty: false }): string {
  const key = shape.key.map(({ name, isText }) => (isText ? `${named(name)} collate "C"` : named(name)));
  return `select ${columnsOf(shape)} from ${tableOf(shape)} where ${!isEmpty} order by ${key.join(', ')}`;
}

/**
 * Writes rows as they were, without what triggers would make of them a second time, and lets columns that count up go on
 * after them.
 */
export async function writeUntouched(
  { query }: Pick<TableStore, 'query'>,
  shape: TableShape,
  write: () => Promise<void>,
): Promise<void> {
  await query(`alter table ${tableOf(shape)} disable trigger user`);
  await write();
  await query(`alter table ${tableOf(shape)} enable trigger user`);
  await continueCounters({ query }, shape);
}

async function continueCounters({ query }: Pick<TableStore, 'query'>, shape: TableShape): Promise<void> {
  for (const column of shape.counters)
    await query(
      `select setval(pg_get_serial_sequence('${tableOf(shape)}', '${column}'), coalesce(max(${named(column)}), 0) + 1, false) from ${tableOf(shape)}`,
    );
}
