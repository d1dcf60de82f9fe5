import { createHash } from 'node:crypto';
import type { Actor } from '#lib/auth/actor.ts';
import { mintWorkspaceId, systemActor } from '#lib/auth/mint.ts';
import { AppError, isAppError } from '#lib/errors.ts';
import { findAgent } from '#lib/features/agents/repository.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { WEB_CALLER } from '#lib/phone-number.ts';
import { assertHoldable } from '#lib/features/versions/service.ts';
import { findPromptFor } from '../admission/target.ts';
import type { IncomingCalls } from '../incoming/service.ts';
import { CALL_REFUSED, NO_SUCH_CALL, type PreparedWebCall, type WantedWebCall } from './contract.ts';
import {
  findWebCallByTicket,
  forgetWebCallsBefore,
  insertWebCall,
  renewTicket,
  takeWebCall,
  type WebCallRow,
} from './repository.ts';
import { protocolsFor } from './rules.ts';

/** From the answer to the first connection: a browser needs seconds, and a question about the microphone takes a person. */
const TICKET_MS = 2 * 60_000;
const TICKET_BYTES = 24;
/** No call is longer; after it a ticket opens nothing. */
const FORGET_MS = 24 * 3_600_000;
const FORGET_EVERY_MS = 600_000;

export type WebCallService = ReturnType<typeof createWebCallService>;

export function hashTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}

/** A call that was taken is written by then. */
const WRITTEN_WITHIN_MS = 10_000;

/** Whether nobody talks any more on a call that was taken so long ago. */
function isOver(status: string | null, takenMs: number): boolean {
  if (status === null) return takenMs > WRITTEN_WITHIN_MS;
  return status === 'wrapping_up' || status === 'ended';
}

/** `nextTicket`: what the far end comes back with, should it lose this connection. */
export type Admission =
  | { ok: true; callId: string; nextTicket: string }
  | { ok: false; code: number; reason: string };

type Renewal = Parameters<typeof renewTicket>[3] & { nextTicket: string };
/** What a connection shows. `origin`: of the page, where it is a browser. */
type Shown = { ticket: string; origin: string | undefined };

const NO_CALL = { ok: false, code: NO_SUCH_CALL, reason: 'There is no such call' } as const;

/** Calls of browsers and apps over a WebSocket. */
export function createWebCallService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'env' | 'queue'> & {
    incoming: IncomingCalls;
  },
) {
  const { db, clock, ids } = deps;

  async function take(call: WebCallRow, renewal: Renewal): Promise<Admission> {
    const { nextTicket, ...renewed } = renewal;
    const { id, agentId, outboundPromptId, agentVersionId, variables, isTest } = call;
    const workspaceId = mintWorkspaceId(call.workspaceId);
    const agent = await findAgent(db, workspaceId, agentId);
    if (!agent.isActive) return { ok: false, code: CALL_REFUSED, reason: 'The agent is switched off' };
    if (!(await takeWebCall(db, workspaceId, id, { ...renewed, now: clock.now() })))
      return { ok: false, code: NO_SUCH_CALL, reason: 'The time to begin this call is over' };
    await deps.incoming.take(systemActor(workspaceId, 'web_call'), {
      id,
      carrier: 'browser',
      to: { agentId },
      from: WEB_CALLER,
      variables,
      outboundPromptId,
      agentVersionId,
      isTest,
    });
    return { ok: true, callId: id, nextTicket };
  }

  return {
    /**
     * Prepares a call with an agent. Nothing is reserved and nobody is reached until somebody connects with the ticket,
     * which is told once. Throws 403 and 404 for the agent and the prompt, 400 for an agent that is switched off.
     */
    async prepare(actor: Actor, agentId: string, wanted: WantedWebCall): Promise<PreparedWebCall> {
      const { origin = null } = wanted;
      const { variables = {}, outboundPromptId = null, agentVersionId = null, isTest = false } = wanted;
      const agent = await findAgent(db, actor.workspaceId, agentId);
      if (!agent.isActive) throw new AppError('AGENT_INACTIVE', 'The agent is switched off');
      if (agentVersionId !== null)
        await assertHoldable(db, actor.workspaceId, { agentId, agentVersionId, outboundPromptId, isTest });
      else if (outboundPromptId !== null)
        await findPromptFor(db, actor.workspaceId, agentId, outboundPromptId);
      const id = ids.next('cnv');
      const ticket = ids.secret(TICKET_BYTES);
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + TICKET_MS);
      await insertWebCall(db, actor.workspaceId, {
        id,
        agentId,
        outboundPromptId,
        agentVersionId,
        variables,
        isTest,
        ticketHash: hashTicket(ticket),
        origin,
        expiresAt,
        createdAt: now,
      });
      if (actor.kind === 'user')
        await recordAudit(db, clock, actor, {
          action: 'call.placed',
          targetId: id,
          data: { direction: outboundPromptId === null ? 'INBOUND' : 'OUTBOUND', carrier: 'browser' },
        });
      const url = `${deps.env.publicUrl.replace(/^http/, 'ws')}/api/web-calls/${id}`;
      return {
        conversationId: id,
        webSocket: { url, protocols: protocolsFor(ticket) },
        webSocketUrl: `${url}?ticket=${ticket}`,
        expiresAt: expiresAt.toISOString(),
      };
    },

    /**
     * Whether a connection with this ticket may have its call: the first one begins it, later ones go on with it. After a
     * yes the ticket is used up, and the connection is to be handed to the carrier. Throws only when the database fails.
     */
    async admit(callId: string, { ticket, origin }: Shown): Promise<Admission> {
      const ticketHash = hashTicket(ticket);
      const found = await findWebCallByTicket(db, callId, ticketHash);
      if (!found) return NO_CALL;
      const { prepared, status } = found;
      if (prepared.origin !== null && prepared.origin !== origin)
        return { ok: false, code: CALL_REFUSED, reason: 'The call was prepared for another page' };
      const nextTicket = ids.secret(TICKET_BYTES);
      const renewal = {
        ticketHash,
        nextTicket,
        nextTicketHash: hashTicket(nextTicket),
        origin: origin ?? null,
      };
      if (prepared.takenAt !== null) {
        if (isOver(status, clock.now().getTime() - prepared.takenAt.getTime()))
          return { ok: false, code: NO_SUCH_CALL, reason: 'The call is over' };
        const isRenewed = await renewTicket(db, mintWorkspaceId(prepared.workspaceId), callId, renewal);
        return isRenewed ? { ok: true, callId, nextTicket } : NO_CALL;
      }
      try {
        return await take(prepared, renewal);
      } catch (error) {
        if (!isAppError(error) || error.status >= 500) throw error;
        return { ok: false, code: CALL_REFUSED, reason: error.message };
      }
    },

    /** Forgets prepared calls that are long over; for the processes that work in the background. */
    forgetOld: () =>
      deps.queue.every('web_calls.forget', FORGET_EVERY_MS, () =>
        forgetWebCallsBefore(db, new Date(clock.now().getTime() - FORGET_MS)),
      ),
  };
}
