import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { forbidden } from '#lib/errors.ts';
import { findAgentWorkspace } from '#lib/features/agents/repository.ts';
import type { RecordingService } from '#lib/features/recordings/service.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type {
  CallDetail,
  CallFilter,
  CallListItem,
  CallNeighbours,
  Conversation,
  ConversationFilter,
} from './contract.ts';
import { type WrittenJson, writtenJson } from '#lib/http/written-json.ts';
import {
  findConversation,
  findNeighbours,
  findPlace,
  type ListedCall,
  listCalls,
  listConversations,
  loadCallDetail,
} from './repository.ts';
import { type Count, countPlaces } from './listing/repository.ts';
import { excerptOf, forActor, searchWords, toCallFilter } from './rules.ts';

export type ConversationService = ReturnType<typeof createConversationService>;

export function createConversationService(deps: Pick<Dependencies, 'db'> & { recordings: RecordingService }) {
  const { db } = deps;

  return {
    /** Contract, GET /conversation/{id}: null while the call runs, and for an id that is not in the workspace. */
    async get(actor: Actor, conversationId: string): Promise<WrittenJson<Conversation | null>> {
      const found = await findConversation(db, actor.workspaceId, conversationId);
      if (!found) return writtenJson('null');
      const link = found.hasRecording
        ? `,"recordingUrl":${JSON.stringify(deps.recordings.signedUrl(conversationId))}`
        : '';
      return writtenJson(`${found.json.slice(0, -1)}${link}}`);
    },

    /**
     * Contract, GET /conversations. An agent of another workspace is refused with 403; an id that no agent has
     * simply matches nothing.
     */
    async list(actor: Actor, filter: ConversationFilter): Promise<WrittenJson<Conversation[]>> {
      await refuseForeignAgent(actor.workspaceId, filter.agent_id);
      const { limit, skip } = filter;
      const after =
        filter.after === undefined ? undefined : await findPlace(db, actor.workspaceId, filter.after);
      const found = await listConversations(db, actor.workspaceId, toCallFilter(filter), {
        limit,
        skip,
        after,
      });
      return writtenJson(found);
    },

    /** Calls in every status, for the dashboard, with how many match on all pages. */
    async listCalls(actor: Actor, given: CallFilter & { limit: number; skip: number }) {
      const filter = forActor(actor, given);
      await refuseForeignAgent(actor.workspaceId, filter.agentId);
      const { limit, skip } = filter;
      const rows = await listCalls(db, actor.workspaceId, filter, { limit, skip });
      const total = await countWith(actor.workspaceId, filter, rows);
      const live = await countPlaces(db, actor.workspaceId, {
        filter: { status: 'live', channel: filter.channel },
      });
      const words = searchWords(filter.search);
      const items = rows.map(({ isReviewed, assignee, ...row }) => {
        const excerpt = excerptOf(row.transcript, words);
        return { ...toListItem(row), excerpt, isReviewed, assignee };
      });
      return { calls: items, ...countOf(total), liveCount: live.count, limit, skip };
    },

    /** The calls before and after one in the filtered list, and its place there. Throws 403 and 404. */
    async neighbours(actor: Actor, callId: string, given: CallFilter): Promise<CallNeighbours> {
      const filter = forActor(actor, given);
      await refuseForeignAgent(actor.workspaceId, filter.agentId);
      const { total, ...place } = await findNeighbours(db, actor.workspaceId, callId, filter);
      return { ...place, ...countOf(total) };
    },

    /** One call with turns, tools, timeline, cost and webhook, for the dashboard. Throws 403 and 404. */
    async getCall(actor: Actor, callId: string): Promise<CallDetail> {
      const found = await loadCallDetail(db, actor.workspaceId, callId);
      const { id, recordingKey } = found.call;
      return toDetail(found, recordingKey === null ? null : deps.recordings.signedPath(actor, id));
    },
  };

  /**
   * How many match on all pages. Up to a page it is known; behind it is counted from the page's end, so that what is rare is
   * not passed twice. Words are counted from the start: some of them are searched among the newest alone.
   */
  async function countWith(
    workspaceId: WorkspaceId,
    filter: CallFilter & { limit: number; skip: number },
    rows: readonly ListedCall[],
  ): Promise<Count> {
    const { limit, skip } = filter;
    const shown = skip + rows.length;
    if (rows.length < limit && (rows.length > 0 || skip === 0)) return { count: shown, isExact: true };
    const last = filter.search === undefined ? rows.at(-1) : undefined;
    if (!last) return countPlaces(db, workspaceId, { filter });
    const behind = await countPlaces(db, workspaceId, { filter, after: last });
    return { ...behind, count: shown + behind.count };
  }

  async function refuseForeignAgent(workspaceId: WorkspaceId, agentId: string | undefined): Promise<void> {
    if (agentId === undefined) return;
    const owner = await findAgentWorkspace(db, agentId);
    if (owner !== undefined && owner !== workspaceId) throw forbidden('Agent');
  }
}

