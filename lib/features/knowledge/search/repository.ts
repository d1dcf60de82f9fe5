import { and, eq, inArray, type SQL, sql, sum } from 'drizzle-orm';
import pgvector from 'pgvector';
import { type Database, queryRows } from '#db/client.ts';
import { agentKnowledgeBases, chunks, documents, knowledgeBases } from '#db/schema/knowledge.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { queryPlanes } from '../embedding/vector-codes.ts';
import type { ChunkKey } from '../rules.ts';
import type { Ranked, SearchPlan } from './rules.ts';

/** A collection that is searched, with the number of its visible chunks. */
export type Collection = { id: string; model: string; chunkCount: number };

export async function collectionsOfAgent(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<Collection[]> {
  const attached = db
    .select({ id: agentKnowledgeBases.knowledgeBaseId })
    .from(agentKnowledgeBases)
    .where(and(eq(agentKnowledgeBases.agentId, agentId), eq(agentKnowledgeBases.workspaceId, workspaceId)));
  return collections(db, workspaceId, inArray(knowledgeBases.id, attached));
}

export function collectionOfBase(
  db: Database,
  workspaceId: WorkspaceId,
  baseId: string,
): Promise<Collection[]> {
  return collections(db, workspaceId, eq(knowledgeBases.id, baseId));
}

async function collections(db: Database, workspaceId: WorkspaceId, which: SQL): Promise<Collection[]> {
  const rows = await db
    .select({
      id: knowledgeBases.id,
      model: knowledgeBases.embeddingModel,
      chunkCount: sum(documents.chunkCount).mapWith(Number),
    })
    .from(knowledgeBases)
    .leftJoin(
      documents,
      and(eq(documents.knowledgeBaseId, knowledgeBases.id), eq(documents.status, 'COMPLETED')),
    )
    .where(and(eq(knowledgeBases.workspaceId, workspaceId), which))
    .groupBy(knowledgeBases.id)
    .orderBy(knowledgeBases.id);
  return rows.map((row) => ({ ...row, chunkCount: row.chunkCount ?? 0 }));
}

/**
 * The rows of the documents that are looked at: where a chunk belongs, and whether it may be seen, stands there alone. As
 * an array, because a join would hash all wide rows of a large table: a third to a half of the time.
 */
function isVisible(workspaceId: WorkspaceId, baseIds: string[]): SQL {
  return sql`document_id = any(array(select id from documents
    where workspace_id = ${workspaceId} and knowledge_base_id in ${baseIds} and status = 'COMPLETED'))`;
}

/** The nearest chunks by cosine, best first: among all, or among those that are nearest by the codes. */
export async function nearestChunks(
  db: Database,
  workspaceId: WorkspaceId,
  query: { baseIds: string[]; model: string; vector: Float32Array; plan: SearchPlan; limit: number },
): Promise<Ranked[]> {
  if (query.plan.kind === 'empty') return [];
  const among = sql`${isVisible(workspaceId, query.baseIds)} and model = ${query.model}`;
  // Laterally, so that the plan is to look up the vectors of the candidates, whatever is known of the tables.
  const candidates =
    query.plan.kind === 'exact'
      ? sql`select document_id, seq, embedding from chunk_vectors where ${among}`
      : sql`select document_id, seq, embedding from (
          select document_id, seq from chunk_codes where ${among}
          order by ${codeDistance(query.vector)} limit ${query.plan.candidates}
        ) nearest cross join lateral (
          select embedding from chunk_vectors
          where document_id = nearest.document_id and model = ${query.model} and seq = nearest.seq limit 1
        ) vector`;
  return queryRows<Ranked>(
    db,
    sql`with compared as (
      select document_id, seq, embedding <=> ${halfvecLiteral(query.vector)} as distance from (${candidates}) candidates
    ) select document_id as "documentId", seq, 1 - distance as score from compared
      order by distance, document_id, seq limit ${query.limit}`,
  );
}

/** The weighted sum of bit distances that stands for the product of question and code; see `embedding/vector-codes.ts`. */
function codeDistance(vector: Float32Array): SQL {
  const planes = queryPlanes(vector).map((plane, index) => {
    const bits = sql`${plane}::bit(3072)`;
    return sql`${2 ** index} * (2 * (sign_bits <~> ${bits}) + (magnitude_bits <~> ${bits}))`;
  });
  return sql.join(planes, sql` + `);
}

/** Exact similarities of given chunks, for those that only their words found. */
export async function similarities(
  db: Database,
  workspaceId: WorkspaceId,
  query: { chunks: ChunkKey[]; model: string; vector: Float32Array },
): Promise<Ranked[]> {
  if (query.chunks.length === 0) return [];
  return queryRows<Ranked>(
    db,
    sql`select document_id as "documentId", seq, 1 - (embedding <=> ${halfvecLiteral(query.vector)}) as score
      from chunk_vectors join documents on id = document_id
      where workspace_id = ${workspaceId} and model = ${query.model} and (document_id, seq) in ${keyValues(query.chunks)}`,
  );
}

/** The term blocks that may hold any of the hashes, document by document. */
export async function blocksWithTerms(
  db: Database,
  workspaceId: WorkspaceId,
  query: { baseIds: string[]; hashes: number[] },
): Promise<{ documentId: string; postings: Uint8Array }[]> {
  if (query.hashes.length === 0) return [];
  const inRange = query.hashes.map((hash) => sql`${hash}::int between low and high`);
  return queryRows(
    db,
    sql`select document_id as "documentId", postings from term_blocks
      where ${isVisible(workspaceId, query.baseIds)} and (${sql.join(inRange, sql` or `)}) order by document_id`,
  );
}

export async function chunkDetails(db: Database, workspaceId: WorkspaceId, wanted: ChunkKey[]) {
  if (wanted.length === 0) return [];
  return db
    .select({
      documentId: chunks.documentId,
      seq: chunks.seq,
      documentName: documents.originalName,
      fileType: documents.fileType,
      knowledgeBaseId: documents.knowledgeBaseId,
      knowledgeBaseName: knowledgeBases.name,
      text: chunks.text,
      source: chunks.source,
    })
    .from(chunks)
    .innerJoin(documents, eq(documents.id, chunks.documentId))
    .innerJoin(knowledgeBases, eq(knowledgeBases.id, documents.knowledgeBaseId))
    .where(
      and(
        eq(documents.workspaceId, workspaceId),
        sql`(${chunks.documentId}, ${chunks.seq}) in ${keyValues(wanted)}`,
      ),
    );
}

/** Any visible chunks, in order, for a collection whose vectors cannot be asked: `min(k, size)` holds there too. */
export async function firstChunks(
  db: Database,
  workspaceId: WorkspaceId,
  query: { baseIds: string[]; limit: number },
): Promise<ChunkKey[]> {
  return queryRows<ChunkKey>(
    db,
    sql`select document_id as "documentId", seq from chunks
      where ${isVisible(workspaceId, query.baseIds)} order by document_id, seq limit ${query.limit}`,
  );
}

function halfvecLiteral(vector: Float32Array): SQL {
  return sql`${pgvector.toSql([...vector])}::halfvec(3072)`;
}

function keyValues(wanted: ChunkKey[]): SQL {
  return sql`(values ${sql.join(
    wanted.map((chunk) => sql`(${chunk.documentId}, ${chunk.seq}::int)`),
    sql`, `,
  )})`;
}
