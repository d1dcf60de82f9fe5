import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { idempotencyHeaders } from '#lib/http/schemas.ts';
import { enveloped, pathId, timestamp } from '#lib/http/schemas.ts';

/** 90 days. */
const MOST_SHARE_HOURS = 2_160;

export const callShare = z.object({
  id: z.string(),
  by: z.string().describe('E-mail address'),
  createdAt: timestamp,
  expiresAt: timestamp,
  state: z.enum(['open', 'expired', 'revoked']),
  /** null: nobody has opened it. */
  lastOpenedAt: timestamp.nullable(),
  openedCount: z.int(),
  /** The link; null for viewers, and once it is closed. */
  url: z.string().nullable(),
  /** Its author, and admins. */
  mayRevoke: z.boolean(),
});
export type CallShare = z.output<typeof callShare>;

const params = z.object({ callId: pathId });

export const listShares = defineOperation({
  id: 'listShares',
  method: 'GET',
  path: '/dashboard/calls/{callId}/shares',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'The links that show a conversation to people without an account, newest first',
  params,
  response: enveloped(z.object({ shares: z.array(callShare) })),
  status: 200,
});

export const createShare = defineOperation({
  id: 'createShare',
  method: 'POST',
  path: '/dashboard/calls/{callId}/shares',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Make a link that shows a conversation for some hours',
  params,
  headers: idempotencyHeaders,
  body: z.strictObject({ hours: z.int().min(1).max(MOST_SHARE_HOURS) }),
  response: enveloped(callShare),
  status: 201,
});

export const revokeShare = defineOperation({
  id: 'revokeShare',
  method: 'DELETE',
  path: '/dashboard/calls/{callId}/shares/{shareId}',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Close a link before it expires',
  params: params.extend({ shareId: pathId }),
  response: enveloped(callShare),
  status: 200,
});

export const shareOperations = [listShares, createShare, revokeShare] as const;
