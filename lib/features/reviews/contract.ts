import { z } from 'zod';
import { tagName } from '#lib/features/tags/contract.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId, timestamp, trimmedText } from '#lib/http/schemas.ts';

export const MAX_SENTENCE_CHARACTERS = 500;

const byAt = z.object({ by: z.string().describe('E-mail address'), at: timestamp });

/** A tag of a conversation, or one that a person removed from it. */
export const reviewTag = z.object({
  tag: z.string(),
  /** `kept`: the analyzer said it. */
  state: z.enum(['kept', 'added', 'removed']),
  /** Who added or removed it; null for the analyzer's own. */
  edit: byAt.nullable(),
});
export type ReviewTag = z.output<typeof reviewTag>;

export const callRating = z.object({
  isOwn: z.boolean(),
  by: z.string(),
  at: timestamp,
  stars: z.int().min(1).max(5),
  sentence: z.string().nullable(),
});
export type CallRating = z.output<typeof callRating>;

/** What people say about a conversation that is over. */
export const callReview = z.object({
  tags: z.array(reviewTag),
  /** null: not reviewed. */
  reviewed: byAt.nullable(),
  assignee: z.object({ id: z.string(), email: z.string() }).nullable(),
  /** Oldest first. */
  ratings: z.array(callRating),
  /** Made of it, and deleted with it. */
  scenarios: z.array(z.object({ id: z.string(), agentId: z.string(), name: z.string() })),
});
export type CallReview = z.output<typeof callReview>;

const params = z.object({ callId: pathId });
/** Of a removal any text: an old release may have written a tag that is no name today. */
const tagParams = params.extend({ tag: pathId });
const answer = enveloped(callReview);

export const getCallReview = defineOperation({
  id: 'getCallReview',
  method: 'GET',
  path: '/dashboard/calls/{callId}/review',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'What people say about a conversation: tags, reviewed mark, assignment, ratings',
  params,
  response: answer,
  status: 200,
});

export const updateCallReview = defineOperation({
  id: 'updateCallReview',
  method: 'PATCH',
  path: '/dashboard/calls/{callId}/review',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Mark a conversation as reviewed or not, assign it to a member or to nobody',
  params,
  body: z.strictObject({
    isReviewed: z.boolean().optional(),
    assigneeId: z.string().min(1).max(500).nullable().optional().describe('`me`: whoever asks; null: nobody'),
  }),
  response: answer,
  status: 200,
});

export const addCallTag = defineOperation({
  id: 'addCallTag',
  method: 'PUT',
  path: '/dashboard/calls/{callId}/tags/{tag}',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Add a tag to a conversation, or take back its removal',
  params: params.extend({ tag: tagName }),
  response: answer,
  status: 200,
});

export const removeCallTag = defineOperation({
  id: 'removeCallTag',
  method: 'DELETE',
  path: '/dashboard/calls/{callId}/tags/{tag}',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Remove a tag from a conversation',
  params: tagParams,
  response: answer,
  status: 200,
});

export const rateCall = defineOperation({
  id: 'rateCall',
  method: 'PUT',
  path: '/dashboard/calls/{callId}/rating',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Give a conversation one to five stars, with a sentence; one rating of each member',
  params,
  body: z.strictObject({
    stars: z.int().min(1).max(5),
    sentence: trimmedText(MAX_SENTENCE_CHARACTERS)
      .transform((text) => (text === '' ? null : text))
      .nullable()
      .optional()
      .describe('Left out: stays'),
  }),
  response: answer,
  status: 200,
});

export const unrateCall = defineOperation({
  id: 'unrateCall',
  method: 'DELETE',
  path: '/dashboard/calls/{callId}/rating',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Take your own rating back',
  params,
  response: answer,
  status: 200,
});

export const reviewOperations = [
  getCallReview,
  updateCallReview,
  addCallTag,
  removeCallTag,
  rateCall,
  unrateCall,
] as const;
