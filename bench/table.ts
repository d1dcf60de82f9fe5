import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

/** What one bench said. */
export type Row = {
  name: string;
  figures: string[];
  /** What they stand beside. */
  floor: string;
  /** The load average before it. */
  load: number;
  command: string;
};

const DOCUMENT = new URL('../docs/benchmarks.md', import.meta.url).pathname;
const [BEGIN, END] = ['<!-- npm run bench -->', '<!-- end of npm run bench -->'];
const HEAD = ['| bench | figures | beside | measured | command |', '|---|---|---|---|---|'];

/**
 * Puts a row into docs/benchmarks.md in the place of an older one of the same name, in the order of `benches`; the others
 * keep their commit and their day. What was measured on another machine goes: only figures of one machine stand beside each
 * other.
 */
export async function writeRow(row: Row, benches: readonly { name: string }[]): Promise<void> {
  const text = await readFile(DOCUMENT, 'utf8');
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${DOCUMENT} has no place for the table`);
  const machine = describeMachine();
  const older = text.slice(before, after);
  const kept = older.includes(machine) ? older.split('\n') : [];
  const lines = benches.flatMap(({ name }) =>
    name === row.name ? [lineOf(row)] : kept.filter((line) => line.startsWith(`| ${name} |`)),
  );
  const table = [machine, '', ...HEAD, ...lines].join('\n');
  await writeFile(DOCUMENT, `${text.slice(0, before)}${BEGIN}\n\n${table}\n\n${text.slice(after)}`);
}

/** The same for a terminal. */
export function tableOf(rows: readonly Row[]): string {
  return [describeMachine(), '', ...HEAD, ...rows.map(lineOf)].join('\n');
}

function lineOf({ name, figures, floor, load, command }: Row): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const day = new Date().toISOString().slice(0, 10);
  const measured = `${day}, commit ${commit}, load average before ${load.toFixed(1)}`;
  return `| ${name} | ${figures.map(cell).join('<br>')} | ${cell(floor)} | ${measured} | \`${command}\` |`;
}

function describeMachine(): string {
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  return `Machine: ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${memoryGb} GB, Node ${process.version}.`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
