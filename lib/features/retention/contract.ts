import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, optionalQueryInteger } from '#lib/http/schemas.ts';
import { WORKSPACE_LIMITS } from '#lib/features/workspaces/rules.ts';

const days = optionalQueryInteger({ min: 1, max: WORKSPACE_LIMITS.maxRetentionDays });
const counted = z
  .object({ count: z.int(), isExact: z.boolean().describe('False: there are more') })
  .nullable()
  .describe('null: kept');

export const previewRetention = defineOperation({
  id: 'previewRetention',
  method: 'GET',
  path: '/dashboard/retention/preview',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'What would be deleted if conversations or recordings were kept for so many days',
  query: z.object({ conversationDays: days, recordingDays: days }),
  response: enveloped(
    z.object({
      conversations: counted,
      recordings: counted,
      confirmation: z.string().describe('Goes with the change, in `x-confirmation`; good for these counts'),
    }),
  ),
  status: 200,
});
export type RetentionPreview = z.output<typeof previewRetention.response>['data'];

export const retentionOperations = [previewRetention] as const;
