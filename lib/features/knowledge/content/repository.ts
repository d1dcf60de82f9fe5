import { setImmediate } from 'node:timers/promises';
import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm';
import { type Database, type OpenDatabase, queryRows } from '#db/client.ts';
import { chunkCodes, chunks, chunkVectors, documents, termBlocks } from '#db/schema/knowledge.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { type CopyRows, copyTarget } from './rows.ts';

/** Written and removed together. */
const VECTOR_TABLES = [chunkVectors, chunkCodes];
const CONTENT_TABLES = [chunks, ...VECTOR_TABLES, termBlocks];

/** All or nothing. */
export async function copyRows(database: OpenDatabase, rows: CopyRows[]): Promise<void> {
  await database.copyIn(rows.map((some) => ({ table: copyTarget(some), bytes: some.bytes })));
}

/** Documents per statement: a sweep, or a collection, may have very many. */
const DELETED_DOCUMENTS = 100;
/** Rows per statement: some 10 ms of the embedded database, so that other requests get their turn in between. */
const DELETED_ROWS = 250;
/** Some 20 ms. Fewer would pass over what was deleted before more often. */
const LISTED_ROWS = 1_000;

/**
 * Removes what there is of documents that are gone, or FAILED. Each statement looks at the state anew, so that a document
 * that is processed again meanwhile keeps what it writes. No workspace is named: the rows that said it may be gone.
 */
export async function deleteLeftovers(db: Database, documentIds: string[]): Promise<void> {
  for (let at = 0; at < documentIds.length; at += DELETED_DOCUMENTS) {
    const some = documentIds.slice(at, at + DELETED_DOCUMENTS);
    await deleteInBatches(
      db,
      sql`document_id in ${some} and not exists (select from documents where id = document_id and status <> 'FAILED')`,
    );
  }
}

/** Removes what an earlier attempt left, by the one who processes the document now. */
export async function clearContents(db: Database, documentId: string): Promise<void> {
  await deleteInBatches(db, sql`document_id = ${documentId}`);
}

async function deleteInBatches(db: Database, which: SQL): Promise<void> {
  for (const table of CONTENT_TABLES) await deleteRows(db, table, which);
}

/** Rows are listed by their place first: a statement that looked for the next ones would pass over all deleted before. */
async function deleteRows(db: Database, table: (typeof CONTENT_TABLES)[number], which: SQL): Promise<void> {
  await inTurns(
    () =>
      queryRows<{ place: string }>(
        db,
        sql`select ctid::text as place from ${table} where ${which} limit ${LISTED_ROWS}`,
      ),
    async (rows) => {
      const places = `{${rows.map(({ place }) => `"${place}"`).join(',')}}`;
      await db.execute(sql`delete from ${table} where ctid = any(${places}::tid[]) and ${which}`);
    },
  );
}

/** Lists up to `LISTED_ROWS` rows and removes them in parts, until fewer are listed. */
async function inTurns<Row>(
  list: () => Promise<Row[]>,
  remove: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let listed: Row[];
  do {
    listed = await list();
    // The embedded database answers without giving the event loop a turn.
    await setImmediate();
    for (let at = 0; at < listed.length; at += DELETED_ROWS) {
      await remove(listed.slice(at, at + DELETED_ROWS));
      await setImmediate();
    }
  } while (listed.length === LISTED_ROWS);
}

/** Removes the vectors of other models of a collection's visible documents, with their codes. */
export async function deleteOldVectors(
  db: Database,
  workspaceId: WorkspaceId,
  collection: { baseId: string; model: string; signal: AbortSignal },
): Promise<void> {
  const which = sql`model <> ${collection.model} and document_id in (
    select id from documents
    where knowledge_base_id = ${collection.baseId} and workspace_id = ${workspaceId} and status = 'COMPLETED'
  )`;
  await inTurns(
    () =>
      queryRows<VectorKey>(
        db,
        sql`select document_id as "documentId", model, seq from ${chunkVectors} where ${which} limit ${LISTED_ROWS}`,
      ),
    async (keys) => {
      collection.signal.throwIfAborted();
      await deleteVectors(db, keys);
    },
  );
}

type VectorKey = { documentId: string; model: string; seq: number };

/** In one transaction: a vector without its code would never be found, and a code without its vector never be written again. */
async function deleteVectors(db: Database, keys: VectorKey[]): Promise<void> {
  const groups = Map.groupBy(keys, ({ documentId, model }) => `${documentId} ${model}`);
  await db.transaction(async (tx) => {
    for (const group of groups.values()) {
      const [first] = group;
      if (!first) continue;
      const numbers = `{${group.map(({ seq }) => seq).join(',')}}`;
      for (const table of VECTOR_TABLES)
        await tx.execute(
          sql`delete from ${table} where document_id = ${first.documentId} and model = ${first.model} and seq = any(${numbers}::int[])`,
        );
    }
  });
}

/** Documents looked at per statement; each is a look into the primary key of a table. */
const SWEPT_DOCUMENTS = 500;

/** Documents that do not exist, or failed, and of which something is left: by a crash, or by a worker that lost its lease. */
export async function documentsWithLeftovers(db: Database): Promise<string[]> {
  const found = new Set<string>();
  for (const table of CONTENT_TABLES) {
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
  for (const table of VECTOR_TABLES)
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
