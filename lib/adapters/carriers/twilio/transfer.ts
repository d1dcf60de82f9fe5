import type { CallClock } from '#lib/ports/clock.ts';
import { isOver, transferReason } from './outcome.ts';

type Result = { ok: true } | { ok: false; reason: string };

export type Transfers = {
  begin(request: { to: string; callerId: string }): Promise<Result>;
  isUnderWay(): boolean;
  told: {
    /** The other party has answered. */
    answered(): void;
    /** How the attempt ended; the call is to come back where it failed. */
    ended(status: string): void;
  };
  /** The call's sound is here again. */
  back(): void;
  /** The call is over. */
  over(): void;
};

/** Longer than the other party may ring; then the call itself is asked after. */
const NEWS_WITHIN_MS = 45_000;
/** A caller who hung up while it rang is told of by nobody. */
const BACK_WITHIN_MS = 15_000;

/**
 * Hands a call over by other instructions for it. Twilio stops the stream meanwhile; where the other party does not
 * answer it opens one again, and the agent goes on.
 */
export function createTransfers(options: {
  clock: CallClock;
  handOver(request: { to: string; callerId: string }): Promise<void>;
  /** The state of the call at Twilio. */
  status(): Promise<string>;
  /** Whether the call's stream is open. */
  hasSound(): boolean;
  isRefusal(error: unknown): boolean;
  /** The call comes back, and its stream is waited for. */
  whenBack(): void;
}): Transfers {
  const { clock } = options;
  let pending: { resolve(result: Result): void; reason: string | undefined } | undefined;

  function settle(result: Result): void {
    pending?.resolve(result);
    pending = undefined;
  }

  /** Whether it came to anything is asked where nobody tells. */
  async function askAfter(transfer: NonNullable<typeof pending>, ms: number): Promise<void> {
    await clock.sleep(ms);
    if (pending !== transfer) return;
    const status = await options.status().catch(() => '');
    if (pending !== transfer) return;
    if (options.hasSound()) return settle({ ok: false, reason: 'the carrier did not transfer the call' });
    if (isOver(status)) return settle({ ok: false, reason: 'the person hung up' });
    settle(transfer.reason === undefined ? { ok: true } : { ok: false, reason: transfer.reason });
  }

  return {
    async begin(request) {
      if (pending) return { ok: false, reason: 'the call is being transferred already' };
      const { promise, resolve } = Promise.withResolvers<Result>();
      const transfer = { resolve, reason: undefined };
      pending = transfer;
      try {
        await options.handOver(request);
      } catch (error) {
        // An answer that was lost says nothing: what becomes of it is told, or asked after.
        if (!options.isRefusal(error)) {
          void askAfter(transfer, NEWS_WITHIN_MS);
          return promise;
        }
        const why = error instanceof Error ? error.message : String(error);
        settle({ ok: false, reason: `the carrier did not transfer the call: ${why}` });
        return promise;
      }
      void askAfter(transfer, NEWS_WITHIN_MS);
      return promise;
    },
    isUnderWay: () => pending !== undefined,
    told: {
      answered: () => settle({ ok: true }),
      ended(status) {
        if (!pending) return;
        if (status === 'completed' || status === 'answered') return settle({ ok: true });
        pending.reason = transferReason(status);
        options.whenBack();
        void askAfter(pending, BACK_WITHIN_MS);
      },
    },
    back() {
      if (pending?.reason !== undefined) settle({ ok: false, reason: pending.reason });
    },
    over: () => settle({ ok: false, reason: 'the call ended' }),
  };
}
