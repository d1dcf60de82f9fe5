import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { idempotencyHeaders } from '#lib/http/schemas.ts';
import { enveloped, LAST_MOMENT_MS, pathId, queryInteger, timestamp } from '#lib/http/schemas.ts';

export const DELIVERY_STATUSES = ['pending', 'sending', 'delivered', 'failed', 'unknown'] as const;
export const DELIVERY_KINDS = ['call', 'resend', 'test'] as const;

const TAG = 'Webhooks';

export const webhookSettings = z.object({
  url: z.string().nullable(),
  secretChangedAt: timestamp,
  /** Agents that send, with the address each of them sends to; null where none is set. */
  agents: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      enabled: z.boolean(),
      ownUrl: z.string().nullable(),
      effectiveUrl: z.string().nullable(),
    }),
  ),
});
export type WebhookSettings = z.infer<typeof webhookSettings>;

export const webhookSecret = z.object({ secret: z.string(), changedAt: timestamp });

export const deliverySummary = z.object({
  id: z.string(),
  kind: z
    .enum(DELIVERY_KINDS)
    .describe('call: the one automatic send; resend: sent again by a person; test: the test event'),
  requestedBy: z.string().nullable().describe('Who asked for a resend or a test'),
  status: z
    .enum(DELIVERY_STATUSES)
    .describe('unknown: the service stopped while sending, so nobody can tell whether it was sent'),
  callId: z.string().nullable(),
  url: z.string(),
  resolvedIp: z.string().nullable(),
  responseStatus: z.number().int().nullable(),
  durationMs: z.number().int().nullable(),
  error: z.string().nullable(),
  createdAt: timestamp,
  sendingAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
});
export type DeliverySummary = z.infer<typeof deliverySummary>;

export const verifySnippets = z.object({
  curl: z.string(),
  node: z.string(),
  python: z.string(),
  php: z.string(),
});

export const deliveryDetail = deliverySummary.extend({
  body: z.string().nullable().describe('Exactly what was sent; null before sending and after 30 days'),
  bodySizeBytes: z.number().int().nullable(),
  signature: z.string().nullable(),
  requestHeaders: z.record(z.string(), z.string()),
  responseHeaders: z.record(z.string(), z.string()).nullable(),
  responseBody: z.string().nullable(),
  responseTruncated: z.boolean().describe('The answer was longer than the 64 KiB that are kept'),
  /** False after the secret was regenerated: the signature was made with the former one. */
  secretIsCurrent: z.boolean(),
  /** Programs that check the signature with WEBHOOK_SECRET of the environment; null where no body is stored. */
  verify: verifySnippets.nullable(),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const testResult = z.object({ delivery: deliveryDetail });

export const getWebhookSettings = defineOperation({
  id: 'getWebhookSettings',
  method: 'GET',
  path: '/dashboard/webhooks/settings',
  scope: 'member',
  role: 'viewer',
  tag: TAG,
  summary: 'The workspace webhook and the agents that send',
  response: enveloped(webhookSettings),
  status: 200,
});

export const updateWebhookSettings = defineOperation({
  id: 'updateWebhookSettings',
  method: 'PUT',
  path: '/dashboard/webhooks/settings',
  scope: 'member',
  role: 'admin',
  tag: TAG,
  summary: 'Set or clear the workspace webhook URL',
  body: withBase(z.strictObject({ url: z.string().max(2048).nullable() })),
  response: enveloped(webhookSettings),
  status: 200,
});

export const getWebhookSecret = defineOperation({
  id: 'getWebhookSecret',
  method: 'GET',
  path: '/dashboard/webhooks/secret',
  scope: 'member',
  role: 'admin',
  tag: TAG,
  summary: 'Show the signing secret',
  response: enveloped(webhookSecret),
  status: 200,
});

export const regenerateWebhookSecret = defineOperation({
  id: 'regenerateWebhookSecret',
  method: 'POST',
  path: '/dashboard/webhooks/secret',
  scope: 'member',
  role: 'admin',
  tag: TAG,
  summary: 'Replace the signing secret at once',
  description: 'The next webhook is signed with the new secret; the former one is gone.',
  response: enveloped(webhookSecret),
  status: 200,
});

export const sendTestWebhook = defineOperation({
  id: 'sendTestWebhook',
  method: 'POST',
  path: '/dashboard/webhooks/test',
  scope: 'member',
  role: 'member',
  tag: TAG,
  summary: 'Send the test event and show the answer',
  description:
    'With an agentId the event goes where that agent sends (its own URL, else that of the workspace).',
  headers: idempotencyHeaders,
  body: z.strictObject({ agentId: pathId.optional() }),
  response: enveloped(testResult),
  status: 200,
});

const deliveryFilter = z.object({
  status: z
    .enum(['failed', 'delivered', 'open'])
    .optional()
    .describe('failed includes unknown; open: pending or sending'),
  callId: pathId.optional(),
  kind: z.enum(DELIVERY_KINDS).optional(),
});

const CURSOR_PROBLEM = 'must be the nextCursor of the page before';

export const listWebhookDeliveries = defineOperation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/dashboard/webhooks/deliveries',
  scope: 'member',
  role: 'viewer',
  tag: TAG,
  summary: 'The delivery log, latest first',
  query: deliveryFilter.extend({
    limit: queryInteger({ min: 1, max: 100, default: 25 }),
    cursor: z
      .string()
      .regex(/^\d{1,15}_[\w-]{1,100}$/, CURSOR_PROBLEM)
      .refine((cursor) => Number.parseInt(cursor, 10) <= LAST_MOMENT_MS, CURSOR_PROBLEM)
      .optional()
      .describe('nextCursor of the page before'),
  }),
  response: enveloped(z.object({ deliveries: z.array(deliverySummary), nextCursor: z.string().nullable() })),
  status: 200,
});

