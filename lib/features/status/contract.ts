import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped } from '#lib/http/schemas.ts';

export const getHealth = defineOperation({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  scope: 'public',
  tag: 'Service',
  summary: 'The process is up',
  response: enveloped(
    z
      .object({ status: z.literal('ok'), version: z.string(), role: z.enum(['all', 'web', 'worker']) })
      .meta({ id: 'Health' }),
  ),
  status: 200,
});

export const getReady = defineOperation({
  id: 'getReady',
  method: 'GET',
  path: '/ready',
  scope: 'public',
  tag: 'Service',
  summary: 'Database, queue and storage can be reached',
  description: 'Answers 503 and names what cannot be reached otherwise.',
  response: enveloped(
    z
      .object({ database: z.literal('ok'), queue: z.literal('ok'), storage: z.literal('ok') })
      .meta({ id: 'Readiness' }),
  ),
  status: 200,
  errors: ['NOT_READY'],
});

export const getOpenApi = defineOperation({
  id: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  scope: 'public',
  tag: 'Service',
  summary: 'This document',
  response: z.record(z.string(), z.unknown()),
  status: 200,
});

export const statusOperations = [getHealth, getReady, getOpenApi];
