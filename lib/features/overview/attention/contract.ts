import { z } from 'zod';
import { getModelHealth } from '#lib/features/conversations/model-health/contract.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped } from '#lib/http/schemas.ts';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';

const count = z.number().int();
const isExact = z.boolean().describe('False: there are more than these');
const since = count.describe('Unix milliseconds');

export const attention = z.object({
  actionNeeded: z
    .object({ count, isExact, since })
    .nullable()
    .describe('Conversations of the last seven days with the tag `action_needed`, tests left out'),
  assigned: z
    .object({ count, isExact })
    .nullable()
    .describe('Conversations that are assigned to whoever asks, and not reviewed'),
  toReview: z
    .object({ count, isExact, since })
    .nullable()
    .describe(
      'Conversations of the last seven days that nobody reviewed, tests left out, where somebody reviewed others of them',
    ),
  webhooks: z
    .object({ failed: count, of: count, lastId: z.string(), error: z.string().nullable() })
    .nullable()
    .describe('Of the last 20 that came to an end'),
  documents: z
    .object({ failed: count, knowledgeBaseId: z.string().nullable().describe('null: of several') })
    .nullable(),
  limit: z
    .object({
      minutes: z.number().describe('Used and reserved'),
      limitMinutes: z.number(),
      refusesIncomingAtLimit: z.boolean(),
    })
    .nullable()
    .describe("Where four fifths of the month's limit are gone"),
  model: getModelHealth.response.shape.data.shape.problem,
  carriers: z
    .array(z.object({ kind: z.enum(NUMBER_CARRIERS), calls: count, failed: count }))
    .describe(
      'That could not place calls, or lost them, within the last hour: at least three and one of five',
    ),
});
export type Attention = z.output<typeof attention>;

export const getAttention = defineOperation({
  id: 'getAttention',
  method: 'GET',
  path: '/dashboard/attention',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'What somebody has to look after; null or empty where nobody has',
  response: enveloped(attention),
  status: 200,
});

export const attentionOperations = [getAttention] as const;
