import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { linesInUse } from '#lib/features/numbers/rules.ts';
import { LIMIT_REACHED, MINUTE_SECONDS, usageMonthOf } from '#lib/features/usage/rules.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import { WEB_CALLER } from '#lib/phone-number.ts';
import { findAgentNumber } from '../admission/target.ts';
import type { Lease } from '../dispatch/repository.ts';
import type { Dispatcher } from '../dispatch/service.ts';
import type { CallRunner } from '../execution/runner.ts';
import type { CallNotifier } from '../live/notifier.ts';
import { findCall } from '../repository.ts';
import { insertIncomingCall } from './repository.ts';

export type IncomingCall = {
  /** Whose line waits to be answered. */
  carrier: CarrierKind;
  /** What the carrier knows the line by; left out: the call's id. */
  reference?: string;
  /** The number that was called, as the workspace lists it, or the agent itself where no number stands between. */
  to: string | { agentId: string };
  from: string;
  variables: Record<string, string>;
  /** Taken as the call's id where the caller knows it already. */
  id?: string | undefined;
  /** The agent opens the conversation with this prompt instead of answering. */
  outboundPromptId?: string | null;
  isTest?: boolean;
  /** The version of the agent that it is held with; null: what is published. */
  agentVersionId?: string | null;
};

export type IncomingCalls = ReturnType<typeof createIncomingCalls>;

/** The door for calls that come in: such a call has a line in this process, so it is run here and never queued. */
export function createIncomingCalls(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids'> & {
    dispatcher: Dispatcher;
    runner: CallRunner;
    notifier: CallNotifier;
  },
) {
  const { db, clock, ids } = deps;

  async function insert(actor: Actor, incoming: IncomingCall, lease: Lease) {
    const { workspaceId } = actor;
    const { from, variables, outboundPromptId = null, isTest = false, agentVersionId = null } = incoming;
    const called =
      typeof incoming.to === 'string'
        ? await findAgentNumber(db, workspaceId, { number: incoming.to, person: from })
        : { id: null, agentId: incoming.to.agentId };
    const now = clock.now();
    const id = incoming.id ?? ids.next('cnv');
    await db.transaction(async (tx) => {
      const refusal = await insertIncomingCall(tx, workspaceId, {
        id,
        phoneNumberId: called.id,
        agentId: called.agentId,
        outboundPromptId,
        agentVersionId,
        direction: outboundPromptId === null ? 'INBOUND' : 'OUTBOUND',
        carrier: incoming.carrier,
        carrierReference: incoming.reference ?? null,
        agentPhoneNumber: typeof incoming.to === 'string' ? incoming.to : WEB_CALLER,
        humanPhoneNumber: from,
        variables,
        isTest,
        reservedSeconds: isTest ? 0 : MINUTE_SECONDS,
        usageMonth: usageMonthOf(now),
        leaseOwner: lease.owner,
        leaseUntil: lease.until,
        dateInitiated: now,
        createdAt: now,
        updatedAt: now,
      });
      if (refusal?.reason === 'at_capacity')
        throw new AppError('NOT_READY', linesInUse(refusal), { retryAfterSeconds: 5 });
      if (refusal?.reason === 'usage_limit')
        throw new AppError('USAGE_LIMIT_EXCEEDED', LIMIT_REACHED.incoming);
      const entry = {
        action: 'call.placed',
        targetId: id,
        data: { direction: 'INBOUND', humanPhoneNumber: from },
      };
      if (actor.kind === 'user' && incoming.carrier === 'simulated')
        await recordAudit(tx, clock, actor, entry);
    });
    return findCall(db, workspaceId, id);
  }

  return {
    /**
     * Takes a call: writes it, already ringing, and runs it here. Throws, with nothing written, what its carrier turns into
     * a polite refusal: 404 for a number without an agent, 400 for an agent that is switched off, 403 for the monthly
     * limit, 503 where every line is in use.
     */
    async take(actor: Actor, incoming: IncomingCall): Promise<{ callId: string }> {
      const call = await deps.dispatcher.hold(
        (lease) => insert(actor, incoming, lease),
        (held) => deps.runner.runIncoming({ ...held, reference: incoming.reference ?? held.call.id }),
      );
      deps.notifier.notify(actor.workspaceId, call.id);
      return { callId: call.id };
    },
  };
}
