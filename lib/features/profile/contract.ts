import { z } from 'zod';
import { ROLES } from '#lib/auth/actor.ts';
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '#lib/auth/rules.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId, requiredText, text, timestamp } from '#lib/http/schemas.ts';

export const personName = requiredText(120);
export const newPassword = text(PASSWORD_MAX_CHARACTERS).min(
  PASSWORD_MIN_CHARACTERS,
  `must be at least ${PASSWORD_MIN_CHARACTERS} characters`,
);

export const me = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  workspaces: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(ROLES) })),
});
export type Me = z.infer<typeof me>;

export const session = z.object({
  id: z.string(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: timestamp,
  expiresAt: timestamp,
  isCurrent: z.boolean().describe('The session this request came with'),
});
export type Session = z.infer<typeof session>;

export const getMe = defineOperation({
  id: 'getMe',
  method: 'GET',
  path: '/dashboard/me',
  scope: 'user',
  tag: 'Dashboard',
  summary: 'The signed-in user and the workspaces they belong to',
  response: enveloped(me),
  status: 200,
});

export const updateMe = defineOperation({
  id: 'updateMe',
  method: 'PATCH',
  path: '/dashboard/me',
  scope: 'user',
  tag: 'Dashboard',
  summary: 'Change your name',
  body: z.strictObject({ name: personName }),
  response: enveloped(me),
  status: 200,
});

export const changePassword = defineOperation({
  id: 'changePassword',
  method: 'PUT',
  path: '/dashboard/me/password',
  scope: 'user',
  tag: 'Dashboard',
  summary: 'Change your password and sign out everywhere else',
  body: z.strictObject({ currentPassword: text(PASSWORD_MAX_CHARACTERS), newPassword }),
  response: enveloped(z.null()),
  status: 200,
});

export const listSessions = defineOperation({
  id: 'listSessions',
  method: 'GET',
  path: '/dashboard/sessions',
  scope: 'user',
  tag: 'Dashboard',
  summary: 'Where you are signed in',
  response: enveloped(z.array(session)),
  status: 200,
});

export const revokeSession = defineOperation({
  id: 'revokeSession',
  method: 'DELETE',
  path: '/dashboard/sessions/{sessionId}',
  scope: 'user',
  tag: 'Dashboard',
  summary: 'Sign one of your sessions out at once',
  params: z.object({ sessionId: pathId }),
  response: enveloped(z.null()),
  status: 200,
});

export const revokeOtherSessions = defineOperation({
  id: 'revokeOtherSessions',
  method: 'DELETE',
  path: '/dashboard/sessions',
  scope: 'user',
  tag: 'Dashboard',
  summary: 'Sign out everywhere else',
  response: enveloped(z.object({ revoked: z.int() })),
  status: 200,
});

export const profileOperations = [
  getMe,
  updateMe,
  changePassword,
  listSessions,
  revokeSession,
  revokeOtherSessions,
] as const;
