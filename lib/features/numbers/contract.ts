import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId, timestamp } from '#lib/http/schemas.ts';
import { INTERNATIONAL_NUMBER_PATTERN } from '#lib/phone-number.ts';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';
import { NUMBER_LIMITS } from './rules.ts';

/** A new number is written in full, so that it reads the same everywhere. */
const e164 = z
  .string()
  .regex(INTERNATIONAL_NUMBER_PATTERN, 'must be a phone number such as +15550100001')
  .meta({ example: '+15550100001' });

const concurrentCalls = z.int().min(1).max(NUMBER_LIMITS.maxConcurrentCalls);

export const phoneNumber = z.object({
  id: z.string(),
  number: z.string(),
  carrier: z.enum(NUMBER_CARRIERS),
  agent: z.object({ id: z.string(), name: z.string() }).nullable().describe('Who answers, and calls from it'),
  maxConcurrentCalls: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type PhoneNumber = z.infer<typeof phoneNumber>;

/** What other systems need in order to place a call: which number is whose. */
export const phoneNumberSchema = z
  .object({
    id: z.string(),
    number: z.string().describe('As `from` of an outbound call must be written'),
    agentId: z.string().nullable().describe('The agent that answers it and calls from it'),
    carrier: phoneNumber.shape.carrier,
  })
  .meta({ id: 'PhoneNumber' });
export type PhoneNumberView = z.output<typeof phoneNumberSchema>;

const params = z.object({ numberId: pathId });

export const listPhoneNumbers = defineOperation({
  id: 'listPhoneNumbers',
  method: 'GET',
  path: '/phone-numbers',
  scope: 'workspace',
  role: 'viewer',
  tag: 'Phone numbers',
  summary: 'List the phone numbers of the workspace, in their order',
  response: enveloped(z.array(phoneNumberSchema)),
  status: 200,
});

export const listNumbers = defineOperation({
  id: 'listNumbers',
  method: 'GET',
  path: '/dashboard/numbers',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'The phone numbers of the workspace',
  response: enveloped(z.array(phoneNumber)),
  status: 200,
});

export const createNumber = defineOperation({
  id: 'createNumber',
  method: 'POST',
  path: '/dashboard/numbers',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Create a simulated number',
  description: 'Without `number` a free one of the form +1 555 010 xxxx is chosen (555 is no area code).',
  body: z.strictObject({
    number: e164.optional(),
    agentId: pathId.nullable().optional(),
    maxConcurrentCalls: concurrentCalls.optional(),
  }),
  response: enveloped(phoneNumber),
  status: 201,
});

export const updateNumber = defineOperation({
  id: 'updateNumber',
  method: 'PATCH',
  path: '/dashboard/numbers/{numberId}',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Assign a number to an agent, or change how many calls it holds at once',
  params,
  body: z.strictObject({
    agentId: pathId.nullable().optional().describe('null: no agent'),
    maxConcurrentCalls: concurrentCalls.optional(),
  }),
  response: enveloped(phoneNumber),
  status: 200,
});

export const deleteNumber = defineOperation({
  id: 'deleteNumber',
  method: 'DELETE',
  path: '/dashboard/numbers/{numberId}',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Delete a number; its conversations stay',
  description: 'Refused while a call on it is queued or running.',
  params,
  response: enveloped(z.null()),
  status: 200,
});

export const numberOperations = [
  listPhoneNumbers,
  listNumbers,
  createNumber,
  updateNumber,
  deleteNumber,
] as const;
