import { afterAll, beforeAll, expect, it } from 'vitest';
import { DELETE, PATCH } from '#app/api/dashboard/calls/[callId]/notes/[noteId]/route.ts';
import { GET, POST } from '#app/api/dashboard/calls/[callId]/notes/route.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { CallNote } from './contract.ts';

let runtime: TestRuntime;
let callId: string;
const people: Record<string, SignedInMember> = {};

beforeAll(async () => {
  runtime = await startTestRuntime();
  const line = await seedLine(runtime.db, 'notes');
  const to = parsePhoneNumber('+15550199900');
  ({ conversationId: callId } = await runtime.calls.queueOutbound(line.actor, {
    from: line.number,
    to,
    variables: { name: 'Alex' },
  }));
  for (const role of ['viewer', 'member', 'admin'] as const)
    people[role] = await addSignedInMember(runtime, 'ws_notes', role);
  people.colleague = await addSignedInMember(runtime, 'ws_notes', 'member', 'colleague@notes.test');
  const other = await seedLine(runtime.db, 'others');
  people.stranger = await addSignedInMember(runtime, other.actor.workspaceId, 'owner');
});
afterAll(() => runtime.close());

const person = (name: string) => people[name] as SignedInMember;
const add = (name: string, text: string) =>
  callRoute<CallNote>(POST, { as: person(name), params: { callId }, body: { text } });
const list = async (name: string) =>
  (await callRoute<{ notes: CallNote[] }>(GET, { as: person(name), params: { callId } })).data.notes;
const edit = (name: string, noteId: string, text: string) =>
  callRoute<CallNote>(PATCH, { as: person(name), params: { callId, noteId }, body: { text } });
const remove = (name: string, noteId: string) =>
  callRoute(DELETE, { as: person(name), params: { callId, noteId } });

it('keeps a note with its author and time, for everybody of the workspace to read', async () => {
  const { status, data } = await add('member', '  Wants a call before ten.  ');
  expect(status).toBe(201);
  expect(data).toMatchObject({
    author: person('member').email,
    text: 'Wants a call before ten.',
    editedAt: null,
    mayChange: true,
  });
  expect(await list('viewer')).toEqual([{ ...data, mayChange: false }]);
});

it('lets its author and admins change and delete it, nobody else', async () => {
  const { data: note } = await add('member', 'First');
  expect((await edit('colleague', note.id, 'Theirs')).status).toBe(403);
  expect((await remove('viewer', note.id)).status).toBe(403);
  const edited = await edit('member', note.id, 'Second');
  expect(edited.data.text).toBe('Second');
  expect(edited.data.editedAt).not.toBeNull();
  expect((await edit('admin', note.id, 'Third')).data.text).toBe('Third');
  expect((await remove('admin', note.id)).status).toBe(200);
  expect((await remove('admin', note.id)).status).toBe(404);
  expect((await list('member')).map(({ id }) => id)).not.toContain(note.id);
});

it('takes no notes of viewers and strangers, no empty ones and none that are too long', async () => {
  expect((await add('viewer', 'Read only')).status).toBe(403);
  expect((await add('stranger', 'Not mine')).status).toBe(403);
  expect((await add('member', '   ')).status).toBe(400);
  expect((await add('member', 'x'.repeat(2_001))).status).toBe(400);
});
