/**
 * Measures documents from file to answer: parse, split, embed and index per chunk, and search at several sizes, beside
 * a public splitter and an exact scan in the same run. Usage: `npx node bench/knowledge/run.ts [sizes, e.g. 100,10000]`;
 * with TEST_DATABASE_URL on PostgreSQL as well.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { knowledgeBases } from '#db/schema/knowledge.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import { type OpenDatabase, openDatabase } from '#db/client.ts';
import { mintWorkspaceId } from '#lib/auth/mint.ts';
import { deleteBaseRow } from '#lib/features/knowledge/bases/repository.ts';
import { deleteLeftovers } from '#lib/features/knowledge/content/repository.ts';
import { createParsePool } from '#lib/features/knowledge/parse/pool.ts';
import { limitsFor } from '#lib/features/knowledge/parse/unreadable.ts';
import { blocksWithTerms, nearestChunks } from '#lib/features/knowledge/search/repository.ts';
import { choosePlan, LIST_LENGTH, type Ranked } from '#lib/features/knowledge/search/rules.ts';
import { wordMatches } from '#lib/features/knowledge/search/word-matches.ts';
import { createSplitter } from '#lib/features/knowledge/split/splitter.ts';
import { addIndexedDocument } from '#lib/features/knowledge/testing.ts';
import { DEFAULT_RATE_CARD } from '#lib/features/workspaces/rules.ts';
import { LEXICAL_MODEL, lexicalVector } from '#lib/text/lexical-vector.ts';
import { queryTerms, termHash, termsOf } from '#lib/text/terms.ts';
import { countTerms } from '#lib/text/counted-terms.ts';
import { median } from '../median.ts';
import { installPeer } from '../peer.ts';
import { madeSentence, madeText } from './made-text.ts';

const PEER = new URL('peer', import.meta.url).pathname;
const WORKSPACE = mintWorkspaceId('ws_bench');
const QUESTIONS = 20;
const SPLIT_CHARACTERS = 5_000_000;
const CHUNK_CHARACTERS = 2_100;
const DOCUMENT_CHUNKS = 1_000;

const sizes = (process.argv[2] ?? '100,10000').split(',').map(Number);

await benchSplit();
await benchParse();
await benchDatabase('PGlite', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
  await mkdir(join(dir, 'db'), { recursive: true });
  const database = await openDatabase({ dataDir: join(dir, 'db') });
  return { database, clean: () => rm(dir, { recursive: true }) };
});
const databaseUrl = process.env.TEST_DATABASE_URL;
if (databaseUrl)
  await benchDatabase('PostgreSQL', async () => ({
    database: await openDatabase({ databaseUrl }),
    clean: async () => {},
  }));
else console.log('PostgreSQL: not measured, TEST_DATABASE_URL is not set');

async function benchSplit(): Promise<void> {
  const text = madeText(1, SPLIT_CHARACTERS);
  let ours = 0;
  const oursMs = await cpuMs(async () => {
    const splitter = createSplitter(() => (ours += 1));
    for (const paragraph of text.split('\n\n')) splitter.add({ kind: 'prose', text: paragraph });
    splitter.finish();
  });
  installPeer(PEER, '@langchain/textsplitters');
  const { splitText } = (await import(join(PEER, 'split.mjs'))) as {
    splitText(text: string): Promise<string[]>;
  };
  let theirs = 0;
  const theirsMs = await cpuMs(async () => {
    theirs = (await splitText(text)).length;
  });
  report('split, sentence borders (ours)', oursMs, ours);
  report('split, @langchain/textsplitters', theirsMs, theirs);
  const chunks = Array.from({ length: 2_000 }, (_, index) =>
    text.slice(index * 2_000, index * 2_000 + 2_200),
  );
  // Once before, so that what is measured is the many texts of a file and not the first words.
  for (const chunk of chunks) lexicalVector(chunk);
  report('terms', await cpuMs(async () => chunks.forEach((chunk) => countTerms(chunk))), chunks.length);
  report(
    'terms and embed, local',
    await cpuMs(async () => chunks.forEach((chunk) => lexicalVector(chunk))),
    chunks.length,
  );
}

/** A text file through the child process, everything but the database. */
async function benchParse(): Promise<void> {
  const pool = createParsePool(2);
  for (const characters of [10_000, SPLIT_CHARACTERS, 10 * SPLIT_CHARACTERS]) {
    const bytes = Buffer.from(madeText(2, characters));
    const startedAt = performance.now();
    const { chunkCount } = await pool.run({
      workspaceId: WORKSPACE,
      order: {
        documentId: 'doc_bench',
        fileType: 'TXT',
        sizeBytes: bytes.length,
        limits: limitsFor(bytes.length),
        model: LEXICAL_MODEL,
      },
      open: async () => new Blob([bytes]).stream(),
      onStart: async () => {},
      onRows: async () => {},
      signal: new AbortController().signal,
    });
    report(
      `parse, split and embed ${(bytes.length / 1e6).toFixed(2)} MB in a child (clock)`,
      performance.now() - startedAt,
      chunkCount,
    );
  }
}

