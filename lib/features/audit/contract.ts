import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, queryInteger, timestamp } from '#lib/http/schemas.ts';

export const auditEvent = z.object({
  id: z.string(),
  at: timestamp,
  actorKind: z.enum(['api_key', 'user', 'system']),
  actorId: z.string(),
  actorLabel: z.string().describe('E-mail address, name of the key, or the part of the service'),
  action: z.string().describe('Noun and verb, e.g. key.revoked'),
  targetId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).describe('What changed; never a secret'),
});
export type AuditEvent = z.infer<typeof auditEvent>;

export const listAuditEvents = defineOperation({
  id: 'listAuditEvents',
  method: 'GET',
  path: '/dashboard/audit',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Who changed what, latest first',
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/, 'must be the nextCursor of the page before')
      .optional()
      .describe('nextCursor of the page before'),
    action: z.string().max(100).optional().describe('Only actions that begin with this, e.g. "key."'),
    targetId: z.string().max(500).optional(),
  }),
  response: enveloped(z.object({ events: z.array(auditEvent), nextCursor: z.string().nullable() })),
  status: 200,
});

export const auditOperations = [listAuditEvents] as const;
