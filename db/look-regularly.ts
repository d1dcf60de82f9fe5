/**
 * Looks after the embedded database again and again, once at a time. Resolves, when it is stopped, after the look that was
 * under way.
 */
export function lookRegularly(everyMs: number, look: () => Promise<void>): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    // A failure comes again where it matters: with the next statement of somebody who can tell of it.
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
