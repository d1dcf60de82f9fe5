import { readFileSync } from 'node:fs';

/**
 * Milliseconds of processor time so far of a process on this machine, by its id, or of one of its threads, as `id/task/id`
 * (proc(5), schedstat). NaN where there is none of that id; only Linux tells it of another process.
 */
export function processorMsOf(id: string): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return Number.NaN;
  }
}
