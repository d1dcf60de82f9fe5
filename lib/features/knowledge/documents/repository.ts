import { and, count, desc, eq, inArray, lt, or, sql, sum } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { documents, knowledgeBases } from '#db/schema/knowledge.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import { type DocumentEvent, stateAfter, statesBefore } from './machine.ts';

export type DocumentRow = typeof documents.$inferSelect;

export async function findDocument(db: Database, workspaceId: WorkspaceId, id: string): Promise<DocumentRow> {
  const [row] = await db.select().from(documents).where(eq(documents.id, id));
  return ownedOrThrow(row, workspaceId, 'Document');
}

export async function listDocumentsOfBase(
  db: Database,
  workspaceId: WorkspaceId,
  baseId: string,
): Promise<DocumentRow[]> {
  return db
    .select()
    .from(documents)
    .where(and(eq(documents.knowledgeBaseId, baseId), eq(documents.workspaceId, workspaceId)))
    .orderBy(desc(documents.createdAt), desc(documents.id));
}

export async function insertDocument(
  db: Database,
  workspaceId: WorkspaceId,
  row: Omit<typeof documents.$inferInsert, 'workspaceId'>,
): Promise<DocumentRow> {
  const [created] = await db
    .insert(documents)
    .values({ ...row, workspaceId })
    .returning();
  if (!created) throw new Error('the document was not stored');
  return created;
}

type Change = Partial<
  Pick<
    DocumentRow,
    'leaseToken' | 'leaseUntil' | 'errorMessage' | 'chunkCount' | 'textLength' | 'processedAt'
  >
>;

/** One step of the machine, by whoever holds `token`. undefined: another one was faster, or the document is gone. */
export async function moveDocument(
  db: Database,
  workspaceId: WorkspaceId,
  step: { id: string; event: DocumentEvent; token?: string; change: Change },
): Promise<DocumentRow | undefined> {
  const [row] = await db
    .update(documents)
    .set({ ...step.change, status: stateAfter(step.event) })
    .where(
      and(
        eq(documents.id, step.id),
        eq(documents.workspaceId, workspaceId),
        inArray(documents.status, statesBefore(step.event)),
        ...(step.token === undefined ? [] : [eq(documents.leaseToken, step.token)]),
      ),
    )
    .returning();
  return row;
}

/** False when the document was deleted, or taken away by the sweep. */
export async function renewLease(
  db: Database,
  workspaceId: WorkspaceId,
  lease: { id: string; token: string; until: Date },
): Promise<boolean> {
  const rows = await db
    .update(documents)
    .set({ leaseUntil: lease.until })
    .where(
      and(
        eq(documents.id, lease.id),
        eq(documents.workspaceId, workspaceId),
        eq(documents.leaseToken, lease.token),
        inArray(documents.status, ['PENDING', 'PROCESSING']),
      ),
    )
    .returning({ id: documents.id });
  return rows.length > 0;
}

export async function deleteDocumentRow(db: Database, workspaceId: WorkspaceId, id: string): Promise<void> {
  await db.delete(documents).where(and(eq(documents.id, id), eq(documents.workspaceId, workspaceId)));
}

/** The model whose vectors must be complete when the document becomes visible; locked so that it cannot change before. */
export async function lockCollectionModel(
  db: Database,
  workspaceId: WorkspaceId,
  baseId: string,
): Promise<string | undefined> {
  const [row] = await db
    .select({ model: knowledgeBases.embeddingModel })
    .from(knowledgeBases)
    .where(and(eq(knowledgeBases.id, baseId), eq(knowledgeBases.workspaceId, workspaceId)))
    .for('share');
  return row?.model;
}

export async function totalsOfBase(db: Database, workspaceId: WorkspaceId, baseId: string) {
  const [row] = await db
    .select({
      documentCount: count(),
      chunkCount: sum(documents.chunkCount).mapWith(Number),
      sizeBytes: sum(documents.fileSize).mapWith(Number),
    })
    .from(documents)
    .where(and(eq(documents.knowledgeBaseId, baseId), eq(documents.workspaceId, workspaceId)));
  return {
    documentCount: row?.documentCount ?? 0,
    chunkCount: row?.chunkCount ?? 0,
    sizeBytes: row?.sizeBytes ?? 0,
  };
}

export async function storageKeysOfBase(
  db: Database,
  workspaceId: WorkspaceId,
  baseId: string,
): Promise<{ id: string; storageKey: string }[]> {
  return db
    .select({ id: documents.id, storageKey: documents.storageKey })
    .from(documents)
    .where(and(eq(documents.knowledgeBaseId, baseId), eq(documents.workspaceId, workspaceId)));
}

/** Documents in progress whose worker is gone; all of them where `now` is undefined. Across workspaces: for the sweep only. */
export async function abandonedDocuments(db: Database, now: Date | undefined): Promise<DocumentRow[]> {
  const open = inArray(documents.status, ['PENDING', 'PROCESSING']);
  return db
    .select()
    .from(documents)
    .where(
      now === undefined
        ? open
        : and(open, or(lt(documents.leaseUntil, now), sql`${documents.leaseUntil} is null`)),
    );
}

/** Which of these ids are documents; for the sweep of stored files. */
export async function existingDocumentIds(db: Database, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.select({ id: documents.id }).from(documents).where(inArray(documents.id, ids));
  return new Set(rows.map((row) => row.id));
}

/** How many documents could not be processed; the base they are in, where it is one. */
export async function countFailedDocuments(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<{ count: number; onlyBaseId: string | null }> {
  const [row] = await db
    .select({
      count: count(),
      onlyBaseId: sql<
        string | null
      >`case when min(${documents.knowledgeBaseId}) = max(${documents.knowledgeBaseId}) then min(${documents.knowledgeBaseId}) end`,
    })
    .from(documents)
    .where(and(eq(documents.workspaceId, workspaceId), eq(documents.status, 'FAILED')));
  return row ?? { count: 0, onlyBaseId: null };
}
