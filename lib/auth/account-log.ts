import type { Database } from '#db/client.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { describeError } from '#lib/log.ts';
import { insertAccountEvents, type NewAccountEvent } from './repository.ts';

/** What repeats is one row in this time, which counts. */
const INTERVAL_MS = 3_600_000;
/** Of one account and hour, wrong passwords fill at most this many rows, from however many addresses they come. */
const ADDRESS_SLOTS = 16;

export type AccountLog = ReturnType<typeof createAccountLog>;

/**
 * What happens to accounts, in the audit log of each workspace that knows the account: the one that made it, and those
 * its person has used. A workspace that only added the e-mail address learns nothing (docs/decisions/0088).
 */
export function createAccountLog(deps: Pick<Dependencies, 'db' | 'clock' | 'log'>) {
  /** `email` as it is stored: in lower case. */
  async function note(
    event: { email: string; action: string; data?: Record<string, unknown> },
    tx: Database = deps.db,
  ): Promise<void> {
    await insertAccountEvents(tx, {
      data: {},
      ...event,
      isByPerson: true,
      repeatKey: null,
      at: deps.clock.now(),
    });
  }

  /** Somebody who does not know the password is not waited for: how long it takes must not tell who has an account. */
  function refused(event: { email: string; action: string; address: string }): void {
    const at = deps.clock.now();
    const hour = Math.floor(at.getTime() / INTERVAL_MS);
    const row: NewAccountEvent = {
      email: event.email,
      action: event.action,
      data: { address: event.address, count: 1 },
      isByPerson: false,
      repeatKey: `${event.action}:${event.email}:${hour}:${slotOf(event.address)}`,
      at,
    };
    insertAccountEvents(deps.db, row).catch((error: unknown) =>
      deps.log.warn({ event: 'account_log_failed', error: describeError(error) }),
    );
  }

  return { note, refused };
}

function slotOf(address: string): number {
  let sum = 0;
  for (const character of address) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum % ADDRESS_SLOTS;
}
