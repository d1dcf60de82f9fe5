import type { z } from 'zod';
import type { Database } from '#db/client.ts';
import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { AppError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { findNumberCountry } from '#lib/features/numbers/country/service.ts';
import { LIMIT_REACHED, MINUTE_SECONDS, usageMonthOf } from '#lib/features/usage/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { type E164, parsePhoneNumber, readPhoneNumber } from '#lib/phone-number.ts';
import type { NumberCarrier } from '#lib/ports/carrier-kinds.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import { currentTrace, formatTraceparent } from '#lib/trace/context.ts';
import type { OutboundCallBody, queuedCall } from './contract.ts';
import type { IncomingCalls } from './incoming/service.ts';
import type { CallNotifier } from './live/notifier.ts';
import { findAnsweredRequest, rememberAnswer } from '#lib/features/idempotency/repository.ts';
import { assertSameRequest, keyOf, oldestKey, stillAtWork } from '#lib/features/idempotency/rules.ts';
import { chooseOutboundPrompt, findAgentNumber } from './admission/target.ts';
import { type PlannedRow, plannedRow, replanWaiting } from './admission/waiting.ts';
import {
  findCall,
  insertReservedCall,
  listWaitingOfCampaign,
  listWaitingOptedOut,
  resumeWaitingOfCampaign,
} from './repository.ts';
import { CAMPAIGN_CANCELLED, hashRequest, openingUnsayable, OPTED_OUT } from './rules.ts';
import type { WrapUp } from './execution/wrap-up.ts';

/** A request for a call whose person is known by their number in E.164. */
type CallRequest = Omit<OutboundCallBody, 'to'> & { to: E164 };
type QueuedCall = z.output<typeof queuedCall> & {
  /** The variables without which the opening states nothing; left out where the call opens as it was written. */
  missingForOpening?: string[];
};
type NewCall = {
  phoneNumberId: string;
  agentId: string;
  outboundPromptId: string | null;
  direction: 'INBOUND' | 'OUTBOUND';
  carrier: NumberCarrier;
  agentPhoneNumber: string;
  humanPhoneNumber: E164;
  variables: Record<string, string>;
  /** A try from the dashboard: no usage, no webhook, in no list of the API. */
  isTest?: boolean;
  campaignId?: string;
} & PlannedRow;

export function createCallService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids'> & {
    announceWaiting: (workspaceId: string) => void;
    incoming: IncomingCalls;
    notifier: CallNotifier;
    wrapUp: WrapUp;
  },
) {
  const { db, clock, ids } = deps;

  /**
   * Row and reserved minute exist both, or neither. What systems place is their daily work and stands in the list of
   * calls; of a call by hand the audit log tells who placed it.
   */
  async function accept(tx: Database, actor: Actor, callId: string, call: NewCall): Promise<void> {
    if (actor.kind !== 'user') return insert(tx, actor.workspaceId, callId, call);
    const { direction, humanPhoneNumber } = call;
    const entry = { action: 'call.placed', targetId: callId, data: { direction, humanPhoneNumber } };
    await tx.transaction(async (inner) => {
      await insert(inner, actor.workspaceId, callId, call);
      await recordAudit(inner, clock, actor, entry);
    });
  }

  async function insert(
    tx: Database,
    workspaceId: WorkspaceId,
    callId: string,
    call: NewCall,
  ): Promise<void> {
    const now = clock.now();
    const trace = currentTrace();
    const isAccepted = await insertReservedCall(tx, workspaceId, {
      ...call,
      traceparent: trace ? formatTraceparent(trace) : null,
      id: callId,
      reservedSeconds: call.isTest ? 0 : MINUTE_SECONDS,
      usageMonth: usageMonthOf(now),
      dateInitiated: now,
      createdAt: now,
      updatedAt: now,
    });
    if (!isAccepted) throw new AppError('USAGE_LIMIT_EXCEEDED', LIMIT_REACHED.outbound);
  }

  /** After the commit: tells live views of this process. Plans a call anew whose calling hours were read before it. */
  async function written(workspaceId: WorkspaceId, callId: string, call: PlannedRow): Promise<void> {
    passFaultPoint('call.accepted');
    if (call.notBefore !== null) await replanWaiting(db, workspaceId, { now: clock.now(), callId });
    deps.notifier.notify(workspaceId, callId);
  }

  /** As `written`, and tells workers of the call. */
  async function accepted(workspaceId: WorkspaceId, callId: string, call: PlannedRow): Promise<void> {
    await written(workspaceId, callId, call);
    deps.announceWaiting(workspaceId);
  }

  async function replay(
    workspaceId: WorkspaceId,
    key: string,
    hash: string,
  ): Promise<QueuedCall | undefined> {
    const first = await findAnsweredRequest(db, workspaceId, key, oldestKey(clock.now()));
    if (!first) return undefined;
    assertSameRequest(first, hash);
    return first.response as QueuedCall;
  }

  /** What a request for a call means, or why it is refused. */
  async function prepare(
    workspaceId: WorkspaceId,
    body: CallRequest,
  ): Promise<{ call: NewCall & { outboundPromptId: string }; missingForOpening: string[] }> {
    const number = await findAgentNumber(db, workspaceId, { number: body.from, person: body.to });
    const variables = body.variables ?? {};
    const chosen = await chooseOutboundPrompt(db, workspaceId, number.agentId, { ...body, variables });
    if (number.isOptedOut)
      throw new AppError('OPTED_OUT', `${body.to} asked not to be called again and is on the opt-out list`);
    const call = {
      phoneNumberId: number.id,
      agentId: number.agentId,
      outboundPromptId: chosen.outboundPromptId,
      direction: 'OUTBOUND' as const,
      carrier: number.carrier,
      agentPhoneNumber: body.from,
      humanPhoneNumber: body.to,
      variables,
      ...plannedRow(number, { to: body.to, dueAt: null, now: clock.now() }),
    };
    return { call, missingForOpening: chosen.missingForOpening };
  }

  return {
    /**
     * Accepts an outbound call (contract, POST /outbound). With an idempotency key a repeat, parallel ones too, gets
     * the first answer. Throws 404 for an unknown number or prompt, 403 for another workspace's prompt and for the
     * monthly limit, 400 for an agent that is switched off or has no prompt and for a number that opted out. A missing
     * variable refuses nothing: where the opening cannot be said without it, another one is said, and the answer tells.
     */
    async queueOutbound(actor: Actor, asked: OutboundCallBody, givenKey?: string): Promise<QueuedCall> {
      const { workspaceId } = actor;
      const idempotencyKey = givenKey === undefined ? undefined : keyOf(actor, givenKey);
      const body = { ...asked, to: await readPerson(db, workspaceId, asked.to) };
      const hash = hashRequest(body);
      const repeated =
        idempotencyKey === undefined ? undefined : await replay(workspaceId, idempotencyKey, hash);
      if (repeated) return repeated;

      const { call, missingForOpening } = await prepare(workspaceId, body);
      const callId = ids.next('cnv');
      const { outboundPromptId, variables } = call;
      const { from, to } = body;
      const answer: QueuedCall = { from, to, conversationId: callId, outboundPromptId, variables };
      if (missingForOpening.length > 0) answer.missingForOpening = missingForOpening;
      if (idempotencyKey === undefined) {
        await accept(db, actor, callId, call);
        await accepted(workspaceId, callId, call);
        return answer;
      }
      const isFirst = await db.transaction(async (tx) => {
        const remembered = { key: idempotencyKey, requestHash: hash, response: answer };
        const ofNow = { id: ids.next('idem'), createdAt: clock.now() };
        if (!(await rememberAnswer(tx, workspaceId, { ...remembered, ...ofNow }, oldestKey(clock.now()))))
          return false;
        await accept(tx, actor, callId, call);
        return true;
      });
      if (isFirst) {
        await accepted(workspaceId, callId, call);
        return answer;
      }
      const first = await replay(workspaceId, idempotencyKey, hash);
      if (!first) throw stillAtWork(1);
      return first;
    },

    /**
     * Accepts a call of a campaign by the rules of any other, and errors as for one, and 400 for a missing variable
     * without which the opening cannot be said: somebody looks through the list of a campaign beforehand. `agree` is asked with the call's id
     * in the transaction that writes it: where it says no, there is no call and the answer is undefined. Workers are not
     * told: `announceWaiting` does that once for several.
     */
    async queueForCampaign(
      actor: Actor,
      body: CallRequest,
      {
        campaignId,
        agree,
      }: { campaignId: string; agree: (tx: Database, callId: string) => Promise<boolean> },
    ): Promise<string | undefined> {
      const { workspaceId } = actor;
      const { call: prepared, missingForOpening } = await prepare(workspaceId, body);
      if (missingForOpening.length > 0) throw openingUnsayable(missingForOpening);
      const call = { ...prepared, campaignId };
      const callId = ids.next('cnv');
      const isAgreed = await db.transaction(async (tx) => {
        if (!(await agree(tx, callId))) return false;
        await accept(tx, actor, callId, call);
        return true;
      });
      if (!isAgreed) return undefined;
      await written(workspaceId, callId, call);
      return callId;
    },

    /** Tells workers that calls of the workspace wait. */
    announceWaiting: (workspaceId: WorkspaceId): void => deps.announceWaiting(workspaceId),

    /** Ends those calls of a campaign, undialled, that still wait; gives how many. */
    async endWaitingOfCampaign(workspaceId: WorkspaceId, campaignId: string): Promise<number> {
      const waiting = await listWaitingOfCampaign(db, workspaceId, campaignId);
      for (const callId of waiting)
        await deps.wrapUp.endUndialled(workspaceId, callId, { ...CAMPAIGN_CANCELLED, owner: null });
      return waiting.length;
    },

    /** After a campaign was resumed: its waiting calls are placed when they were due. */
    async resumeWaitingOfCampaign(workspaceId: WorkspaceId, campaignId: string): Promise<void> {
      await resumeWaitingOfCampaign(db, workspaceId, campaignId);
      deps.announceWaiting(workspaceId);
    },

    /** Places a call that is marked as a test, by the rules of any other. Errors as for an outbound call. */
    async placeTest(
      actor: Actor,
      asked: {
        from: string;
        to: E164;
        outboundPromptId?: string | undefined;
        variables?: Record<string, string> | undefined;
      },
    ): Promise<{ callId: string }> {
      const { workspaceId } = actor;
      const { from, to, outboundPromptId, variables = {} } = asked;
      const prepared = await prepare(workspaceId, { from, to, outboundPromptId, variables });
      const call = { ...prepared.call, isTest: true };
      const callId = ids.next('cnv');
      await accept(db, actor, callId, call);
      await accepted(workspaceId, callId, call);
      return { callId };
    },

    /** Lets a simulated person call a number of the workspace. Errors as for an outbound call. */
    async simulateInbound(
      actor: Actor,
      call: { to: string; from: E164; variables?: Record<string, string> | undefined },
    ): Promise<{ callId: string }> {
      const { to, from, variables = {} } = call;
      return deps.incoming.take(actor, {
        carrier: 'simulated',
        to,
        from,
        variables,
      });
    },

    /** Plans the calls that wait anew, in the transaction that changes calling hours or the time zone. */
    replanWaiting: (tx: Database, workspaceId: WorkspaceId): Promise<void> =>
      replanWaiting(tx, workspaceId, { now: clock.now() }),

    /** After that transaction: plans what was accepted meanwhile, and starts what may start now. */
    async startReplanned(workspaceId: WorkspaceId): Promise<void> {
      await replanWaiting(db, workspaceId, { now: clock.now() });
      deps.announceWaiting(workspaceId);
    },

    /** Ends the calls of a workspace, undialled, that wait for a number on its opt-out list. */
    async endOptedOut(workspaceId: WorkspaceId): Promise<void> {
      for (const callId of await listWaitingOptedOut(db, workspaceId))
        await deps.wrapUp.endUndialled(workspaceId, callId, { ...OPTED_OUT, owner: null });
    },

    /** Ends a call nobody was dialled for yet; it becomes a failed conversation. 400 INVALID_STATE once it is dialling. */
    async cancel(actor: Actor, callId: string): Promise<void> {
      await findCall(db, actor.workspaceId, callId);
      const wasQueued = await deps.wrapUp.endUndialled(actor.workspaceId, callId, {
        trigger: 'cancel',
        owner: null,
        reason: 'cancelled',
        endReason: 'The call was cancelled before anybody was dialled.',
        data: { by: actor.label },
      });
      if (!wasQueued)
        throw new AppError('INVALID_STATE', 'The call is no longer queued and cannot be cancelled');
      await recordAudit(db, clock, actor, { action: 'call.cancelled', targetId: callId });
    },
  };
}

/** In E.164. Of what the contract's pattern takes, only a number that begins with 0 needs a country: it has none. */
async function readPerson(db: Database, workspaceId: WorkspaceId, number: string): Promise<E164> {
  if (!number.startsWith('0')) return parsePhoneNumber(number);
  const read = readPhoneNumber(number, await findNumberCountry(db, workspaceId));
  return read.ok ? read.number : parsePhoneNumber(number);
}
