import { z } from 'zod';
import { FIELD_TYPES } from '#lib/features/agents/results/rules.ts';
import { disposition } from '#lib/features/conversations/contract.ts';
import { figures } from '#lib/features/overview/contract.ts';
import { versionAuthor } from '#lib/features/versions/contract.ts';
import { defineOperation, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId, timestamp } from '#lib/http/schemas.ts';

const percent = z.int().min(1).max(99).describe('Of a hundred new conversations, so many');
const namedVersion = z.object({ id: z.string(), number: z.int().nullable() });

const split = z.object({
  id: z.string(),
  agentId: z.string(),
  version: namedVersion.describe('The second version, which gets the share'),
  percent,
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
  steps: z
    .array(
      z.object({
        kind: z.enum(['started', 'changed', 'published', 'stopped']),
        percent,
        published: namedVersion.describe('What the other conversations had at that moment'),
        at: timestamp,
        author: versionAuthor,
      }),
    )
    .describe(
      'What was done with it, the first one first; the last one ended it, unless its agent was deleted',
    ),
});
export type Split = z.output<typeof split>;

const count = z.int();
const share = z.number().min(0).max(1);
/** Bounds that 95 of 100 samples like this would hold. */
const interval = z.object({ low: z.number(), high: z.number() });

const proportion = z.object({ count, of: count, interval: interval.nullable() });

const rate = z.object({
  what: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('reached') }),
    z.object({ kind: z.literal('outcome'), outcome: disposition }),
    z.object({ kind: z.literal('sentiment'), sentiment: z.enum(['POSITIVE', 'NEUTRAL', 'NEGATIVE']) }),
    z.object({ kind: z.literal('result'), name: z.string(), type: z.enum(FIELD_TYPES) }),
  ]),
  values: z.array(proportion).describe('In the order of the versions'),
  difference: interval
    .extend({ verdict: z.enum(['higher', 'lower', 'unclear', 'too_few']) })
    .nullable()
    .describe('Of the second version from what is published; null where one of them has none'),
});
export type SplitRate = z.output<typeof rate>;

const splitResults = split.extend({
  agentName: z.string(),
  isAgentDeleted: z.boolean(),
  versions: z
    .array(
      namedVersion.extend({
        part: z
          .enum(['shared', 'published', 'earlier'])
          .describe('`earlier`: was published for a part of the time'),
        /** Of all conversations of these versions. */
        share: share.nullable(),
        conversations: count,
        calls: count,
        chats: count,
        costPerConversation: z.number().nullable().describe('In cents'),
        duration: z
          .object({ count, medianSeconds: z.number(), interval })
          .nullable()
          .describe('Of calls that were answered'),
        answerTime: figures.shape.answerTime,
      }),
    )
    .describe('The second one, what is published, then those that were published earlier'),
  rates: z.array(rate),
  durationVerdict: z
    .enum(['higher', 'lower', 'unclear', 'too_few'])
    .nullable()
    .describe('Of the median of the second version, beside what is published'),
});
export type SplitResults = z.output<typeof splitResults>;

const onSplit = {
  scope: 'member',
  role: 'member',
  tag: 'Agents',
  params: z.object({ splitId: pathId }),
  status: 200,
} as const;

const ofAgent = {
  ...onSplit,
  path: '/dashboard/agents/{agentId}/splits',
  params: z.object({ agentId: pathId }),
} as const;

export const listSplits = defineOperation({
  ...ofAgent,
  id: 'listSplits',
  method: 'GET',
  role: 'viewer',
  summary: 'When versions of an agent shared its conversations, the latest first',
  response: enveloped(z.array(split)),
  errors: LOOK_UP_ERRORS,
});

export const startSplit = defineOperation({
  ...ofAgent,
  id: 'startSplit',
  method: 'POST',
  summary: 'Give a second version of an agent a share of its new conversations',
  body: z.object({
    versionId: pathId.nullable().describe('null: the draft, which is published for this share'),
    percent,
  }),
  response: enveloped(split),
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE', 'CONFIRMATION_REQUIRED'],
});

export const getSplit = defineOperation({
  ...onSplit,
  id: 'getSplit',
  method: 'GET',
  path: '/dashboard/splits/{splitId}',
  role: 'viewer',
  summary: 'What the conversations of each version came to, since they share them',
  response: enveloped(splitResults),
  errors: LOOK_UP_ERRORS,
});

export const changeSplit = defineOperation({
  ...onSplit,
  id: 'changeSplit',
  method: 'PATCH',
  path: '/dashboard/splits/{splitId}',
  summary: 'Change the share of the second version, for conversations that begin from now on',
  body: z.object({ percent }),
  response: enveloped(split),
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE'],
});

export const endSplit = defineOperation({
  ...onSplit,
  id: 'endSplit',
  method: 'POST',
  path: '/dashboard/splits/{splitId}/end',
  summary: 'End a share: the second version is published for all, or gets no more conversations',
  body: z.object({ how: z.enum(['publish', 'stop']) }),
  response: enveloped(split),
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE'],
});

export const splitOperations = [listSplits, startSplit, getSplit, changeSplit, endSplit] as const;