function countOf({ count, isExact }: Count) {
  // Where it is not exact, it should not look so.
  return { totalCount: isExact ? count : Math.floor(count / 100) * 100, isTotalExact: isExact };
}

type ListedAlone = 'excerpt' | 'isReviewed' | 'assignee';
/** What a list does without. */
type ExportedAlone = 'transcript' | 'variables' | 'rating' | 'notes';

function toListItem(call: Omit<ListedCall, ExportedAlone | ListedAlone>): Omit<CallListItem, ListedAlone> {
  return {
    id: call.id,
    channel: call.channel,
    status: call.status,
    direction: call.direction,
    dateInitiated: call.dateInitiated.toISOString(),
    answeredAt: call.answeredAt?.toISOString() ?? null,
    endedAt: call.endedAt?.toISOString() ?? null,
    agentId: call.agentId,
    agentName: call.agentName,
    humanPhoneNumber: call.humanPhoneNumber,
    agentPhoneNumber: call.agentPhoneNumber,
    durationSeconds: call.durationSeconds,
    cost: call.cost,
    disposition: call.disposition,
    sentiment: call.sentiment,
    tags: call.tags,
    summary: call.summary,
    endReason: call.endReason,
    endedBy: call.endedBy,
    waitsUntil:
      call.status === 'queued' && call.notBefore !== null
        ? { at: call.notBefore.toISOString(), timeZone: call.notBeforeZone }
        : null,
    isTest: call.isTest,
    hasRecording: call.recordingKey !== null,
  };
}

function toDetail(
  found: Awaited<ReturnType<typeof loadCallDetail>>,
  recordingUrl: string | null,
): CallDetail {
  const { call, delivery } = found;
  return {
    ...toListItem({ ...call, agentName: found.agentName, endedBy: call.outcome?.endedBy ?? null }),
    agentState: found.agentState,
    carrier: call.carrier,
    phoneNumberId: call.phoneNumberId,
    outboundPromptId: call.outboundPromptId,
    promptTitle: found.promptTitle,
    version: found.version,
    variables: call.variables,
    campaign: found.campaign,
    ...attemptsOf(found),
    endReason: call.endReason,
    turns: found.turns,
    toolUses: found.toolUses,
    events: withoutEchoes(found.events).map(toEvent),
    appointment: call.appointment,
    callback: call.callback,
    results: call.results,
    costBreakdown: call.costBreakdown,
    recordingUrl,
    recordingSizeBytes: call.recordingSizeBytes,
    webhook: delivery
      ? {
          deliveryId: delivery.id,
          status: delivery.status,
          url: delivery.url,
          responseStatus: delivery.responseStatus,
          error: delivery.error,
          createdAt: delivery.createdAt.toISOString(),
          finishedAt: delivery.finishedAt?.toISOString() ?? null,
        }
      : null,
  };
}

function attemptOf({ id, attempt, status, disposition, endReason }: CallDetail['attempts'][number]) {
  return { id, attempt, status, disposition, endReason };
}

function attemptsOf({ call, attempts }: Awaited<ReturnType<typeof loadCallDetail>>) {
  const planned = attempts.map(({ attemptsPlanned }) => attemptsPlanned ?? 1);
  return {
    attempt: call.attempt,
    attemptsPlanned: Math.max(call.attempt, ...planned),
    attempts: attempts.length < 2 ? [] : attempts.map(attemptOf),
  };
}

/** A call of hours has thousands of events that only repeat its turns: the last one before each other event tells its place. */
function withoutEchoes<Event extends { type: string }>(events: readonly Event[]): Event[] {
  const spoken = events.filter(({ type }) => type !== 'tool');
  return spoken.filter(({ type }, index) => {
    const next = spoken[index + 1];
    return type !== 'turn' || (next !== undefined && next.type !== 'turn');
  });
}

function toEvent(event: {
  id: number;
  callId: string;
  type: string;
  at: Date;
  data: Record<string, unknown>;
}) {
  return {
    id: event.id,
    callId: event.callId,
    type: event.type,
    at: event.at.toISOString(),
    data: event.data,
  };
}
