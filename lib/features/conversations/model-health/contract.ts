import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped } from '#lib/http/schemas.ts';
import { FATAL_FAILURES } from '#lib/ports/provider-failure.ts';

export const getModelHealth = defineOperation({
  id: 'getModelHealth',
  method: 'GET',
  path: '/dashboard/model-health',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Whether the language model needs somebody to act',
  description:
    'From the last calls: what a person has to mend before the model works again. Null as soon as one call was answered by it.',
  response: enveloped(
    z.object({
      problem: z
        .object({
          kind: z.enum(FATAL_FAILURES),
          model: z.string(),
          callId: z.string(),
          at: z.number().int().describe('Unix milliseconds'),
        })
        .nullable(),
    }),
  ),
  status: 200,
});
export type ModelHealth = z.output<typeof getModelHealth.response>['data'];

export const modelHealthOperations = [getModelHealth] as const;
