import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, optionalQueryInteger, timestamp } from '#lib/http/schemas.ts';
import { disposition, sentiment } from '#lib/features/conversations/contract.ts';

export const DEFAULT_DAYS = 30;
/** Two years. */
export const MOST_DAYS = 731;

const count = z.number().int();

export const figures = z.object({
  calls: count,
  chats: count,
  outbound: count.describe('Of the calls, those that an agent placed'),
  reached: count.describe('Of these, those that a person answered: not a voicemail and not nobody'),
  minutes: z.number().describe('Of calls, from answer to hang-up'),
  cost: z.number().describe('Of calls and chats, in cents'),
  outcomes: z.record(disposition, count).describe('Of calls'),
  sentiments: z.record(sentiment, count).describe('Of calls'),
  answerTime: z
    .object({
      count: count.describe('Answers that were measured'),
      medianMs: count,
      slowestMs: count.describe('What 95 of 100 answers did not exceed'),
    })
    .nullable()
    .describe("From a person's last sound to the agent's first"),
});
export type OverviewFigures = z.output<typeof figures>;

const compared = { current: figures, before: figures };

export const overview = z.object({
  /** By whose clock days begin. */
  timeZone: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  unit: z.enum(['hour', 'day', 'week']),
  startsAt: timestamp,
  endsAt: timestamp,
  before: z.object({ startsAt: timestamp, endsAt: timestamp }),
  /** Whether the workspace has any conversation besides tests, whatever the range. */
  hasConversations: z.boolean(),
  totals: z.object(compared),
  periods: z.array(figures.extend({ startsAt: timestamp, endsAt: timestamp })),
  agents: z.array(z.object({ agentId: z.string(), name: z.string(), isDeleted: z.boolean(), ...compared })),
  prompts: z.array(
    z.object({
      promptId: z.string(),
      /** null: it was deleted. */
      title: z.string().nullable(),
      agentId: z.string(),
      agentName: z.string(),
      ...compared,
    }),
  ),
  tags: z.array(
    z.object({
      tag: z.string(),
      calls: count,
      before: count,
      /** For each of the periods. */
      periods: z.array(count),
    }),
  ),
  /** How many tags there are besides these. */
  otherTags: count,
});
export type Overview = z.output<typeof overview>;

const day = z.iso
  .date()
  .refine((text) => text >= '2000-01-01' && text < '2100-01-01', 'must be a day from 2000 to 2099');

export const getOverview = defineOperation({
  id: 'getOverview',
  method: 'GET',
  path: '/dashboard/overview',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'What conversations of a range came to, beside those of the period before',
  description: 'Ended conversations; tests are left out. Days are those of the workspace.',
  query: z.object({
    days: optionalQueryInteger({ min: 1, max: MOST_DAYS }).describe('The last so many days, today included'),
    from: day.optional(),
    to: day.optional().describe('Left out: today'),
    agentId: z.string().min(1).max(500).optional(),
  }),
  response: enveloped(overview),
  status: 200,
});

export const overviewOperations = [getOverview] as const;
