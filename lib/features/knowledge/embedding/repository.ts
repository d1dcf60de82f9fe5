import { and, asc, eq, ne, notExists, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { chunks, chunkVectors, documents, knowledgeBases } from '#db/schema/knowledge.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { ChunkKey } from '../rules.ts';

/** One document, or a whole collection (then only what is visible: the rest is embedded by whoever processes it). */
export type MissingScope =
  | { documentId: string; knowledgeBaseId?: never }
  | { knowledgeBaseId: string; documentId?: never };

/** In the order of documents and numbers, from the one behind `after`. */
export async function chunksWithoutVector(
  db: Database,
  workspaceId: WorkspaceId,
  scope: MissingScope & {
    model: string;
    limit: number;
    after?: ChunkKey | undefined;
  },
) {
  const vector = db
    .select({ one: sql`1` })
    .from(chunkVectors)
    .where(
      and(
        eq(chunkVectors.documentId, chunks.documentId),
        eq(chunkVectors.model, scope.model),
        eq(chunkVectors.seq, chunks.seq),
      ),
    );
  const within =
    scope.documentId === undefined
      ? and(eq(documents.knowledgeBaseId, scope.knowledgeBaseId), eq(documents.status, 'COMPLETED'))
      : eq(chunks.documentId, scope.documentId);
  const behind = scope.after
    ? sql`(${chunks.documentId}, ${chunks.seq}) > (${scope.after.documentId}, ${scope.after.seq}::int)`
    : undefined;
  return db
    .select({
      documentId: chunks.documentId,
      seq: chunks.seq,
      text: chunks.text,
      source: chunks.source,
    })
    .from(chunks)
    .innerJoin(documents, eq(documents.id, chunks.documentId))
    .where(and(eq(documents.workspaceId, workspaceId), within, behind, notExists(vector)))
    .orderBy(asc(chunks.documentId), asc(chunks.seq))
    .limit(scope.limit);
}

/** Collections that are not on `model` yet. Across workspaces: for the start of the service only. */
export async function basesOnOtherModels(
  db: Database,
  model: string,
): Promise<{ id: string; workspaceId: string }[]> {
  return db
    .select({ id: knowledgeBases.id, workspaceId: knowledgeBases.workspaceId })
    .from(knowledgeBases)
    .where(ne(knowledgeBases.embeddingModel, model));
}

export async function setTarget(
  db: Database,
  workspaceId: WorkspaceId,
  change: { baseId: string; targetModel: string | null; error: string | null },
): Promise<void> {
  await db
    .update(knowledgeBases)
    .set({ targetModel: change.targetModel, reembedError: change.error })
    .where(and(eq(knowledgeBases.id, change.baseId), eq(knowledgeBases.workspaceId, workspaceId)));
}

/** Locks the collection, so that no document becomes visible while it is decided whether the new model may answer. */
export async function lockBase(db: Database, workspaceId: WorkspaceId, baseId: string) {
  const [row] = await db
    .select()
    .from(knowledgeBases)
    .where(and(eq(knowledgeBases.id, baseId), eq(knowledgeBases.workspaceId, workspaceId)))
    .for('update');
  return row;
}

export async function switchModel(
  db: Database,
  workspaceId: WorkspaceId,
  change: { baseId: string; model: string },
): Promise<void> {
  await db
    .update(knowledgeBases)
    .set({ embeddingModel: change.model, targetModel: null, reembedError: null })
    .where(and(eq(knowledgeBases.id, change.baseId), eq(knowledgeBases.workspaceId, workspaceId)));
}

/** How many visible chunks there are, and how many have a vector of `model`. */
export async function embeddingCounts(
  db: Database,
  workspaceId: WorkspaceId,
  scope: { baseId: string; model: string },
) {
  const [row] = await queryRows<{ total: number; embedded: number }>(
    db,
    sql`select coalesce(sum(d.chunk_count), 0)::int as total,
      (select count(*)::int from chunk_vectors v join documents e on e.id = v.document_id
        where e.knowledge_base_id = ${scope.baseId} and e.workspace_id = ${workspaceId} and e.status = 'COMPLETED'
          and v.model = ${scope.model}) as embedded
      from documents d where d.knowledge_base_id = ${scope.baseId} and d.workspace_id = ${workspaceId} and d.status = 'COMPLETED'`,
  );
  return { totalChunks: row?.total ?? 0, embeddedChunks: row?.embedded ?? 0 };
}
