import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { idempotencyHeaders } from '#lib/http/schemas.ts';
import { enveloped } from '#lib/http/schemas.ts';
import { phoneNumberText } from '#lib/phone-number-schemas.ts';
import { campaignDetail, campaignParams, newCampaign } from '../contract.ts';
import { CAMPAIGN_LIMITS } from '../rules.ts';

const columnMapping = z.strictObject({
  hasHeader: z.boolean(),
  numberColumn: z
    .int()
    .min(0)
    .max(CAMPAIGN_LIMITS.columns - 1),
  variables: z
    .array(
      z.strictObject({
        column: z
          .int()
          .min(0)
          .max(CAMPAIGN_LIMITS.columns - 1),
        name: z
          .string()
          .max(60)
          .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u, 'must be letters, digits and _'),
      }),
    )
    .max(CAMPAIGN_LIMITS.columns),
});

const filePart = {
  kind: 'multipart',
  fileField: 'file',
  description: 'A table of people as CSV, in any usual encoding and with any usual separator; up to 16 MB',
} as const;

export const inspectCampaignFile = defineOperation({
  id: 'inspectCampaignFile',
  method: 'POST',
  path: '/dashboard/campaigns/inspect',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Tell what the columns of a file are; nothing of it is kept',
  query: z.object({
    from: phoneNumberText,
    header: z
      .enum(['yes', 'no'])
      .optional()
      .describe('Whether the first row has names; found out where left out'),
  }),
  body: filePart,
  response: enveloped(
    z.object({
      delimiter: z.string(),
      rowCount: z.int(),
      hasHeader: z.boolean(),
      columns: z.array(z.object({ name: z.string(), samples: z.array(z.string()) })),
      suggested: z.object({
        numberColumn: z.int().nullable(),
        variables: z.array(z.object({ column: z.int(), name: z.string() })),
      }),
    }),
  ),
  status: 200,
});
export type InspectedFile = z.output<typeof inspectCampaignFile.response>['data'];

export const createCampaignDraft = defineOperation({
  id: 'createCampaignDraft',
  method: 'POST',
  path: '/dashboard/campaigns',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Make a campaign whose list comes as a file',
  maxBodyBytes: 64 * 1024,
  headers: idempotencyHeaders,
  body: newCampaign.extend({ columns: columnMapping }),
  response: enveloped(campaignDetail),
  status: 201,
});

export const uploadCampaignPeople = defineOperation({
  id: 'uploadCampaignPeople',
  method: 'POST',
  path: '/dashboard/campaigns/{campaignId}/people',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Check the list of a campaign, in place of an earlier one',
  params: campaignParams,
  body: filePart,
  response: enveloped(campaignDetail),
  status: 201,
});

export const campaignDashboardOperations = [
  inspectCampaignFile,
  createCampaignDraft,
  uploadCampaignPeople,
] as const;
