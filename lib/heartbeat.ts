import type { Clock } from '#lib/ports/clock.ts';

type Heartbeat = {
  clock: Clock;
  everyMs: number;
  /** Renews leases; stops the work under those that are lost. */
  renew: () => Promise<void>;
  onError: (error: unknown) => void;
};

/**
 * Renews leases until the signal is aborted; then resolves, after the renewal under way. One that fails is tried again
 * the next time: a database that was away for a moment must not cost a lease that runs for several beats.
 */
export async function keepRenewing(
  signal: AbortSignal,
  { clock, everyMs, renew, onError }: Heartbeat,
): Promise<void> {
  while (!signal.aborted) {
    const isDue = await clock.sleep(everyMs, signal).then(
      () => true,
      () => false,
    );
    if (isDue) await renew().catch(onError);
  }
}
