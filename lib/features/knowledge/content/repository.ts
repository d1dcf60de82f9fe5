import { setImmediate } from 'node:timers/promises';
import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { type Database, type OpenDatabase, queryRows } from '#db/client.ts';
import { chunkCodes, chunks, chunkVectors, documents, termBlocks } from '#db/schema/knowledge.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { type CopyRows, copyTarget } from './rows.ts';

/** A table with what its primary key has behind the document. */
type ContentTable = { table: PgTable; hasModel: boolean; number: SQL };

const CHUNKS: ContentTable = { table: chunks, hasModel: false, number: sql`seq` };
const VECTORS: ContentTable = { table: chunkVectors, hasModel: true, number: sql`seq` };
const CODES: ContentTable = { table: chunkCodes, hasModel: true, number: sql`seq` };
const TERM_BLOCKS: ContentTable = { table: termBlocks, hasModel: false, number: sql`part` };

/** All or nothing. */
export async function copyRows(database: OpenDatabase, rows: CopyRows[]): Promise<void> {
  await database.copyIn(rows.map((some) => ({ table: copyTarget(some), bytes: some.bytes })));
}

/** Documents per statement: a sweep, or a collection, may have very many. */
const DELETED_DOCUMENTS = 100;
/** Rows per transaction: some 10 ms of the embedded database where they are vectors, so that other requests get their turn in between. */
const DELETED_ROWS = 150;

/** Rows of these documents for which `which` is true, a condition on the columns of their table. */
type RowsOf = { documentIds: string[]; which: SQL; signal?: AbortSignal };

/**
 * Removes what there is of documents that are gone, or FAILED. Each statement looks at the state anew, so that a document
 * that is processed again meanwhile keeps what it writes. No workspace is named: the rows that said it may be gone.
 */
export async function deleteLeftovers(db: Database, documentIds: string[]): Promise<void> {
  await deleteContents(db, {
    documentIds,
    which: sql`not exists (select from documents where id = document_id and status <> 'FAILED')`,
  });
}

/** Removes what an earlier attempt left, by the one who processes the document now. */
export async function clearContents(db: Database, documentId: string): Promise<void> {
  await deleteContents(db, { documentIds: [documentId], which: sql`true` });
}

async function deleteContents(db: Database, rows: RowsOf): Promise<void> {
  for (const tables of [[CHUNKS], [VECTORS, CODES], [TERM_BLOCKS]] as const)
    await deleteInTurns(db, tables, rows);
}

/** Removes the vectors of other models of a collection's visible documents, with their codes. */
export async function deleteOldVectors(
  db: Database,
  workspaceId: WorkspaceId,
  collection: { baseId: string; model: string; signal: AbortSignal },
): Promise<void> {
  const { baseId, model, signal } = collection;
  const visible = and(
    eq(documents.workspaceId, workspaceId),
    eq(documents.knowledgeBaseId, baseId),
    eq(documents.status, 'COMPLETED'),
  );
  const rows = await db.select({ id: documents.id }).from(documents).where(visible);
  const documentIds = rows.map(({ id }) => id);
  await deleteInTurns(db, [VECTORS, CODES], { documentIds, which: sql`model <> ${model}`, signal });
}

/** `model` is empty where the table has none. */
type RowKey = { documentId: string; model: string; number: number };

/**
 * Deletes rows with the same keys from these tables, some at a time. Each turn begins behind the last one: from the start,
 * it would pass over all that was deleted before, which held up others for 140 ms.
 */
async function deleteInTurns(
  db: Database,
  tables: readonly [ContentTable, ...ContentTable[]],
  { documentIds, which, signal }: RowsOf,
): Promise<void> {
  for (let done = 0; done < documentIds.length; done += DELETED_DOCUMENTS) {
    let ids = documentIds.slice(done, done + DELETED_DOCUMENTS);
    let keys: RowKey[] = [];
    do {
      signal?.throwIfAborted();
      const last = keys.at(-1);
      if (last) ids = ids.slice(ids.indexOf(last.documentId));
      // Together: a vector without its code would never be found, and a code without its vector never be written again.
      keys = await db.transaction(async (tx) => {
        const next = await nextKeys(tx, tables[0], { ids, last, which });
        for (const table of tables) await deleteKeys(tx, table, { keys: next, which });
        return next;
      });
      // The embedded database answers without giving the event loop a turn.
      await setImmediate();
    } while (keys.length === DELETED_ROWS);
  }
}

