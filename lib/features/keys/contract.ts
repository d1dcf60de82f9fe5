import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId, requiredText, timestamp } from '#lib/http/schemas.ts';

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  lastFour: z.string().describe('The last four characters of the key'),
  createdBy: z.string().describe('E-mail address of the person, or the part of the service that made it'),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable().describe('To the minute'),
  revokedAt: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

export const listKeys = defineOperation({
  id: 'listKeys',
  method: 'GET',
  path: '/dashboard/keys',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'The API keys of the workspace, revoked ones included',
  response: enveloped(z.array(apiKey)),
  status: 200,
});

export const createKey = defineOperation({
  id: 'createKey',
  method: 'POST',
  path: '/dashboard/keys',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Create an API key, shown this once',
  body: z.strictObject({ name: requiredText(120) }),
  response: enveloped(
    apiKey.extend({ key: z.string().describe('The key itself; it cannot be shown again') }),
  ),
  status: 201,
});

export const revokeKey = defineOperation({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/dashboard/keys/{keyId}',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Revoke an API key; it stops working within five seconds',
  params: z.object({ keyId: pathId }),
  response: enveloped(apiKey),
  status: 200,
});

export const keyOperations = [listKeys, createKey, revokeKey] as const;
