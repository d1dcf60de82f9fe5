import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId, timestamp } from '#lib/http/schemas.ts';
import { internationalNumber } from '#lib/phone-number-schemas.ts';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';
import { NUMBER_LIMITS } from './rules.ts';

const concurrentCalls = z.int().min(1).max(NUMBER_LIMITS.maxConcurrentCalls);

const numberCall = z
  .object({
    conversationId: z.string(),
    at: timestamp,
    isConnected: z.boolean().describe('Whether somebody answered'),
    endReason: z.string().nullable().describe('null while it runs'),
  })
  .nullable();

export const phoneNumber = z.object({
  id: z.string(),
  number: z.string(),
  carrier: z.enum(NUMBER_CARRIERS),
  agent: z.object({ id: z.string(), name: z.string() }).nullable().describe('Who answers, and calls from it'),
  maxConcurrentCalls: z.int(),
  isCarrierReady: z.boolean().describe('Whether this service is set up for the carrier'),
  carrierState: z
    .object({
      state: z.enum(['listening', 'registering', 'registered', 'failed']),
      reason: z.string().nullable(),
      since: timestamp,
    })
    .nullable()
    .describe('Whether calls can come in over the carrier (SIP); null: no process says so, or it needs none'),
  lastIn: numberCall.describe('The last call that reached it: the carrier brings calls here'),
  lastOut: numberCall.describe('The last call placed from it'),
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

export const getNumberCountry = defineOperation({
  id: 'getNumberCountry',
  method: 'GET',
  path: '/dashboard/numbers/country',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'The country whose numbers are written without a country code',
  response: enveloped(
    z.object({
      country: z.string().nullable().describe('The setting of the workspace, else the guess'),
      guess: z.string().nullable().describe("What the workspace's own numbers tell; null where nothing"),
      isGuessed: z.boolean(),
    }),
  ),
  status: 200,
});

export const createNumber = defineOperation({
  id: 'createNumber',
  method: 'POST',
  path: '/dashboard/numbers',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Add a number',
  description:
    'Without `number` a free simulated one of the form +1 555 010 xxxx is chosen (555 is no area code). A number of another carrier is one that you have there.',
  body: z.strictObject({
    carrier: z.enum(NUMBER_CARRIERS).optional(),
    number: internationalNumber.optional(),
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
  body: withBase(
    z.strictObject({
      agentId: pathId.nullable().optional().describe('null: no agent'),
      maxConcurrentCalls: concurrentCalls.optional(),
    }),
  ),
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

const endpoint = z.object({ protocol: z.enum(['udp', 'tcp', 'tls']), address: z.string(), port: z.int() });

export const getNumberSetup = defineOperation({
  id: 'getNumberSetup',
  method: 'GET',
  path: '/dashboard/numbers/setup',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'What of telephones is switched on, and what to enter where; no secret',
  response: enveloped(
    z.object({
      sip: z
        .object({
          listen: z.array(endpoint),
          mediaIp: z.string().nullable(),
          trunkUri: z.string().nullable(),
          hasCredentials: z.boolean(),
          registers: z.boolean(),
          allowedPeers: z.array(z.string()),
        })
        .nullable()
        .describe('null: SIP is off'),
      twilio: z.object({ isOn: z.boolean(), voiceUrl: z.string() }),
      isPublic: z.boolean().describe('Whether PUBLIC_URL is an address that a carrier can reach'),
      canHear: z.boolean().describe('Whether speech can be understood on calls'),
    }),
  ),
  status: 200,
});
export type NumberSetup = z.output<typeof getNumberSetup.response>['data'];

export const numberOperations = [
  getNumberSetup,
  listPhoneNumbers,
  listNumbers,
  getNumberCountry,
  createNumber,
  updateNumber,
  deleteNumber,
] as const;