/** In the order of the documents, those of the first one behind `last`. */
async function nextKeys(
  tx: Database,
  { table, hasModel, number }: ContentTable,
  { ids, last, which }: { ids: string[]; last: RowKey | undefined; which: SQL },
): Promise<RowKey[]> {
  const behind = ids.map(
    (documentId, index) => (index === 0 && last) || { documentId, model: '', number: -1 },
  );
  // Along the primary key: without statistics, all rows of a document would be read and put in order for some of them.
  await tx.execute(sql`set local enable_sort = off`);
  return queryRows<RowKey>(
    tx,
    sql`select behind.document_id as "documentId", ${hasModel ? sql`found.model` : sql`''`} as model, found.number
      from ${keyRows(behind)} cross join lateral (
        select ${hasModel ? sql`model, ` : sql``}${number} as number from ${table} rows
        where rows.document_id = behind.document_id and ${which}
          and ${hasModel ? sql`(model, ${number}) > (behind.model, behind.number)` : sql`${number} > behind.number`}
        order by ${hasModel ? sql`model, ` : sql``}${number} limit ${DELETED_ROWS}
      ) found limit ${DELETED_ROWS}`,
  );
}

async function deleteKeys(
  tx: Database,
  { table, hasModel, number }: ContentTable,
  { keys, which }: { keys: RowKey[]; which: SQL },
): Promise<void> {
  // By their places, each looked up in the primary key, whatever is known of the table.
  await tx.execute(
    sql`delete from ${table} where ${which} and ctid = any(array(
      select place from ${keyRows(keys)} cross join lateral (
        select ctid as place from ${table} rows where rows.document_id = behind.document_id
          ${hasModel ? sql`and rows.model = behind.model` : sql``} and rows.${number} = behind.number limit 1
      ) found))`,
  );
}

function keyRows(keys: RowKey[]): SQL {
  return sql`unnest(${sql.param(keys.map((key) => key.documentId))}::text[], ${sql.param(keys.map((key) => key.model))}::text[], ${sql.param(keys.map((key) => key.number))}::int[]) as behind (document_id, model, number)`;
}

/** Documents looked at per statement; each is a look into the primary key of a table. */
const SWEPT_DOCUMENTS = 500;

/** Documents that do not exist, or failed, and of which something is left: by a crash, or by a worker that lost its lease. */
export async function documentsWithLeftovers(db: Database): Promise<string[]> {
  const found = new Set<string>();
  for (const { table } of [CHUNKS, VECTORS, CODES, TERM_BLOCKS]) {
    let after: string | undefined = '';
    while (after !== undefined) {
      // From one id to the next by the primary key: there are few documents and many rows.
      const rows: { id: string; isLeft: boolean }[] = await queryRows(
        db,
        sql`with recursive ids as (
          (select document_id as id from ${table} where document_id > ${after} order by document_id limit 1)
          union all
          select (select document_id from ${table} where document_id > ids.id order by document_id limit 1)
          from ids where ids.id is not null
        ), page as (select id from ids where id is not null limit ${SWEPT_DOCUMENTS})
        select id, not exists (
          select from documents where documents.id = page.id and status <> 'FAILED'
        ) as "isLeft" from page`,
      );
      for (const row of rows) if (row.isLeft) found.add(row.id);
      after = rows.length === SWEPT_DOCUMENTS ? rows.at(-1)?.id : undefined;
      await setImmediate();
    }
  }
  return [...found];
}

export async function dropOtherModels(db: Database, documentId: string, model: string): Promise<void> {
  for (const table of [chunkVectors, chunkCodes])
    await db.delete(table).where(and(eq(table.documentId, documentId), ne(table.model, model)));
}

export async function pageOfChunks(
  db: Database,
  workspaceId: WorkspaceId,
  page: { documentId: string; limit: number; offset: number },
) {
  return db
    .select({ seq: chunks.seq, text: chunks.text, source: chunks.source })
    .from(chunks)
    .innerJoin(documents, eq(documents.id, chunks.documentId))
    .where(and(eq(chunks.documentId, page.documentId), eq(documents.workspaceId, workspaceId)))
    .orderBy(asc(chunks.seq))
    .limit(page.limit)
    .offset(page.offset);
}

/** The chunks that hold characters `start..end` of the extracted text, in order. */
export async function chunksBetween(
  db: Database,
  workspaceId: WorkspaceId,
  range: { documentId: string; start: number; end: number },
) {
  return db
    .select({ text: chunks.text, source: chunks.source })
    .from(chunks)
    .innerJoin(documents, eq(documents.id, chunks.documentId))
    .where(
      and(
        eq(chunks.documentId, range.documentId),
        eq(documents.workspaceId, workspaceId),
        sql`(${chunks.source}->>'end')::int > ${range.start}`,
        sql`(${chunks.source}->>'start')::int < ${range.end}`,
      ),
    )
    .orderBy(asc(chunks.seq));
}
