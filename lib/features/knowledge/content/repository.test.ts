import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, queryRows } from '#db/client.ts';
import { openTestDatabase } from '#db/testing.ts';
import { lexicalVector } from '#lib/text/lexical-vector.ts';
import { sql } from 'drizzle-orm';
import { storedVector } from '../embedding/vector-codes.ts';
import { copyRows } from './repository.ts';
import { chunkRows, vectorRows } from './rows.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const row = (seq: number) => ({
  documentId: 'doc_rows',
  model: 'some-model',
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
