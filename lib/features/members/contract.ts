import { z } from 'zod';
import { ROLES } from '#lib/auth/actor.ts';
import { newPassword, personName } from '#lib/features/profile/contract.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId, timestamp } from '#lib/http/schemas.ts';

export const member = z.object({
  userId: z.string(),
  name: z.string().nullable().describe('null: an account that was added and has not used the workspace yet'),
  email: z.string(),
  role: z.enum(ROLES),
  joinedAt: timestamp,
  lastSeenAt: timestamp.nullable().describe('When they last used this workspace, to the minute'),
});
export type Member = z.infer<typeof member>;

const params = z.object({ userId: pathId });

export const listMembers = defineOperation({
  id: 'listMembers',
  method: 'GET',
  path: '/dashboard/members',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Who belongs to the workspace',
  response: enveloped(z.array(member)),
  status: 200,
});

export const addMember = defineOperation({
  id: 'addMember',
  method: 'POST',
  path: '/dashboard/members',
  scope: 'member',
  role: 'owner',
  tag: 'Dashboard',
  summary: 'Add a person, making their account when it is new',
  description:
    'Somebody who already has an account here keeps their name and password; name and password are then left out. The workspace learns their name once they use it.',
  body: z.strictObject({
    email: z.email('must be an e-mail address').max(254),
    name: personName.optional(),
    password: newPassword.optional().describe('Initial password of a new account'),
    role: z.enum(ROLES),
  }),
  response: enveloped(member),
  status: 201,
});

export const changeMemberRole = defineOperation({
  id: 'changeMemberRole',
  method: 'PATCH',
  path: '/dashboard/members/{userId}',
  scope: 'member',
  role: 'owner',
  tag: 'Dashboard',
  summary: "Change a member's role; the last owner stays one",
  params,
  body: z.strictObject({ role: z.enum(ROLES) }),
  response: enveloped(member),
  status: 200,
});

export const removeMember = defineOperation({
  id: 'removeMember',
  method: 'DELETE',
  path: '/dashboard/members/{userId}',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Remove a member, or leave the workspace yourself',
  description: 'Only an owner removes others; everybody may leave, but not the last owner.',
  params,
  response: enveloped(z.null()),
  status: 200,
});

export const resetMemberPassword = defineOperation({
  id: 'resetMemberPassword',
  method: 'PUT',
  path: '/dashboard/members/{userId}/password',
  scope: 'member',
  role: 'owner',
  tag: 'Dashboard',
  summary: 'Give a member a new password and sign them out everywhere',
  description:
    'Refused for an account that was not made in a workspace of yours, and for a person who also belongs to a workspace that you do not own.',
  params,
  body: z.strictObject({ password: newPassword }),
  response: enveloped(z.null()),
  status: 200,
});

export const memberOperations = [
  listMembers,
  addMember,
  changeMemberRole,
  removeMember,
  resetMemberPassword,
] as const;
