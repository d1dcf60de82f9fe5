import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped } from '#lib/http/schemas.ts';
import { FATAL_FAILURES } from '#lib/ports/provider-failure.ts';

/** What agents need a model for, whose calls tell that somebody has to act. */
export const MODEL_PARTS = ['language', 'transcription'] as const;

export const getModelHealth = defineOperation({
  id: 'getModelHealth',
  method: 'GET',
  path: '/dashboard/model-health',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Whether the language model or the transcription needs somebody to act',
  description:
    'From the last calls: what a person has to mend before the model works again. Null as soon as one call was answered without it.',
  response: enveloped(
    z.object({
      problem: z
        .object({
          part: z.enum(MODEL_PARTS).describe('What the model is for'),
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
