import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { idempotencyHeaders } from '#lib/http/schemas.ts';
import { enveloped, pathId, requiredText, timestamp } from '#lib/http/schemas.ts';

export const MAX_NOTE_CHARACTERS = 2_000;

/** What somebody of the workspace wrote down about a call. No part of the conversation that the API shows. */
export const callNote = z.object({
  id: z.string(),
  authorId: z.string(),
  author: z.string().describe('E-mail address'),
  text: z.string(),
  createdAt: timestamp,
  /** null while it stands as it was written. */
  editedAt: timestamp.nullable(),
  /** Its author, and admins. */
  mayChange: z.boolean(),
});
export type CallNote = z.output<typeof callNote>;

export const noteBody = z.strictObject({ text: requiredText(MAX_NOTE_CHARACTERS) });

const callParams = z.object({ callId: pathId });
const noteParams = z.object({ callId: pathId, noteId: pathId });

export const listCallNotes = defineOperation({
  id: 'listCallNotes',
  method: 'GET',
  path: '/dashboard/calls/{callId}/notes',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'The notes on a call, oldest first',
  params: callParams,
  response: enveloped(z.object({ notes: z.array(callNote) })),
  status: 200,
});

export const addCallNote = defineOperation({
  id: 'addCallNote',
  method: 'POST',
  path: '/dashboard/calls/{callId}/notes',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Write a note on a call',
  params: callParams,
  headers: idempotencyHeaders,
  body: noteBody,
  response: enveloped(callNote),
  status: 201,
});

export const editCallNote = defineOperation({
  id: 'editCallNote',
  method: 'PATCH',
  path: '/dashboard/calls/{callId}/notes/{noteId}',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Change a note',
  params: noteParams,
  body: noteBody,
  response: enveloped(callNote),
  status: 200,
});

export const deleteCallNote = defineOperation({
  id: 'deleteCallNote',
  method: 'DELETE',
  path: '/dashboard/calls/{callId}/notes/{noteId}',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Delete a note',
  params: noteParams,
  response: enveloped(z.null()),
  status: 200,
});

export const noteOperations = [listCallNotes, addCallNote, editCallNote, deleteCallNote] as const;
