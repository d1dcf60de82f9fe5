/** @module-tag postgres */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenDatabase, queryRows } from '#db/client.ts';
import { documents, knowledgeBases } from '#db/schema/knowledge.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import { openTestDatabase } from '#db/testing.ts';
import { mintWorkspaceId } from '#lib/auth/mint.ts';
import { DEFAULT_RATE_CARD } from '#lib/features/workspaces/rules.ts';
import { lexicalVector } from '#lib/text/lexical-vector.ts';
import { sql } from 'drizzle-orm';
import { storedVector } from '../embedding/vector-codes.ts';
import { copyRows, deleteLeftovers, deleteOldVectors } from './repository.ts';
import { chunkRows, termBlockRows, vectorRows } from './rows.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const row = (seq: number, documentId = 'doc_rows', model = 'some-model') => ({
  documentId,
  model,
  seq,
  text: `Parking is free. ${seq}`,
  source: { start: 0, end: 18 },
  ...storedVector(lexicalVector(`Parking is free. ${seq}`)),
});

async function counts() {
  const [found] = await queryRows(
    database.db,
    sql`select (select count(*)::int from chunks) as chunks, (select count(*)::int from chunk_vectors) as vectors, (select count(*)::int from chunk_codes) as codes`,
  );
  return found;
}

it('writes the rows of several tables together, or none of them', async () => {
  const first = [row(0), row(1)];
  await copyRows(database, [chunkRows(first), ...vectorRows(first)]);
  expect(await counts()).toEqual({ chunks: 2, vectors: 2, codes: 2 });
  // The chunk is new, its vector is not.
  const mixed = [chunkRows([row(2)]), ...vectorRows([row(1)])];
  await expect(copyRows(database, mixed)).rejects.toThrow(/duplicate key/);
  expect(await counts()).toEqual({ chunks: 2, vectors: 2, codes: 2 });
  await copyRows(database, [chunkRows([row(2)]), ...vectorRows([row(2)])]);
  expect(await counts()).toEqual({ chunks: 3, vectors: 3, codes: 3 });
});

describe('deleting', () => {
  const workspaceId = mintWorkspaceId('ws_rows');
  const seqs = (count: number) => Array.from({ length: count }, (_, seq) => seq);

  /** Chunks, blocks and the vectors of two models. */
  async function addContents(documentId: string, count: number): Promise<void> {
    const [old, current] = ['old-model', 'some-model'].map((model) =>
      seqs(count).map((seq) => row(seq, documentId, model)),
    );
    const blocks = seqs(count).map((part) => ({
      documentId,
      part,
      low: part,
      high: part,
      postings: new Uint8Array(4),
    }));
    await copyRows(database, [
      chunkRows(current ?? []),
      ...vectorRows([...(old ?? []), ...(current ?? [])]),
      termBlockRows(blocks),
    ]);
  }

  async function addDocument(
    id: string,
    status: 'COMPLETED' | 'FAILED',
    knowledgeBaseId: string,
  ): Promise<void> {
    const createdAt = new Date(0);
    const file = { filename: id, originalName: id, fileType: 'TXT' as const, fileSize: 1, storageKey: id };
    await database.db
      .insert(documents)
      .values({ id, workspaceId, knowledgeBaseId, ...file, status, createdAt });
    await addContents(id, 320);
  }

  /** How many chunks, blocks, and vectors and codes of each model a document has. */
  async function countsOf(documentId: string): Promise<unknown> {
    const of = (table: string, model?: string) =>
      sql`(select count(*)::int from ${sql.identifier(table)} where document_id = ${documentId} ${model ? sql`and model = ${model}` : sql``})`;
    const [found] = await queryRows<{ counts: number[] }>(
      database.db,
      sql`select array[${of('chunks')}, ${of('term_blocks')}, ${of('chunk_vectors', 'old-model')}, ${of('chunk_codes', 'old-model')},
        ${of('chunk_vectors', 'some-model')}, ${of('chunk_codes', 'some-model')}] as counts`,
    );
    return found?.counts;
  }

  beforeAll(async () => {
    const made = { createdAt: new Date(0), updatedAt: new Date(0) };
    await database.db.insert(workspaces).values({
      id: workspaceId,
      name: 'Rows',
      rateCard: DEFAULT_RATE_CARD,
      webhookSecret: 'none',
      webhookSecretChangedAt: new Date(0),
      ...made,
    });
    for (const id of ['kb_rows', 'kb_other'])
      await database.db
        .insert(knowledgeBases)
        .values({ id, workspaceId, name: id, description: '', embeddingModel: 'some-model', ...made });
  });

  it('takes all that is left of documents, however much, and nothing of one that is there', async () => {
    await addDocument('doc_1', 'COMPLETED', 'kb_rows');
    await addDocument('doc_2', 'FAILED', 'kb_rows');
    await addContents('doc_0', 320);
    await addContents('doc_3', 1);
    const many = Array.from({ length: 120 }, (_, index) => `doc_none_${index}`);
    await deleteLeftovers(database.db, ['doc_0', 'doc_1', 'doc_2', ...many, 'doc_3']);
    for (const id of ['doc_0', 'doc_2', 'doc_3']) expect(await countsOf(id)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await countsOf('doc_1')).toEqual([320, 320, 320, 320, 320, 320]);
  });

  it('takes the vectors of other models, and their codes, of one collection', async () => {
    await addDocument('doc_5', 'COMPLETED', 'kb_rows');
    await addDocument('doc_6', 'COMPLETED', 'kb_other');
    const signal = new AbortController().signal;
    await deleteOldVectors(database.db, workspaceId, { baseId: 'kb_rows', model: 'some-model', signal });
    for (const id of ['doc_1', 'doc_5']) expect(await countsOf(id)).toEqual([320, 320, 0, 0, 320, 320]);
    expect(await countsOf('doc_6')).toEqual([320, 320, 320, 320, 320, 320]);
  });
});
