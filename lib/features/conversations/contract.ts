import { z } from 'zod';
import { defineOperation, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import {
  afterItem,
  enveloped,
  optionalQueryInteger,
  PAGING_NOTE,
  pathId,
  queryBoolean,
  queryInteger,
  timestamp,
} from '#lib/http/schemas.ts';
import { resultDetail, resultFilter, resultsByName } from '#lib/features/agents/results/contract.ts';
import { toolUse, turn } from './turns/contract.ts';
import { CALL_STATUSES, CHANNELS, DIRECTIONS, DISPOSITIONS, SENTIMENTS } from '#lib/ports/call-kinds.ts';
import { CARRIER_KINDS } from '#lib/ports/carrier-kinds.ts';

export const direction = z.enum(DIRECTIONS);
export const sentiment = z.enum(SENTIMENTS);
export const disposition = z.enum(DISPOSITIONS);
export const channel = z.enum(CHANNELS);
export const callStatus = z.enum(CALL_STATUSES);

const conversationFields = {
  id: z.string(),
  dateInitiated: timestamp,
  agentId: z.string(),
  direction,
  tags: z.array(z.string()),
  summary: z.string().nullable(),
  durationSeconds: z.number().describe('From answer to hang-up'),
  cost: z.number().describe('Cents'),
  humanPhoneNumber: z.string(),
  agentPhoneNumber: z.string(),
  sentimentClassification: sentiment.nullable(),
  disposition: disposition.describe(
    'How it ended, as the webhook tells it: `FAILED` when it never connected',
  ),
  variables: z.record(z.string(), z.string()).describe('What was sent with the call'),
  transcript: z.string().optional(),
  channel: z
    .literal('chat')
    .optional()
    .describe('Of a chat, which has `browser` for both numbers; a call has no such field'),
  results: resultsByName
    .optional()
    .describe('What it yielded, by the names of the fields; absent unless its agent had fields'),
};

export const conversation = z
  .object({
    ...conversationFields,
    recordingUrl: z
      .string()
      .optional()
      .describe('Signed link to the audio; expires one hour after the request'),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.output<typeof conversation>;

export const conversationListItem = z
  .object(conversationFields)
  .meta({ id: 'ConversationListItem', description: 'A conversation without its recording link' });

export const getConversation = defineOperation({
  id: 'getConversation',
  method: 'GET',
  path: '/conversation/{id}',
  scope: 'workspace',
  tag: 'Conversations',
  summary: 'Read one finished conversation',
  description:
    '`data` is null while the call has not ended, and when no conversation of this workspace has the id.',
  params: z.object({ id: pathId }),
  response: enveloped(conversation.nullable()),
  status: 200,
  // The contract's machine-readable description lists it beside the 200 with null that is answered.
  errors: ['NOT_FOUND'],
});

const anyMilliseconds = optionalQueryInteger({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

export const listConversations = defineOperation({
  id: 'listConversations',
  method: 'GET',
  path: '/conversations',
  scope: 'workspace',
  tag: 'Conversations',
  summary: 'List finished conversations, the most recent first',
  description: PAGING_NOTE,
  query: z.object({
    datetime_start: anyMilliseconds.describe(
      'Unix time in milliseconds (UTC), inclusive: conversations initiated at this moment or later, e.g. 1767225600000 for 2026-01-01T00:00:00Z',
    ),
    datetime_end: anyMilliseconds.describe(
      'Unix time in milliseconds (UTC), inclusive: conversations initiated at this moment or earlier',
    ),
    agent_id: z.string().min(1).max(500).optional(),
    direction: direction.optional(),
    sentiment: z.enum(['POSITIVE', 'NEUTRAL', 'NEGATIVE']).optional(),
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    skip: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }),
    after: afterItem,
    include_tests: queryBoolean.describe('With `true` also tests: talks and chats from the dashboard'),
    include_chats: queryBoolean.describe('With `true` also chats: of the website widget and over the API'),
  }),
  response: enveloped(z.array(conversationListItem)),
  status: 200,
  errors: LOOK_UP_ERRORS,
});
export type ConversationFilter = z.output<typeof listConversations.query>;

/** The dashboard's view: every call, whatever its status. */
export const callListItem = z.object({
  id: z.string(),
  channel,
  status: callStatus,
  direction,
  dateInitiated: timestamp,
  answeredAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  agentId: z.string(),
  agentName: z.string(),
  humanPhoneNumber: z.string(),
  agentPhoneNumber: z.string(),
  durationSeconds: z.number(),
  cost: z.number(),
  disposition: disposition.nullable(),
  sentiment: sentiment.nullable(),
  tags: z.array(z.string()),
  summary: z.string().nullable(),
  /** Why the call ended, in one sentence; null while it runs. */
  endReason: z.string().nullable(),
  endedBy: z.string().nullable(),
  /** Of a call that waits for calling hours, or for the moment of another try: until when, and in which zone it opens. */
  waitsUntil: z.object({ at: timestamp, timeZone: z.string().nullable() }).nullable(),
  isTest: z.boolean().describe('Tried from the dashboard'),
  hasRecording: z.boolean(),
  /** Where a search of the list found its words in the transcript; null for other lists and other places. */
  excerpt: z.string().nullable(),
  isReviewed: z.boolean(),
  /** E-mail address of whom it is assigned to. */
  assignee: z.string().nullable(),
});
export type CallListItem = z.output<typeof callListItem>;

const callFilterFields = {
  agentId: z.string().min(1).max(500).optional(),
  channel: channel.optional(),
  direction: direction.optional(),
  sentiment: sentiment.optional(),
  disposition: disposition.optional(),
  tag: z.string().min(1).max(100).optional(),
  campaignId: z.string().min(1).max(500).optional(),
  /** The outbound prompt that calls were placed with. */
  promptId: z.string().min(1).max(500).optional(),
  /** The version of the agent that conversations were held with. */
  versionId: z.string().min(1).max(500).optional(),
  /** `live` = every call that has not ended. */
  status: z.enum([...callStatus.options, 'live']).optional(),
  search: z.string().max(200).optional().describe('Words in the transcript, summary, tags or numbers'),
  /** A field and what its value is compared with (readResultFilter). */
  result: resultFilter.optional(),
  dateStart: anyMilliseconds,
  dateEnd: anyMilliseconds,
  /** `done`: reviewed by somebody; `open`: not yet. */
  review: z.enum(['open', 'done']).optional(),
  /** A member's id; `me`: whoever asks; `none`: nobody. */
  assignee: z.string().min(1).max(500).optional(),
  /** Left out: calls and tests. */
  tests: z.enum(['without', 'only']).optional(),
};
export const callFilter = z.object(callFilterFields);
export type CallFilter = z.output<typeof callFilter>;

export const listCalls = defineOperation({
  id: 'listCalls',
  method: 'GET',
  path: '/dashboard/calls',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'List calls in every status',
  query: z.object({
    ...callFilterFields,
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    skip: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }),
  }),
  response: enveloped(
    z.object({
      calls: z.array(callListItem),
      /** Calls that match the filter, on all pages; not exact: there are more than these. */
      totalCount: z.number().int(),
      isTotalExact: z.boolean(),
      /** Calls of the workspace that have not ended, whatever the filter. */
      liveCount: z.number().int(),
      limit: z.number().int(),
      skip: z.number().int(),
    }),
  ),
  status: 200,
});

/** One thing that happened on a call. `call.<status>`, `turn`, `tool`, or what the engine and the webhook report. */
export const callEvent = z.object({
  id: z.number().int(),
  callId: z.string(),
  type: z.string(),
  at: timestamp,
  data: z.record(z.string(), z.unknown()),
});
export type CallEvent = z.output<typeof callEvent>;

export const callDetail = callListItem.omit({ excerpt: true, isReviewed: true, assignee: true }).extend({
  agentState: z.enum(['active', 'inactive', 'deleted']),
  carrier: z.enum(CARRIER_KINDS),
  phoneNumberId: z.string().nullable(),
  outboundPromptId: z.string().nullable(),
  /** Of a call that a campaign placed, until the campaign is deleted. */
  campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** null for inbound calls, and once the prompt was deleted. */
  promptTitle: z.string().nullable(),
  /** What it was held with; `number` is null for a draft. null where nobody was dialled, and before versions were kept. */
  version: z.object({ id: z.string(), number: z.int().nullable() }).nullable(),
  variables: z.record(z.string(), z.string()),
  /** Of a person who was called several times: every attempt, the first one first; empty for a single call. */
  attempts: z.array(
    callListItem
      .pick({ id: true, status: true, disposition: true, endReason: true })
      .extend({ attempt: z.int() }),
  ),
  attempt: z.int(),
  /** How many attempts the prompt allowed when the last one was planned. */
  attemptsPlanned: z.int(),
  turns: z.array(turn),
  toolUses: z.array(toolUse),
  /** Of the turns and tool uses, which come by themselves, only those that say where another event happened. */
  events: z.array(callEvent),
  appointment: z.object({ startsAt: z.string(), timeZone: z.string(), spoken: z.string() }).nullable(),
  callback: z.object({ spoken: z.string(), contact: z.string().optional() }).nullable(),
  /** What it yielded, in the order of the fields; null where its agent had none. */
  results: z.array(resultDetail).nullable(),
  costBreakdown: z
    .object({ carrierCents: z.number(), languageCents: z.number(), speechCents: z.number() })
    .nullable(),
  /** A signed link relative to the origin, good for an hour; null when there is no recording. */
  recordingUrl: z.string().nullable(),
  recordingSizeBytes: z.number().nullable(),
  webhook: z
    .object({
      deliveryId: z.string(),
      status: z.enum(['pending', 'sending', 'delivered', 'failed', 'unknown']),
      url: z.string(),
      responseStatus: z.number().nullable(),
      error: z.string().nullable(),
      createdAt: timestamp,
      finishedAt: timestamp.nullable(),
    })
    .nullable(),
});
export type CallDetail = z.output<typeof callDetail>;

const callParams = z.object({ callId: pathId });

export const getCall = defineOperation({
  id: 'getCall',
  method: 'GET',
  path: '/dashboard/calls/{callId}',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Read one call with everything that happened on it',
  params: callParams,
  response: enveloped(callDetail),
  status: 200,
});

export const getCallNeighbours = defineOperation({
  id: 'getCallNeighbours',
  method: 'GET',
  path: '/dashboard/calls/{callId}/neighbours',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'The calls before and after one call in a filtered list',
  params: callParams,
  query: callFilter,
  response: enveloped(
    z.object({
      /** The id above it in the list, which is more recent. */
      previous: z.string().nullable(),
      next: z.string().nullable(),
      /** Its place in the list, from 1; null where the filter leaves it out, and too far down to be counted. */
      position: z.number().int().nullable(),
      totalCount: z.number().int(),
      /** False: there are more than these. */
      isTotalExact: z.boolean(),
    }),
  ),
  status: 200,
});
export type CallNeighbours = z.output<typeof getCallNeighbours.response>['data'];

/** Server-sent events resume after `Last-Event-ID`; a client that reads with fetch may send it as `after`. */
const streamQuery = z.object({ after: optionalQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER }) });

export const streamCall = defineOperation({
  id: 'streamCall',
  method: 'GET',
  path: '/dashboard/calls/{callId}/stream',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Follow one call as it happens',
  description: 'Server-sent events, one per call event, from the first one; ends after `call.ended`.',
  params: callParams,
  query: streamQuery,
  produces: 'text/event-stream',
  status: 200,
});

export const streamCalls = defineOperation({
  id: 'streamCalls',
  method: 'GET',
  path: '/dashboard/calls/stream',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Follow the state changes of every call of the workspace',
  description: 'Server-sent events from now on (or after `Last-Event-ID`); turns are left out.',
  query: streamQuery,
  produces: 'text/event-stream',
  status: 200,
});

export const conversationOperations = [
  getConversation,
  listConversations,
  listCalls,
  getCall,
  getCallNeighbours,
  streamCall,
  streamCalls,
] as const;
