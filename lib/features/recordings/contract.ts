import { z } from 'zod';
import { defineOperation, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId } from '#lib/http/schemas.ts';

export const getRecording = defineOperation({
  id: 'getRecording',
  method: 'GET',
  path: '/recordings/{id}',
  scope: 'public',
  tag: 'Conversations',
  summary: 'Download a recording by its signed link',
  description: 'The link comes from `recordingUrl` and is good for one hour and for one recording.',
  params: z.object({ id: pathId }),
  query: z.object({
    expires: z.string().max(20).optional().describe('Unix seconds'),
    viewer: z.string().max(100).optional().describe('In links of the dashboard: whom it was made for'),
    signature: z.string().max(200).optional(),
  }),
  produces: 'audio/wav',
  status: 200,
  servesRanges: true,
  errors: LOOK_UP_ERRORS,
});

export const getWaveform = defineOperation({
  id: 'getWaveform',
  method: 'GET',
  path: '/dashboard/calls/{callId}/waveform',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Read the loudness of both speakers over a recording',
  params: z.object({ callId: pathId }),
  response: enveloped(
    z.object({
      durationMs: z.number(),
      /** Length of recording that one peak stands for. */
      bucketMs: z.number(),
      /** Peak of each bucket, 0 to 1. */
      agent: z.array(z.number()),
      human: z.array(z.number()),
    }),
  ),
  status: 200,
});

export const recordingOperations = [getRecording, getWaveform] as const;
