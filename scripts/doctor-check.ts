import type { Clock } from '#lib/ports/clock.ts';

/** One question to the configured server; gives a sentence for whoever runs the service, or rejects. */
export type Check = { part: string; run(signal: AbortSignal): Promise<string> };

/** Gives the milliseconds since it was made. */
export function stopwatch(clock: Clock): () => number {
  const startedMs = clock.now().getTime();
  return () => clock.now().getTime() - startedMs;
}
