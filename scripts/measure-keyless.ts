/**
 * How many utterances of the sets in `lib/engine/brain/local/behaviour` the keyless agent answers right, how many
 * absurdly, and how long it takes: `node scripts/measure-keyless.ts [--show|--all] [set…]`. `--show` prints what went wrong, `--all` every utterance and reply.
 */
import { readdirSync } from 'node:fs';
import migrateTestDatabases from '#db/testing-setup.ts';
import { openJudge } from '#lib/engine/brain/local/behaviour/testing-judge.ts';

const FOLDER = new URL('../lib/engine/brain/local/behaviour/', import.meta.url).pathname;

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isShown = process.argv.includes('--show');
const sets = readdirSync(FOLDER).flatMap((name) =>
  name.endsWith('.txt') ? [name.slice(0, -'.txt'.length)] : [],
);
await migrateTestDatabases();
const opened = await openJudge();
const total = { count: 0, wrong: 0, absurd: 0 };
const took: number[] = [];
for (const set of named.length > 0 ? named : sets) {
  const { count, told, wrong, absurd, tookMs } = await opened.judge(set);
  total.count += count;
  total.wrong += wrong.length;
  total.absurd += absurd.length;
  took.push(...tookMs);
  print(set, count, wrong.length, absurd.length);
  if (process.argv.includes('--all')) console.log(told.join('\n'));
  if (isShown)
    console.log(
      [...wrong.map((line) => `  wrong ${line}`), ...absurd.map((line) => `  ABSURD ${line}`)].join('\n'),
    );
}
print('all', total.count, total.wrong, total.absurd);
const sorted = took.toSorted((one, other) => one - other);
const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
console.log(
  `ms: median ${at(0.5)}, p95 ${at(0.95)}, most ${at(0.999)}; ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
);
await opened.close();
process.exit(0);

function print(set: string, count: number, wrong: number, absurd: number): void {
  const share = (100 * (1 - wrong / count)).toFixed(0);
  console.log(
    `${set.padEnd(14)} ${String(count - wrong).padStart(4)} of ${count} right (${share} %), ${absurd} absurd`,
  );
}
