import { readdir, readFile } from 'node:fs/promises';

/** What a process holds at a moment, as Linux knows it: nothing has to be asked of the process itself. */
export type Held = { residentMb: number; openFiles: number; threads: number };

export async function heldBy(pid: number): Promise<Held> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return {
    residentMb: Math.round(field('VmRSS') / 102.4) / 10,
    openFiles: files.length,
    threads: field('Threads'),
  };
}
