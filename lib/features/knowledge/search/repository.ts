import { and, eq, inArray, type SQL, sql, sum } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { agentKnowledgeBases, chunks, documents, knowledgeBases } from '#db/schema/knowledge.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
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

/** Whose chunks are looked at. Documents in progress are left out by name: they are few, and their chunks may be there. */
function visible(workspaceId: WorkspaceId, baseIds: string[]): SQL {
  return sql`workspace_id = ${workspaceId} and knowledge_base_id in ${baseIds}
    and document_id not in (select id from documents where knowledge_base_id in ${baseIds} and status <> 'COMPLETED')`;
}

/** The nearest chunks by cosine, best first: by an exact scan, or by the distance of the bits and then exactly. */
export async function nearestChunks(
  db: Database,
  workspaceId: WorkspaceId,
  query: { baseIds: string[]; model: string; vector: Float32Array; plan: SearchPlan; limit: number },
): Promise<Ranked[]> {
  if (query.plan.kind === 'empty') return [];
  const vector = sql`${literal(query.vector)}::halfvec(3072)`;
  const among = sql`${visible(workspaceId, query.baseIds)} and model = ${query.model}`;
  const source =
    query.plan.kind === 'exact'
      ? sql`(select chunk_id, embedding from chunk_vectors where ${among})`
      : sql`(select chunk_id, embedding from chunk_vectors where ${among}
          order by bits <~> binary_quantize(${vector})::bit(3072) limit ${query.plan.candidates})`;
  return queryRows<Ranked>(
    db,
    sql`select chunk_id as "chunkId", 1 - distance as score from (
      select chunk_id, embedding <=> ${vector} as distance from ${source} candidates
    ) compared order by distance, chunk_id limit ${query.limit}`,
  );
}

/** Exact similarities of given chunks, for those that only their words found. */
export async function similarities(
  db: Database,
  workspaceId: WorkspaceId,
  query: { chunkIds: string[]; model: string; vector: Float32Array },
): Promise<Ranked[]> {
  if (query.chunkIds.length === 0) return [];
  return queryRows<Ranked>(
    db,
    sql`select chunk_id as "chunkId", 1 - (embedding <=> ${literal(query.vector)}::halfvec(3072)) as score
      from chunk_vectors where workspace_id = ${workspaceId} and chunk_id in ${query.chunkIds} and model = ${query.model}`,
  );
}

/**
 * Chunks that hold any of the terms. A term weighs `ln(1 + N / documents with it)`, so rare words decide; the score is
 * the share of the question's whole weight that the chunk holds, 0 to 1. Both steps are materialized: the embedded
 * database gathers no statistics by itself, and a planner that expects one row would weigh anew for every chunk.
 */
export async function chunksWithTerms(
  db: Database,
  workspaceId: WorkspaceId,
  query: { baseIds: string[]; terms: string[]; chunkCount: number; limit: number },
): Promise<Ranked[]> {
  if (query.terms.length === 0) return [];
  const lexemes = query.terms.map(quoteLexeme);
  const any = sql`${lexemes.join(' | ')}::tsquery`;
  const column = (prefix: string, index: number) => sql.identifier(`${prefix}${index}`);
  const flags = sql.join(
    lexemes.map((lexeme, index) => sql`words @@ ${lexeme}::tsquery as ${column('has', index)}`),
    sql`, `,
  );
  const weights = sql.join(
    lexemes.map(
      (_, index) =>
        sql`ln(1 + ${query.chunkCount}::float8 / (0.5 + count(*) filter (where ${column('has', index)}))) as ${column('weight', index)}`,
    ),
    sql`, `,
  );
  const held = sql.join(
    lexemes.map((_, index) => sql`${column('has', index)}::int * ${column('weight', index)}`),
    sql` + `,
  );
  const whole = sql.join(
    lexemes.map((_, index) => column('weight', index)),
    sql` + `,
  );
  return queryRows<Ranked>(
    db,
    sql`with matched as materialized (
      select id, ${flags} from chunks where ${visible(workspaceId, query.baseIds)} and words @@ ${any}
    ), weighed as materialized (select ${weights} from matched)
    select id as "chunkId", ((${held}) / (${whole}))::float8 as score from matched, weighed
    order by score desc, id limit ${query.limit}`,
  );
}

export async function chunkDetails(db: Database, workspaceId: WorkspaceId, chunkIds: string[]) {
  if (chunkIds.length === 0) return [];
  return db
    .select({
      chunkId: chunks.id,
      documentId: chunks.documentId,
      documentName: documents.originalName,
      fileType: documents.fileType,
      knowledgeBaseId: chunks.knowledgeBaseId,
      knowledgeBaseName: knowledgeBases.name,
      text: chunks.text,
      source: chunks.source,
    })
    .from(chunks)
    .innerJoin(documents, eq(documents.id, chunks.documentId))
    .innerJoin(knowledgeBases, eq(knowledgeBases.id, chunks.knowledgeBaseId))
    .where(and(eq(chunks.workspaceId, workspaceId), inArray(chunks.id, chunkIds)));
}

/** Any visible chunks, in order, for a collection whose vectors cannot be asked: `min(k, size)` holds there too. */
export async function firstChunks(
  db: Database,
  workspaceId: WorkspaceId,
  query: { baseIds: string[]; limit: number },
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select id from chunks where ${visible(workspaceId, query.baseIds)} order by document_id, seq limit ${query.limit}`,
  );
  return rows.map((row) => row.id);
}

function literal(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

/** A lexeme in the text form of a tsquery. */
function quoteLexeme(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