async function benchDatabase(
  name: string,
  open: () => Promise<{ database: OpenDatabase; clean: () => Promise<void> }>,
): Promise<void> {
  for (const size of sizes) {
    const { database, clean } = await open();
    await database.migrate();
    const baseId = await addBase(database);
    await fill(database, name, { baseId, size });
    await benchSearch(database, name, { baseId, size });
    await benchDelete(database, name, { baseId, size });
    if (size === Math.min(...sizes)) await benchWordIndex(database, name);
    await database.close();
    await clean();
  }
}

async function addBase(database: OpenDatabase): Promise<string> {
  const now = new Date();
  const baseId = `kb_bench_${now.getTime()}`;
  await database.db
    .insert(workspaces)
    .values({
      id: WORKSPACE,
      name: 'Bench',
      rateCard: DEFAULT_RATE_CARD,
      webhookSecret: 'none',
      webhookSecretChangedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing();
  await database.db.insert(knowledgeBases).values({
    id: baseId,
    workspaceId: WORKSPACE,
    name: 'Bench',
    description: 'Bench',
    embeddingModel: LEXICAL_MODEL,
    createdAt: now,
    updatedAt: now,
  });
  return baseId;
}

type Collection = { baseId: string; size: number };

async function fill(database: OpenDatabase, name: string, { baseId, size }: Collection): Promise<void> {
  const spent: number[] = [];
  const timedDatabase: OpenDatabase = {
    ...database,
    copyIn: (copies) => timed(spent, () => database.copyIn(copies)),
  };
  for (let at = 0; at < size; at += DOCUMENT_CHUNKS) {
    const texts = Array.from({ length: Math.min(DOCUMENT_CHUNKS, size - at) }, (_, index) =>
      madeText(at + index + 10, CHUNK_CHARACTERS),
    );
    const document = { id: documentId(baseId, at), workspaceId: WORKSPACE, knowledgeBaseId: baseId };
    await addIndexedDocument(timedDatabase, { ...document, createdAt: new Date() }, texts);
  }
  const slowest = Math.max(...spent).toFixed(0);
  report(`${name}, ${size} chunks: index (clock; slowest statement ${slowest} ms)`, sumOf(spent), size);
}

function documentId(baseId: string, firstChunk: number): string {
  return `doc_${baseId}_${String(firstChunk).padStart(8, '0')}`;
}

async function benchSearch(
  database: OpenDatabase,
  name: string,
  { baseId, size }: Collection,
): Promise<void> {
  const plan = choosePlan(size);
  const spent = { exact: [] as number[], chosen: [] as number[], words: [] as number[] };
  let found = 0;
  for (let index = 0; index < QUESTIONS; index++) {
    // Whole sentences, and two to five words of one.
    const sentence = madeSentence(index + 5);
    const query = index % 2 === 0 ? sentence : sentence.split(' ', 2 + (index % 4)).join(' ');
    const search = { baseIds: [baseId], model: LEXICAL_MODEL, vector: lexicalVector(query), limit: 8 };
    const exact = await timed(spent.exact, () =>
      nearestChunks(database.db, WORKSPACE, { ...search, plan: { kind: 'exact' } }),
    );
    const chosen = await timed(spent.chosen, () =>
      nearestChunks(database.db, WORKSPACE, { ...search, plan }),
    );
    await timed(spent.words, async () => {
      const terms = queryTerms(query);
      const blocks = await blocksWithTerms(database.db, WORKSPACE, {
        baseIds: [baseId],
        hashes: terms.map(termHash),
      });
      return wordMatches(blocks, { terms, chunkCount: size, limit: LIST_LENGTH });
    });
    const key = (hit: Ranked) => `${hit.documentId} ${hit.seq}`;
    const best = new Set(exact.map(key));
    found += chosen.filter((hit) => best.has(key(hit))).length / Math.max(1, best.size);
  }
  const middle = (values: number[]) => median(values).toFixed(1);
  console.log(
    `${name}, ${size} chunks: search, median ms: exact ${middle(spent.exact)}, ${plan.kind} ${middle(spent.chosen)}, words ${middle(spent.words)}; recall@8 ${(found / QUESTIONS).toFixed(3)}`,
  );
}

async function benchDelete(
  database: OpenDatabase,
  name: string,
  { baseId, size }: Collection,
): Promise<void> {
  const ids = Array.from({ length: Math.ceil(size / DOCUMENT_CHUNKS) }, (_, index) =>
    documentId(baseId, index * DOCUMENT_CHUNKS),
  );
  const spent: number[] = [];
  await deleteBaseRow(database.db, WORKSPACE, baseId);
  await timed(spent, () => deleteLeftovers(database.db, ids));
  report(`${name}, ${size} chunks: delete (clock)`, sumOf(spent), size);
}

/** What PostgreSQL's own index of words costs for the same terms: beside the blocks, which are part of `index` above. */
async function benchWordIndex(database: OpenDatabase, name: string): Promise<void> {
  const size = 4_000;
  const batch = 40;
  const words = Array.from({ length: size }, (_, index) =>
    [...new Set(termsOf(madeText(index + 10, CHUNK_CHARACTERS)))].join(' '),
  );
  const spent: Record<'without' | 'with', number[]> = { without: [], with: [] };
  for (const kind of ['without', 'with'] as const) {
    await database.db.execute(sql`create table bench_words (words tsvector)`);
    if (kind === 'with')
      await database.db.execute(
        sql`create index on bench_words using gin (words) with (gin_pending_list_limit = 512)`,
      );
    for (let at = 0; at < size; at += batch) {
      const rows = words.slice(at, at + batch).map((list) => sql`(string_to_array(${list}, ' '))`);
      await timed(spent[kind], async () => {
        await database.db.execute(
          sql`insert into bench_words select array_to_tsvector(list) from (values ${sql.join(rows, sql`, `)}) given (list)`,
        );
      });
    }
    await database.db.execute(sql`drop table bench_words`);
  }
  report(
    `${name}: the same terms in a GIN index of a tsvector (clock, without the row)`,
    sumOf(spent.with) - sumOf(spent.without),
    size,
  );
}

async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  into.push(performance.now() - startedAt);
  return result;
}

function sumOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Processor time, which other work on the machine changes little. */
async function cpuMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function report(what: string, spentMs: number, chunks: number): void {
  console.log(
    `${what}: ${spentMs.toFixed(0)} ms, ${chunks} chunks, ${(spentMs / Math.max(1, chunks)).toFixed(3)} ms per chunk`,
  );
}
