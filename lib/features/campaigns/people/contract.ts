import { z } from 'zod';
import { disposition } from '#lib/features/conversations/contract.ts';
import { defineOperation, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, queryInteger, timestamp } from '#lib/http/schemas.ts';
import { campaignParams, campaignShared } from '../contract.ts';

export const PERSON_STATUSES = [
  'pending',
  'calling',
  'called',
  'refused',
  'cancelled',
  'faulty',
  'duplicate',
  'guess',
  'opted_out',
] as const;
/** `left_out`: everybody whom the check left out. */
export const PERSON_FILTERS = [...PERSON_STATUSES, 'left_out'] as const;
export type PersonStatus = (typeof PERSON_FILTERS)[number];

export const campaignPerson = z
  .object({
    line: z.int().describe('In the file, or the place in the request; from 1'),
    givenNumber: z.string(),
    number: z.string().nullable().describe('In E.164 form; null where it is none'),
    variables: z.record(z.string(), z.string()),
    status: z.enum(PERSON_STATUSES),
    fault: z.string().nullable().describe('Why the person is not called, or why the number is a guess'),
    faultColumn: z.string().nullable(),
    conversationId: z.string().nullable().describe('The last call'),
    attempts: z.int(),
    disposition: disposition.nullable(),
    endReason: z.string().nullable(),
    placedAt: timestamp.nullable(),
  })
  .meta({ id: 'CampaignPerson' });
export type CampaignPerson = z.output<typeof campaignPerson>;

export const listCampaignPeople = defineOperation({
  ...campaignShared,
  id: 'listCampaignPeople',
  method: 'GET',
  path: '/campaigns/{campaignId}/people',
  role: 'viewer',
  summary: 'List the people of a campaign by their line, each with the last call to them',
  params: campaignParams,
  query: z.object({
    status: z.enum(PERSON_FILTERS).optional().describe('`left_out`: faulty, duplicate, a guess or opted out'),
    disposition: disposition.optional(),
    after: queryInteger({ min: 0, max: 10_000_000, default: 0 }).describe('Lines behind this one'),
    limit: queryInteger({ min: 1, max: 500, default: 100 }),
  }),
  response: enveloped(
    z.object({
      people: z.array(campaignPerson),
      nextAfter: z.int().nullable().describe('`after` of the next page; null on the last one'),
    }),
  ),
  errors: LOOK_UP_ERRORS,
});
export type PeoplePage = z.output<typeof listCampaignPeople.response>['data'];

export const exportCampaign = defineOperation({
  ...campaignShared,
  id: 'exportCampaign',
  method: 'GET',
  path: '/campaigns/{campaignId}/results',
  role: 'viewer',
  summary: 'Download people and results as CSV',
  description: 'One row for each line of the list, with the last call and every variable.',
  params: campaignParams,
  query: z.object({ status: z.enum(PERSON_FILTERS).optional() }),
  produces: 'text/csv',
  errors: LOOK_UP_ERRORS,
});

export const campaignPeopleOperations = [listCampaignPeople, exportCampaign] as const;
