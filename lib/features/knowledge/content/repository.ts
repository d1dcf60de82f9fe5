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
/** Rows per transaction: some 10 ms of the embedded database where they are vectors; others get their turn in between. */
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
    let behind: RowKey[] = documentIds
      .slice(done, done + DELETED_DOCUMENTS)
      .map((documentId) => ({ documentId, model: '', number: -1 }));
    for (;;) {
      signal?.throwIfAborted();
      const keys = await deleteBehind(db, tables, { behind, which });
      // The embedded database answers without giving the event loop a turn.
      await setImmediate();
      const last = keys.at(-1);
      if (!last || keys.length < DELETED_ROWS) break;
      const at = behind.findIndex(({ documentId }) => documentId === last.documentId);
      behind = [last, ...behind.slice(at + 1)];
    }
  }
}

/** Deletes the first rows behind these keys, one for each document, and answers theirs, in the order of the documents. */
function deleteBehind(
  db: Database,
  [first, ...others]: readonly [ContentTable, ...ContentTable[]],
  { behind, which }: { behind: RowKey[]; which: SQL },
): Promise<RowKey[]> {
  const key = first.hasModel ? sql`model, ${first.number}` : first.number;
  const keyBehind = first.hasModel ? sql`behind.model, behind.number` : sql`behind.number`;
  // One statement: a vector without its code would never be found, and a code without its vector never be written again.
  const statement = sql`with found as materialized (
      select behind.document_id, ${first.hasModel ? sql`next.model` : sql`''`} as model, next.number, next.place
      from unnest(${sql.param(behind.map(({ documentId }) => documentId))}::text[],
        ${sql.param(behind.map(({ model }) => model))}::text[],
        ${sql.param(behind.map(({ number }) => number))}::int[]) as behind (document_id, model, number)
      cross join lateral (
        select ${key} as number, ctid as place from ${first.table} rows
        where rows.document_id = behind.document_id and ${which} and (${key}) > (${keyBehind})
        order by ${key} limit ${DELETED_ROWS}
      ) next limit ${DELETED_ROWS}
    ), deleted as (delete from ${first.table} where ctid = any(array(select place from found)))
    ${sql.join(others.map(deletionOfFound))}
    select document_id as "documentId", model, number from found`;
  return db.transaction(async (tx) => {
    // Along the primary key: without statistics, all rows of a document would be read and put in order for some of them.
    await tx.execute(sql`set local enable_sort = off`);
    return queryRows<RowKey>(tx, statement);
  });
}

/** By their places, each looked up in the primary key, whatever is known of the table. */
function deletionOfFound({ table, hasModel, number }: ContentTable, index: number): SQL {
  return sql`, ${sql.identifier(`deleted_${index}`)} as (delete from ${table} where ctid = any(array(
    select same.place from found cross join lateral (
      select ctid as place from ${table} rows where rows.document_id = found.document_id
        ${hasModel ? sql`and rows.model = found.model` : sql``} and rows.${number} = found.number limit 1
    ) same)))`;
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
