import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId } from '#lib/http/schemas.ts';

/** A page of the list. */
const MOST_DELETED = 100;
const MAX_ID_CHARACTERS = 100;

export const deleteCall = defineOperation({
  id: 'deleteCall',
  method: 'DELETE',
  path: '/dashboard/calls/{callId}',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Delete a conversation that has ended, with everything that belongs to it',
  params: z.object({ callId: pathId }),
  response: enveloped(z.null()),
  status: 200,
});

export const deleteCalls = defineOperation({
  id: 'deleteCalls',
  method: 'POST',
  path: '/dashboard/calls/delete',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Delete several conversations; those that cannot be deleted now stay, with the reason',
  body: z.strictObject({ ids: z.array(z.string().min(1).max(MAX_ID_CHARACTERS)).min(1).max(MOST_DELETED) }),
  maxBodyBytes: 128 * 1024,
  response: enveloped(
    z.object({
      deletedCount: z.int(),
      refused: z.array(z.object({ id: z.string(), reason: z.string() })),
    }),
  ),
  status: 200,
});

export const deletionOperations = [deleteCall, deleteCalls] as const;