export const getWebhookDelivery = defineOperation({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: '/dashboard/webhooks/deliveries/{deliveryId}',
  scope: 'member',
  role: 'viewer',
  tag: TAG,
  summary: 'One delivery with its body, signature and answer',
  params: z.object({ deliveryId: pathId }),
  response: enveloped(deliveryDetail),
  status: 200,
});

export const resendWebhook = defineOperation({
  id: 'resendWebhook',
  method: 'POST',
  path: '/dashboard/webhooks/deliveries/{deliveryId}/resend',
  scope: 'member',
  role: 'member',
  tag: TAG,
  summary: 'Send the webhook of a call again',
  description:
    'Goes to the address the agent has now, built and signed anew, and is marked as sent again by a person.',
  params: z.object({ deliveryId: pathId }),
  response: enveloped(deliverySummary),
  status: 200,
});

export const exportWebhookDeliveries = defineOperation({
  id: 'exportWebhookDeliveries',
  method: 'GET',
  path: '/dashboard/webhooks/export',
  scope: 'member',
  role: 'member',
  tag: TAG,
  summary: 'The delivery log as a file',
  query: deliveryFilter.extend({ format: z.enum(['csv', 'jsonl']).default('csv') }),
  produces: 'text/csv',
  status: 200,
});

export const getWebhookHealth = defineOperation({
  id: 'getWebhookHealth',
  method: 'GET',
  path: '/dashboard/webhooks/health',
  scope: 'member',
  role: 'viewer',
  tag: TAG,
  summary: 'Whether the last 20 webhooks failed',
  response: enveloped(
    z.object({
      lastCount: z.number().int().describe('How many of the last 20 finished'),
      failedCount: z.number().int(),
      isFailing: z.boolean().describe('Twenty finished and all of them failed'),
      lastFailure: deliverySummary.nullable(),
    }),
  ),
  status: 200,
});

export const webhookOperations = [
  getWebhookSettings,
  updateWebhookSettings,
  getWebhookSecret,
  regenerateWebhookSecret,
  sendTestWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  resendWebhook,
  exportWebhookDeliveries,
  getWebhookHealth,
] as const;
