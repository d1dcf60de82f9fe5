import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * `insert into … select … where condition` for one row: drizzle's own `insert … select` wants every column of the table
 * and an expression with its type for each. The row travels as one JSON parameter and gets its types from the table.
 */
export function insertWhere<Table extends PgTable>(
  table: Table,
  row: Table['$inferInsert'],
  condition: SQL,
): SQL {
  const columns = getTableColumns(table);
  const given = Object.entries(row).flatMap(([key, value]) => {
    const column = columns[key];
    return column && value !== undefined ? [{ name: column.name, value }] : [];
  });
  const names = sql.join(
    given.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  const record = JSON.stringify(
    Object.fromEntries(given.map(({ name, value }) => [name, value])),
    wellFormed,
  );
  return sql`insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, ${record}::jsonb) where ${condition}`;
}

/** Half of a surrogate pair, where a text was cut, is no JSON for PostgreSQL. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
