import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbedded } from '#db/embedded.ts';
import { median } from '../median.ts';

/*
 * How much the embedded database takes after documents came and were deleted, with what gives space back and without:
 * `node bench/database/space.ts [documents] [chunks]`. Beside it, the longest that another statement waited meanwhile.
 */

const documents = Number(process.argv[2] ?? 6);
const chunkCount = Number(process.argv[3] ?? 14_000);
const TABLES = ['chunks', 'chunk_codes', 'chunk_vectors'];

for (const mode of ['with', 'without'] as const) await measure(mode);

async function measure(mode: 'with' | 'without'): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-space-'));
  const { pglite, migrate, close } = await openEmbedded({ dataDir: join(folder, 'db') });
  await migrate();
  const exec = pglite.exec.bind(pglite);
  const vacuumMs: number[] = [];
  Object.assign(pglite, {
    async exec(text: string) {
      if (!text.startsWith('vacuum')) return exec(text);
      if (mode === 'without') return [];
      const begunAt = performance.now();
      const done = await exec(text);
      vacuumMs.push(performance.now() - begunAt);
      return done;
    },
  });

  async function add(id: string): Promise<void> {
    await exec(`
      insert into chunks select '${id}', n, repeat(md5(n::text), 69), '{"start":1,"end":2}' from generate_series(1, ${chunkCount}) n;
      insert into chunk_codes select '${id}', 'm', n, repeat('01', 1536)::bit(3072), repeat('01', 1536)::bit(3072)
        from generate_series(1, ${chunkCount}) n;`);
    for (let at = 0; at < chunkCount; at += 1000)
      await exec(`
        insert into chunk_vectors select '${id}', 'm', n, vector.made
        from generate_series(${at + 1}, ${Math.min(at + 1000, chunkCount)}) n,
          (select array_agg(((i * 7) % 1000) / 1000.0)::halfvec(3072) as made from generate_series(1, 3072) i) vector`);
  }

  async function remove(id: string): Promise<void> {
    for (;;) {
      let removed = 0;
      for (const table of TABLES) {
        const { affectedRows = 0 } = await pglite.query(
          `delete from ${table} where ctid = any(array(select ctid from ${table} where document_id = '${id}' limit 500))`,
        );
        removed += affectedRows;
      }
      if (removed === 0) return;
      await sleep(10);
    }
  }

  let isDone = false;
  let longestMs = 0;
  const others = (async () => {
    while (!isDone) {
      const begunAt = performance.now();
      await pglite.query('select 1');
      longestMs = Math.max(longestMs, performance.now() - begunAt);
      await sleep(5);
    }
  })();
  await add('kept');
  for (let index = 0; index < documents; index += 1) {
    await add(`document-${index}`);
    longestMs = 0;
    await remove(`document-${index}`);
    await sleep(1_500);
    const megabytes = execFileSync('du', ['-sm', folder]).toString().split('\t')[0];
    console.log(`${mode}: ${megabytes} MB; another statement waited ${Math.round(longestMs)} ms at most`);
  }
  isDone = true;
  await others;
  const [middle, longest] = [median(vacuumMs), Math.max(0, ...vacuumMs)].map(Math.round);
  console.log(`${mode}: ${vacuumMs.length} vacuums, ${middle} ms in the middle, ${longest} the longest`);
  await close();
  await rm(folder, { recursive: true });
}
