import type { Actor } from '#lib/auth/actor.ts';
import type { ConversationHost } from '#lib/conversation-process/host.ts';
import type { CallSupervisor } from '#lib/conversation-process/watchers.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CallOrder } from '#lib/engine/supervision.ts';
import { AppError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { findMember } from '#lib/features/members/repository.ts';
import type { CallStatus } from '../machine.ts';
import { type CallRow, findCall } from '../repository.ts';
import type { CallWatching } from '../watching/service.ts';
import { insertOrder, takeOrders } from './repository.ts';

type SupervisionDeps = Pick<Dependencies, 'db' | 'clock' | 'env'> & {
  conversationHost: ConversationHost;
  watching: Pick<CallWatching, 'find'>;
};

/** Hands what was ordered for calls that this process runs to their conversations. */
export function createOrderDelivery({
  db,
  clock,
  conversationHost,
}: Omit<SupervisionDeps, 'env' | 'watching'>) {
  return async (callIds: readonly string[]): Promise<void> => {
    const here = callIds.filter((id) => conversationHost.supervisor(id));
    for (const { callId, order } of await takeOrders(db, here, clock.now()))
      conversationHost.supervisor(callId)?.order(order);
  };
}

const CAN_END: readonly CallStatus[] = ['dialing', 'ringing', 'in_progress'];

export type Listening =
  | { ok: true; supervisor: Pick<CallSupervisor, 'watch'> }
  | { ok: false; reason: string };

export type SupervisionService = ReturnType<typeof createSupervisionService>;

/** What people of a workspace do with a call in progress: end it, hand it over, listen in. */
export function createSupervisionService(deps: SupervisionDeps) {
  const { db, clock, env, watching } = deps;
  const deliver = createOrderDelivery(deps);

  /** For webhooks and exports, which leave the workspace: no address. Who it was stands in the audit log. */
  async function shownName(actor: Actor): Promise<string | undefined> {
    const member = await findMember(db, actor.workspaceId, actor.id);
    const name = member?.name?.trim() ?? '';
    return name === '' || name.includes('@') ? undefined : name;
  }

  return {
    /**
     * Orders the end or the transfer of a call. It reaches the conversation at once where this process has it, otherwise
     * when the process that has it looks next. Throws 403 and 404, and 400 INVALID_STATE for a call that is not in progress,
     * or that cannot be handed over, and for a chat.
     */
    async order(actor: Actor, callId: string, asked: CallOrder): Promise<void> {
      const order = asked.kind === 'end' ? { ...asked, by: await shownName(actor) } : asked;
      const call = await findCall(db, actor.workspaceId, callId);
      assertPossible(call, order);
      await db.transaction(async (tx) => {
        await insertOrder(tx, actor.workspaceId, { callId, order, createdAt: clock.now() });
        await recordAudit(tx, clock, actor, {
          action: order.kind === 'end' ? 'call.ended' : 'call.transferred',
          targetId: callId,
          data: order.kind === 'end' ? {} : { to: order.to },
        });
      });
      await deliver([callId]);
    },

    /**
     * Lets somebody listen in; noted in the audit log. `reason` is for them, where there is nothing to hear. Throws 403
     * and 404.
     */
    async listen(actor: Actor, callId: string): Promise<Listening> {
      const call = await findCall(db, actor.workspaceId, callId);
      const reason = silenceOf(call, env.simulationSpeed);
      if (reason !== undefined) return { ok: false, reason };
      const supervisor = await watching.find(actor.workspaceId, callId);
      if (!supervisor) return { ok: false, reason: NOT_YET };
      await recordAudit(db, clock, actor, { action: 'call.listened', targetId: callId });
      return { ok: true, supervisor };
    },
  };
}

function assertPossible({ status, carrier, channel }: CallRow, order: CallOrder): void {
  if (channel === 'chat')
    throw new AppError(
      'INVALID_STATE',
      order.kind === 'end'
        ? 'This is a chat, not a call: end it with POST /api/chats/{conversationId}/end'
        : 'This is a chat, not a call: nobody can be put through',
    );
  if (order.kind === 'end') {
    if (CAN_END.includes(status)) return;
    throw new AppError('INVALID_STATE', 'The call is not in progress');
  }
  if (status !== 'in_progress')
    throw new AppError('INVALID_STATE', 'Only a call that was answered can be transferred');
  if (carrier === 'browser')
    throw new AppError('INVALID_STATE', 'A call in a browser cannot be transferred to a number');
}

const NOT_YET = 'There is nothing to hear of this call yet. Try again in a moment.';

/** Why there is nothing to hear. */
function silenceOf({ status, carrier, channel }: CallRow, simulationSpeed: number): string | undefined {
  if (channel === 'chat') return 'This is a chat, not a call: there is nothing to hear.';
  if (status === 'wrapping_up' || status === 'ended') return 'The call is over.';
  if (status === 'queued') return 'The call has not begun.';
  if (carrier === 'simulated' && simulationSpeed !== 1)
    return 'This simulated call does not run in real time (SIMULATION_SPEED), so there is nothing to listen to. Its recording can be heard when it has ended.';
  return undefined;
}
