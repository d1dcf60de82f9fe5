/**
 * Measures documents from file to answer: parse, split, embed and index per chunk, and search at several sizes, beside
 * a public splitter and an exact scan in the same run. Usage: `npx node bench/knowledge/run.ts [sizes, e.g. 100,10000]`;
 * with TEST_DATABASE_URL on PostgreSQL as well.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
import { documents, knowledgeBases } from '#db/schema/knowledge.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import { type OpenDatabase, openDatabase } from '#db/client.ts';
import { mintWorkspaceId } from '#lib/auth/mint.ts';
import { copyChunks } from '#lib/features/knowledge/documents/repository.ts';
import { halfvecBytes, tsvectorBytes } from '#lib/features/knowledge/parse/binary-forms.ts';
import { createParsePool } from '#lib/features/knowledge/parse/pool.ts';
import { limitsFor } from '#lib/features/knowledge/parse/unreadable.ts';
import { chunksWithTerms, nearestChunks } from '#lib/features/knowledge/search/repository.ts';
import { choosePlan } from '#lib/features/knowledge/search/rules.ts';
import { createSplitter } from '#lib/features/knowledge/split/splitter.ts';
import { LEXICAL_MODEL, lexicalVector } from '#lib/text/lexical-vector.ts';
import { queryTerms, termsOf } from '#lib/text/terms.ts';
import { DEFAULT_RATE_CARD } from '#lib/features/workspaces/rules.ts';
import { madeSentence, madeText } from './made-text.ts';

const WORKSPACE = mintWorkspaceId('ws_bench');
const QUESTIONS = 20;
const SPLIT_CHARACTERS = 5_000_000;

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
  const public_ = new RecursiveCharacterTextSplitter({ chunkSize: 2_200, chunkOverlap: 300 });
  let theirs = 0;
  const theirsMs = await cpuMs(async () => {
    theirs = (await public_.splitText(text)).length;
  });
  report('split, sentence borders (ours)', oursMs, ours);
  report('split, @langchain/textsplitters', theirsMs, theirs);
  const chunks = Array.from({ length: 1_000 }, (_, index) =>
    text.slice(index * 2_000, index * 2_000 + 2_200),
  );
  report('terms', await cpuMs(async () => chunks.forEach((chunk) => termsOf(chunk))), chunks.length);
  report(
    'embed, local',
    await cpuMs(async () => chunks.forEach((chunk) => lexicalVector(chunk))),
    chunks.length,
  );
}

/** A text file through the child process, everything but the database. */
async function benchParse(): Promise<void> {
  const pool = createParsePool(2);
  for (const characters of [10_000, SPLIT_CHARACTERS]) {
    const bytes = Buffer.from(madeText(2, characters));
    const startedAt = performance.now();
    const { chunkCount } = await pool.run({
      workspaceId: WORKSPACE,
      order: {
        fileType: 'TXT',
        sizeBytes: bytes.length,
        limits: limitsFor(bytes.length),
        embedding: 'local',
      },
      open: async () => new Blob([bytes]).stream(),
      onStart: async () => {},
      onChunks: async () => {},
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
    const now = new Date();
    const baseId = `kb_bench_${size}_${now.getTime()}`;
    const document = { id: `doc_${baseId}`, workspaceId: WORKSPACE, knowledgeBaseId: baseId };
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
    await database.db.insert(documents).values({
      ...document,
      filename: 'a.txt',
      originalName: 'a.txt',
      fileType: 'TXT',
      fileSize: 1,
      storageKey: baseId,
      status: 'COMPLETED',
      chunkCount: size,
      createdAt: now,
    });
    const insertMs = await fill(database, document, size);
    report(`${name}, ${size} chunks: index (clock)`, insertMs, size);
    await benchSearch(database, name, baseId, size);
    await database.close();
    await clean();
  }
}

async function fill(
  database: OpenDatabase,
  document: { id: string; workspaceId: string; knowledgeBaseId: string },
  size: number,
): Promise<number> {
  let spentMs = 0;
  for (let at = 0; at < size; at += 24) {
    const rows = Array.from({ length: Math.min(24, size - at) }, (_, index) => {
      const text = madeText(at + index + 10, 2_100);
      const source = { start: 0, end: text.length };
      return {
        id: `${document.id}_${at + index}`,
        text,
        source,
        words: tsvectorBytes(termsOf(text)),
        embedding: halfvecBytes(lexicalVector(text)),
      };
    });
    const startedAt = performance.now();
    await copyChunks(database, document, { model: LEXICAL_MODEL, firstSeq: at, rows });
    spentMs += performance.now() - startedAt;
  }
  return spentMs;
}

async function benchSearch(
  database: OpenDatabase,
  name: string,
  baseId: string,
  size: number,
): Promise<void> {
  const plan = choosePlan(size);
  const spent = { exact: [] as number[], chosen: [] as number[], words: [] as number[] };
  let found = 0;
  for (let index = 0; index < QUESTIONS; index++) {
    const query = madeSentence(index + 5);
    const search = { baseIds: [baseId], model: LEXICAL_MODEL, vector: lexicalVector(query), limit: 8 };
    const exact = await timed(spent.exact, () =>
      nearestChunks(database.db, WORKSPACE, { ...search, plan: { kind: 'exact' } }),
    );
    const chosen = await timed(spent.chosen, () =>
      nearestChunks(database.db, WORKSPACE, { ...search, plan }),
    );
    await timed(spent.words, () =>
      chunksWithTerms(database.db, WORKSPACE, {
        baseIds: [baseId],
        terms: queryTerms(query),
        chunkCount: size,
        limit: 60,
      }),
    );
    const best = new Set(exact.map((hit) => hit.chunkId));
    found += chosen.filter((hit) => best.has(hit.chunkId)).length / Math.max(1, best.size);
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]?.toFixed(1);
  console.log(
    `${name}, ${size} chunks: search, median ms: exact ${median(spent.exact)}, ${plan.kind} ${median(spent.chosen)}, words ${median(spent.words)}; recall@8 ${(found / QUESTIONS).toFixed(3)}`,
  );
}

async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  into.push(performance.now() - startedAt);
  return result;
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
