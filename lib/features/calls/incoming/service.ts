import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { MINUTE_SECONDS, usageMonthOf } from '#lib/features/usage/rules.ts';
import type { Leg } from '#lib/ports/carrier.ts';
import { findAgentNumber } from '../admission/target.ts';
import type { Lease } from '../dispatch/repository.ts';
import type { Dispatcher } from '../dispatch/service.ts';
import type { CallRunner } from '../execution/runner.ts';
import type { CallNotifier } from '../live/notifier.ts';
import { findCall } from '../repository.ts';
import { insertIncomingCall } from './repository.ts';

export type IncomingCall = {
  /** The number that was called, as the workspace lists it. */
  to: string;
  from: string;
  variables: Record<string, string>;
  /** Takes the line, which waits in this process to be answered. Called once the call exists. */
  open(callId: string): Promise<Leg>;
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
    const { to, from, variables } = incoming;
    const number = await findAgentNumber(db, workspaceId, to);
    const now = clock.now();
    const id = ids.next('cnv');
    await db.transaction(async (tx) => {
      const refusal = await insertIncomingCall(tx, workspaceId, {
        id,
        phoneNumberId: number.id,
        agentId: number.agentId,
        direction: 'INBOUND',
        carrier: 'simulated',
        agentPhoneNumber: to,
        humanPhoneNumber: from,
        variables,
        reservedSeconds: MINUTE_SECONDS,
        usageMonth: usageMonthOf(now),
        leaseOwner: lease.owner,
        leaseUntil: lease.until,
        dateInitiated: now,
        createdAt: now,
        updatedAt: now,
      });
      if (refusal === 'at_capacity')
        throw new AppError('NOT_READY', 'All lines are in use', { retryAfterSeconds: 5 });
      if (refusal === 'usage_limit')
        throw new AppError('USAGE_LIMIT_EXCEEDED', 'The workspace has reached its monthly usage limit');
      const entry = {
        action: 'call.placed',
        targetId: id,
        data: { direction: 'INBOUND', humanPhoneNumber: from },
      };
      if (actor.kind === 'user') await recordAudit(tx, clock, actor, entry);
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
        (held) => deps.runner.runIncoming({ ...held, open: () => incoming.open(held.call.id) }),
      );
      deps.notifier.notify(actor.workspaceId, call.id);
      return { callId: call.id };
    },
  };
}
