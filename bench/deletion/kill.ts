/**
 * Deletes conversations in processes that are killed (SIGKILL) in the middle of it, each at another point, and starts another
 * one each time on what they left, as an operator would.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultPoint } from '#lib/fault-points.ts';

const WORKER = new URL('./worker.ts', import.meta.url).pathname;

export type Left = { isThere: boolean; turns: number; tables: string[]; files: number };
export type LeftOf = Record<string, Left>;
export type Killed = {
  /** How the process ended. */
  signal: NodeJS.Signals | null;
  /** What the next process found of all conversations, and what was left when it had swept. */
  found: LeftOf;
  swept: LeftOf;
};

/**
 * Each step deletes its conversations and is killed at its point; the next one starts on what it left. The first one makes the
 * database, where `makeDatabase` does not.
 */
export async function killDeletions(
  makes: readonly string[],
  steps: readonly { point: FaultPoint; ids: readonly string[] }[],
  makeDatabase?: (dataDir: string) => Promise<void>,
): Promise<Killed[]> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-deletion-'));
  const killed: Killed[] = [];
  try {
    await makeDatabase?.(join(folder, 'data', 'db'));
    let signal: NodeJS.Signals | null | undefined;
    for (const step of [...steps, { ids: [] }]) {
      const process = await run(folder, { makes, ...step });
      if (signal !== undefined)
        killed.push({ signal, found: process.said('found'), swept: process.said('swept') });
      ({ signal } = process);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return killed;
}

async function run(
  folder: string,
  { makes, ids, point }: { makes: readonly string[]; ids: readonly string[]; point?: FaultPoint },
) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WORKER], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: '',
      DATA_DIR: join(folder, 'data'),
      DELETION_MAKES: makes.join(' '),
      DELETION_IDS: ids.join(' '),
      ...(point ? { DELETION_DIES_AT: point } : {}),
    },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  const [, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('close', (...end) => resolve(end)),
  );
  const lines = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { name: string; left: LeftOf });
  return {
    signal,
    said(name: string): LeftOf {
      const left = lines.find((line) => line.name === name)?.left;
      if (!left) throw new Error(`the process did not say what it ${name}: ${errors}`);
      return left;
    },
  };
}
