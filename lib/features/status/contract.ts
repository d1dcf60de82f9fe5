import { z } from 'zod';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';
import { FATAL_FAILURES } from '#lib/ports/provider-failure.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped } from '#lib/http/schemas.ts';

const release = {
  version: z.string().describe('Of the release that runs; the API has a version of its own'),
  commit: z.string().nullable().describe('What it was built from; null where that is not known'),
};

export const getHealth = defineOperation({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  scope: 'public',
  ignoresCredentials: true,
  tag: 'Service',
  summary: 'The process is up',
  response: enveloped(
    z
      .object({ status: z.literal('ok'), ...release, role: z.enum(['all', 'web', 'worker']) })
      .meta({ id: 'Health' }),
  ),
  status: 200,
});

const readiness = z
  .object({
    database: z.literal('ok'),
    queue: z.literal('ok'),
    storage: z.literal('ok'),
    conversations: z.literal('ok').describe('A process of conversations is up'),
    carriers: z.literal('ok').describe('Carriers listen for calls, where they can'),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof readiness>;

export const getReady = defineOperation({
  id: 'getReady',
  method: 'GET',
  path: '/ready',
  scope: 'public',
  ignoresCredentials: true,
  tag: 'Service',
  summary: 'The process can take calls and requests',
  description:
    'Database, queue and storage can be reached, a process of conversations is up, and carriers listen for calls, in processes that have them. Answers within a second; 503 names what is missing otherwise, a database that takes no writes included.',
  response: enveloped(readiness),
  status: 200,
  errors: ['NOT_READY'],
});

export const getOpenApi = defineOperation({
  id: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  scope: 'public',
  ignoresCredentials: true,
  tag: 'Service',
  summary: 'This document',
  response: z.record(z.string(), z.unknown()),
  status: 200,
});

const part = z.object({
  name: z.enum(['database', 'queue', 'storage', 'conversations', 'carriers']),
  problem: z.string().nullable().describe('Why it gave no sign of life; null where it did'),
  durationMs: z.number().int(),
});

export const serviceStatus = z.object({
  at: z.number().int().describe('Unix milliseconds'),
  ...release,
  role: z.enum(['all', 'web', 'worker']),
  uptimeSeconds: z.number().int(),
  parts: z.array(part),
  database: z.object({
    kind: z.enum(['embedded', 'postgresql']),
    sizeBytes: z.number().int().nullable(),
    connections: z.number().int().nullable().describe('Of all processes; null on the embedded one'),
  }),
  storage: z.object({ kind: z.enum(['file', 's3']) }),
  disk: z
    .object({ freeBytes: z.number().int(), totalBytes: z.number().int() })
    .nullable()
    .describe('Where DATA_DIR lies; null where the system does not tell'),
  memoryBytes: z.number().int().describe('Of the process that answers'),
  conversations: z.object({
    running: z.number().int().describe('In the process that answers, or its children'),
    processes: z
      .object({ wanted: z.number().int(), ready: z.number().int() })
      .nullable()
      .describe('null where conversations run in the service itself'),
  }),
  carriers: z.array(
    z.object({
      kind: z.enum(NUMBER_CARRIERS),
      isSetUp: z.boolean(),
      numbers: z.number().int(),
      calls: z.number().int().describe('That ended in the last hour'),
      failed: z.number().int().describe('Of these, those that the carrier could not place or that broke'),
    }),
  ),
  models: z.object({
    language: z.string().nullable().describe('null: the keyless agent'),
    fallback: z.string().nullable(),
    realtime: z.string().nullable(),
    transcription: z.string().nullable(),
    transcriptionFallback: z.string().nullable(),
    speech: z.string().nullable().describe('null: the local voices'),
    embedding: z.string(),
    problem: z
      .object({
        part: z.enum(['language', 'transcription']),
        kind: z.enum(FATAL_FAILURES),
        model: z.string(),
        callId: z.string(),
        at: z.number().int(),
      })
      .nullable(),
  }),
  calls: z.object({
    waiting: z.number().int(),
    running: z.number().int(),
    oldestSeconds: z.number().describe('How long the oldest call waits that may be dialled now'),
    lines: z
      .object({
        inUse: z.number().int(),
        limit: z.number().int(),
        fullNumbers: z.array(z.object({ number: z.string(), limit: z.number().int() })),
      })
      .describe('How many calls at once the workspace takes, and its numbers of which every line is in use'),
  }),
  documents: z.object({ open: z.number().int() }),
  webhooks: z.object({
    open: z.number().int(),
    oldestSeconds: z.number(),
    sent: z.number().int().describe('In the last hour'),
    failed: z.number().int().describe('Of these, those that no receiver took'),
  }),
});
export type ServiceStatus = z.infer<typeof serviceStatus>;

export const getServiceStatus = defineOperation({
  id: 'getServiceStatus',
  method: 'GET',
  path: '/dashboard/status',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'How the service is, and what waits in this workspace',
  response: enveloped(serviceStatus),
  status: 200,
});

export const statusOperations = [getHealth, getReady, getOpenApi, getServiceStatus];
