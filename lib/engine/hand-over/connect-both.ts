import type { SoundLine, SpokenLeg } from '#lib/ports/carrier.ts';

/**
 * Lets two people hear each other, and nobody else: the agent has left. What both say is in the recording of the person's
 * call, the other party in the place of the agent. Resolves when one of them has hung up; the other party's line is closed
 * then. `signal` aborts with the person's call.
 */
export async function connectBoth(lines: {
  colleague: SpokenLeg;
  /** Of the other party. */
  hungUp: Promise<void>;
  line: SoundLine;
  signal: AbortSignal;
}): Promise<void> {
  const { colleague, line, signal } = lines;
  const other = colleague.line;
  const over = Promise.withResolvers<void>();
  const onAbort = () => over.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  // What is heard is lent, what is written is kept.
  line.onSound((frame) => other?.write(frame.slice()));
  other?.onSound((frame) => line.write(frame.slice()));
  await Promise.race([over.promise, lines.hungUp]);
  signal.removeEventListener('abort', onAbort);
  await colleague.hangUp();
}
