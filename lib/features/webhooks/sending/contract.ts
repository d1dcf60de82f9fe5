import { z } from 'zod';
import { resultsByName } from '#lib/features/agents/results/contract.ts';
import type { WebhookDescription } from '#lib/http/operation.ts';
import { timestamp } from '#lib/http/schemas.ts';
import { DIRECTIONS, DISPOSITIONS, SENTIMENTS } from '#lib/ports/call-kinds.ts';

/** The body of the post-conversation webhook (contract, Events, Request). Keys are sent in this order. */
export const webhookPayload = z
  .object({
    conversationId: z.string(),
    dateInitiated: timestamp,
    agentId: z.string(),
    workspaceId: z.string(),
    transcript: z.string().describe('Empty for calls that never connected'),
    direction: z.enum(DIRECTIONS),
    cost: z.number().describe('Cents'),
    agentPhoneNumber: z.string(),
    humanPhoneNumber: z.string(),
    duration: z.number().describe('Seconds'),
    summary: z.string(),
    sentiment: z.enum(SENTIMENTS),
    disposition: z.enum(DISPOSITIONS),
    tags: z.array(z.string()),
    variables: z.record(z.string(), z.string()),
    recordingUrl: z
      .string()
      .optional()
      .describe('Valid for one hour after sending; absent when the call never connected'),
    results: resultsByName
      .optional()
      .describe('By the names of the fields; absent unless the agent has fields'),
    event: z.literal('test').optional().describe('On the test event only'),
  })
  .meta({ id: 'WebhookPayload' });
export type WebhookPayload = z.infer<typeof webhookPayload>;

export const postConversationWebhook: WebhookDescription = {
  name: 'postConversation',
  id: 'postConversationWebhook',
  tag: 'Webhooks',
  summary: 'Receive the end of a call',
  description:
    'Sent once after every call of an agent with `hasPostConversationWebhook`, connected or not, to `postConversationWebhookUrl` of the agent, else to the URL of the workspace. There are ten seconds to answer, and no resend: answer 2xx at once, and list recent conversations to find what was missed.',
  headers: z.object({
    'X-Webhook-Signature': z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe(
        'Lowercase hexadecimal HMAC-SHA256 of the raw body, keyed with the whole secret of the workspace, its `whsec_` included. Compute it before parsing the body, and compare in constant time.',
      ),
  }),
  body: webhookPayload,
  example: {
    conversationId: 'cnv_0mwrnasyhy4z2v5rqgmyhk7f',
    dateInitiated: '2026-01-15T09:30:00.000Z',
    agentId: 'agent_alpha',
    workspaceId: 'ws_alpha',
    transcript: 'Agent: Hello Alex, this is Mia from Alpha Dental.\nHuman: Thursday at ten works for me.',
    direction: 'OUTBOUND',
    cost: 3.2,
    agentPhoneNumber: '+15550100001',
    humanPhoneNumber: '+15550109901',
    duration: 41,
    summary: 'Alex booked a check-up for Thursday at ten.',
    sentiment: 'POSITIVE',
    disposition: 'APPOINTMENT_BOOKED',
    tags: ['appointment_booked'],
    variables: { name: 'Alex' },
  } satisfies z.input<typeof webhookPayload>,
  codeSample: {
    lang: 'JavaScript',
    label: 'Check the signature',
    source: `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes as they came, before JSON.parse.
function isSigned(rawBody, signature, secret) {
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'));
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}`,
  },
};
