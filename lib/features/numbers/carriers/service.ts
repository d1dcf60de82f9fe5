import type { Dependencies } from '#lib/dependencies.ts';
import { keepRenewing } from '#lib/heartbeat.ts';
import { describeError } from '#lib/log.ts';
import type { HearCarrierState } from '#lib/conversation-process/conversations.ts';
import { type CarrierKind, NUMBER_CARRIERS, type NumberCarrier } from '#lib/ports/carrier-kinds.ts';
import type { Database } from '#db/client.ts';
import type { Clock } from '#lib/ports/clock.ts';
import {
  type CarrierStateRow,
  listCarrierStates,
  removeCarrierStates,
  renewCarrierStates,
  saveCarrierState,
} from './repository.ts';

const RENEW_EVERY_MS = 30_000;
/** Three signs of life that did not come. */
const GONE_AFTER_MS = 3 * RENEW_EVERY_MS;

/** Where several processes have a carrier, one that can take calls is told before one that cannot. */
const BEST_FIRST: CarrierStateRow['state'][] = ['registered', 'listening', 'registering', 'failed'];

export type CarrierStates = ReturnType<typeof createCarrierStates>;

/**
 * Whether calls can come in over each carrier. Pages are served by processes that hold no carrier: those that do write it
 * down, and say now and then that they are still there.
 */
export function createCarrierStates(deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log'>) {
  const { db, clock, log } = deps;
  const owner = deps.ids.next('car');
  const stopping = new AbortController();
  let writing: Promise<unknown> = Promise.resolve();
  let renewing: Promise<void> | undefined;

  const onError = (error: unknown) => log.warn({ event: 'carrier_state_lost', error: describeError(error) });
  const write = (action: () => Promise<void>) => (writing = writing.then(action).catch(onError));

  async function renew(): Promise<void> {
    const at = clock.now();
    const goneBefore = new Date(at.getTime() - GONE_AFTER_MS);
    await write(() => renewCarrierStates(db, { owner, at, goneBefore }));
  }

  const open = new Set<CarrierKind>();

  const note: HearCarrierState = (kind, { state, reason = null }) => {
    // A trunk that does not register us closes nothing.
    if (state !== 'failed') open.add(kind);
    const carrier = NUMBER_CARRIERS.find((known) => known === kind);
    if (!carrier || stopping.signal.aborted) return;
    const at = clock.now();
    void write(() => saveCarrierState(db, { carrier, owner, state, reason, since: at, seenAt: at }));
    renewing ??= keepRenewing(stopping.signal, { clock, everyMs: RENEW_EVERY_MS, renew, onError });
  };

  return {
    /** What a carrier of this process tells of itself. Never waits and never throws. */
    note,
    /** Whether the carrier has opened what it listens on, in this process or one of its children. */
    isOpen: (kind: CarrierKind) => open.has(kind),
    /** Resolves when all that was told until now is stored. */
    flush: async (): Promise<void> => void (await writing),
    /** This process takes no calls any more. */
    async stop(): Promise<void> {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await renewing;
      if (renewing) await write(() => removeCarrierStates(db, owner));
    },
  };
}

/** The state of each carrier that some process has at the moment. */
export async function readCarrierStates(
  db: Database,
  clock: Clock,
): Promise<ReadonlyMap<NumberCarrier, CarrierStateRow>> {
  const rows = await listCarrierStates(db, new Date(clock.now().getTime() - GONE_AFTER_MS));
  const rank = ({ state }: CarrierStateRow) => BEST_FIRST.indexOf(state);
  const worstFirst = rows.toSorted((one, other) => rank(other) - rank(one));
  return new Map(worstFirst.map((row) => [row.carrier, row]));
}
