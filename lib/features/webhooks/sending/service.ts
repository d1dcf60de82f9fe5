import { deliver, type SendingDeps } from './deliver.ts';
import { createDispatcher } from './dispatcher.ts';
import { closeAbandoned, dropOldBodies, listWaiting } from './repository.ts';

/**
 * Twice the budget of a send: whoever has not recorded a result by then is gone, or will correct it. With the sweep that
 * looks every 2 s, nothing is said to be on its way for longer than 30 s.
 */
export const ABANDONED_AFTER_MS = 20_000;

/** "The exact bytes, kept for 30 days." */
const BODIES_KEPT_MS = 30 * 86_400_000;

export type WebhookSending = ReturnType<typeof createWebhookSending>;

/** The background half of webhooks: sends what waits, closes what a dead process left behind, forgets old bodies. */
export function createWebhookSending(deps: SendingDeps) {
  const dispatcher = createDispatcher({
    log: deps.log,
    listWaiting: (given) => listWaiting(deps.db, given),
    deliver: (delivery) => deliver(deps, delivery),
  });

  return {
    /** Looks for deliveries that wait and sends them; returns at once. */
    wake: dispatcher.wake,

    /** Resolves when no send is under way. */
    idle: () => dispatcher.idle(),

    /** Begins no further send and waits for those under way, which takes no longer than the budget of one. */
    stop: () => dispatcher.stop(),

    /**
     * Marks sends as `unknown` whose process died; they are never sent again by themselves. `afterMs` 0 is for a
     * process that knows that no other one is sending.
     */
    async closeAbandoned(afterMs = ABANDONED_AFTER_MS): Promise<void> {
      const now = deps.clock.now();
      const count = await closeAbandoned(deps.db, { sendingBefore: new Date(now.getTime() - afterMs), now });
      if (count > 0) deps.log.warn({ event: 'webhooks_unknown', count });
    },

    /** Drops bodies, signatures and answers that are older than 30 days. */
    dropOldBodies: () => dropOldBodies(deps.db, new Date(deps.clock.now().getTime() - BODIES_KEPT_MS)),
  };
}
