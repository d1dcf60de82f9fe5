import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hasPostgres, openEmbeddedTestDatabase } from '#db/testing.ts';
import type { OpenDatabase } from './client.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openEmbeddedTestDatabase();
});
afterAll(() => database.close());

it.skipIf(hasPostgres)('the embedded database uses the space of deleted rows again', async () => {
  const { pglite } = database;
  const sizeBytes = async () =>
    (await pglite?.query<{ size: number }>("select pg_table_size('chunks')::int as size"))?.rows[0]?.size ??
    0;
  const fill = (document: string) =>
    pglite?.exec(
      `insert into chunks select '${document}', n, repeat(md5(n::text), 60), '{"start":0,"end":1}' from generate_series(1, 800) n`,
    );
  await fill('kept');
  const oneDocument = await sizeBytes();
  for (const document of ['first', 'second', 'third', 'fourth']) {
    await fill(document);
    await pglite?.exec(`delete from chunks where document_id = '${document}'`);
    // All pages of a deleted document lie at the end, and go back to the disk.
    await vi.waitFor(async () => expect(await sizeBytes()).toBeLessThan(oneDocument * 1.5), {
      timeout: 20_000,
    });
  }
});
