import { mintWorkspaceId, systemActor } from '#lib/auth/mint.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { type ErrorCode, isAppError } from '#lib/errors.ts';
import { describeError } from '#lib/log.ts';
import { findNumberCountry } from '#lib/features/numbers/country/service.ts';
import {
  isValidNumber,
  parsePhoneNumber,
  readPhoneNumber,
  WITHHELD_NUMBER,
  WORLDWIDE_NUMBER_PATTERN,
} from '#lib/phone-number.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { IncomingAnswer, IncomingCall, IncomingRefusal } from '#lib/ports/carrier.ts';
import { findNumberOwner } from '../admission/repository.ts';
import { findBroughtCall } from './repository.ts';
import type { IncomingCalls } from './service.ts';

/** Longer names of callers are no numbers and no names. */
const MAX_CALLER_CHARACTERS = 64;

const REASONS: Partial<Record<ErrorCode, IncomingRefusal>> = {
  NOT_FOUND: 'unknown_number',
  AGENT_INACTIVE: 'agent_off',
  USAGE_LIMIT_EXCEEDED: 'usage_limit',
  NOT_READY: 'at_capacity',
};

export type CarrierDoor = ReturnType<typeof createCarrierDoor>;

/**
 * The door of carriers that bring calls from the network. The number that was called decides the workspace, and has to
 * belong to the carrier that brings the call. Never throws: a refusal is for the carrier to say.
 *
 * `onNamed` hears the call's id before anything is asked of its line.
 */
export function createCarrierDoor(
  deps: Pick<Dependencies, 'db' | 'ids' | 'log'> & { incoming: Pick<IncomingCalls, 'take'> },
) {
  async function take(
    carrier: CarrierKind,
    call: IncomingCall,
    onNamed: (callId: string) => void,
  ): Promise<IncomingAnswer> {
    const owner = await findNumberOwner(deps.db, carrier, spellingsOf(call.to));
    if (!owner) return { ok: false, reason: 'unknown_number' };
    const again = await findAgain(carrier, call.reference, owner.workspaceId);
    if (again) return again;
    const id = deps.ids.next('cnv');
    onNamed(id);
    const { callId } = await deps.incoming
      .take(systemActor(owner.workspaceId, carrier), {
        id,
        carrier,
        reference: call.reference,
        to: owner.number,
        from: await callerOf(call.from, owner.workspaceId),
        variables: {},
      })
      .catch(async (error: unknown) => {
        // Two of the same at once: the other one was faster.
        const other = await findAgain(carrier, call.reference, owner.workspaceId);
        if (other?.ok) return other;
        throw error;
      });
    return { ok: true, callId };
  }

  /** In E.164 where it is a number, in national form too; an extension or a name stays what it is. */
  async function callerOf(from: string | null, workspaceId: string): Promise<string> {
    const shown = from?.trim().slice(0, MAX_CALLER_CHARACTERS) ?? '';
    if (shown === '') return WITHHELD_NUMBER;
    if (WORLDWIDE_NUMBER_PATTERN.test(shown)) return parsePhoneNumber(shown);
    if (!shown.startsWith('0')) return shown;
    const read = readPhoneNumber(shown, await findNumberCountry(deps.db, mintWorkspaceId(workspaceId)));
    return read.ok && isValidNumber(read.number) ? read.number : shown;
  }

  /** A call that was brought before, by a carrier that asks again. One that is over is not taken a second time. */
  async function findAgain(
    carrier: CarrierKind,
    reference: string,
    workspaceId: string,
  ): Promise<IncomingAnswer | undefined> {
    const known = await findBroughtCall(deps.db, mintWorkspaceId(workspaceId), { carrier, reference });
    if (!known) return undefined;
    return known.isOpen ? { ok: true, callId: known.id } : { ok: false, reason: 'failed' };
  }

  return async (
    carrier: CarrierKind,
    call: IncomingCall,
    onNamed: (callId: string) => void = () => undefined,
  ): Promise<IncomingAnswer> => {
    let detail: string | undefined;
    const answer = await take(carrier, call, onNamed).catch((error: unknown): IncomingAnswer => {
      const reason = isAppError(error) ? REASONS[error.code] : undefined;
      if (isAppError(error) && reason) detail = error.message;
      if (!reason) deps.log.error({ event: 'incoming_failed', carrier, error: describeError(error) });
      return { ok: false, reason: reason ?? 'failed' };
    });
    if (!answer.ok) deps.log.info({ event: 'incoming_refused', carrier, reason: answer.reason, detail });
    return answer;
  };
}

/** As it was sent, and as calls store it. */
function spellingsOf(number: string): string[] {
  return WORLDWIDE_NUMBER_PATTERN.test(number) ? [number, parsePhoneNumber(number)] : [number];
}
