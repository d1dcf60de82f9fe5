import { z } from 'zod';
import { defineOperation, LONG_TEXT_BYTES, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId, text } from '#lib/http/schemas.ts';
import { internationalNumber, personNumber, phoneNumberText } from '#lib/phone-number-schemas.ts';

const MAX_VARIABLES = 200;

/** Values for `{{name}}` in a prompt. */
export const callVariables = z
  .record(z.string().min(1, 'must not be empty').max(200), text(10_000))
  .refine(
    (variables) => Object.keys(variables).length <= MAX_VARIABLES,
    `must have at most ${MAX_VARIABLES} entries`,
  )
  .describe('Injected into the prompt wherever {{name}} appears');

export const outboundCallBody = z
  .strictObject({
    from: phoneNumberText.describe("The agent's number, exactly as the workspace lists it"),
    to: phoneNumberText.describe(
      'The number to call; the answer and the conversation have it in E.164 form. One that begins with 0 is read as of the country of the workspace.',
    ),
    outboundPromptId: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("Defaults to the agent's first outbound prompt"),
    variables: callVariables.optional(),
  })
  .meta({ id: 'OutboundCall' });
/** What the dashboard's form asks for: a number that was read, in international form. */
export const outboundCallForm = outboundCallBody.extend({ to: internationalNumber });
export type OutboundCallBody = z.output<typeof outboundCallBody>;
/** The same as it is typed and sent. */
export type OutboundCallInput = z.input<typeof outboundCallBody>;

const idempotentCallHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('A repeat with the same key within 24 hours gets the first answer and calls nobody again'),
});

export const queuedCall = z
  .object({
    from: z.string(),
    to: z.string(),
    conversationId: z.string(),
    outboundPromptId: z.string().optional(),
    variables: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'QueuedCall' });

export const queueOutboundCall = defineOperation({
  id: 'queueOutboundCall',
  method: 'POST',
  path: '/outbound',
  scope: 'workspace',
  role: 'member',
  tag: 'Outbound calls',
  summary: 'Queue an outbound call',
  description:
    'Accepts the call and answers at once; the conversation can be read when the call has ended. Send an `Idempotency-Key` to make a repeat safe. An opening that cannot be said without a variable that was not sent is replaced by another one, and `message` says so.',
  headers: idempotentCallHeaders,
  maxBodyBytes: LONG_TEXT_BYTES,
  body: outboundCallBody,
  // Nobody has the number: 555 is no area code.
  example: { from: '+15550100001', to: '+15550109900', variables: { name: 'Alex' } },
  response: enveloped(queuedCall),
  status: 200,
  errors: [
    ...LOOK_UP_ERRORS,
    'AGENT_INACTIVE',
    'OPTED_OUT',
    'NO_OUTBOUND_PROMPT',
    'IDEMPOTENCY_KEY_REUSED',
    'USAGE_LIMIT_EXCEEDED',
    'NOT_READY',
  ],
});

const callParams = z.object({ callId: pathId });

export const simulateInboundCall = defineOperation({
  id: 'simulateInboundCall',
  method: 'POST',
  path: '/dashboard/calls/inbound',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Let a simulated person call one of the numbers of the workspace',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: z.strictObject({
    to: phoneNumberText.describe("The agent's number that is called"),
    from: personNumber.describe('The simulated person; the last two digits decide how they behave'),
    variables: callVariables.optional(),
  }),
  response: enveloped(z.object({ callId: z.string() })),
  status: 200,
});

export const placeTestCall = defineOperation({
  id: 'placeTestCall',
  method: 'POST',
  path: '/dashboard/calls/test',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Place a real call that is marked as a test: in no list of the API, no usage and no webhook',
  body: z.strictObject({
    from: phoneNumberText.describe('The number that is tested'),
    to: personNumber,
    outboundPromptId: z.string().min(1).max(500).optional(),
    variables: callVariables.optional(),
  }),
  response: enveloped(z.object({ callId: z.string() })),
  status: 200,
});

export const cancelCall = defineOperation({
  id: 'cancelCall',
  method: 'POST',
  path: '/dashboard/calls/{callId}/cancel',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Cancel a call that is still queued',
  params: callParams,
  response: enveloped(z.null()),
  status: 200,
});

export const callOperations = [queueOutboundCall, simulateInboundCall, placeTestCall, cancelCall] as const;
