import { afterAll, beforeAll, expect, it } from 'vitest';
import { DELETE, PATCH } from '#app/api/dashboard/views/[viewId]/route.ts';
import { GET, POST } from '#app/api/dashboard/views/route.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { SavedView } from './contract.ts';

let runtime: TestRuntime;
const people: Record<string, SignedInMember> = {};

beforeAll(async () => {
  runtime = await startTestRuntime();
  await addWorkspace(runtime, 'ws_views');
  await addWorkspace(runtime, 'ws_views_elsewhere');
  for (const role of ['viewer', 'member', 'admin'] as const)
    people[role] = await addSignedInMember(runtime, 'ws_views', role);
  people.stranger = await addSignedInMember(runtime, 'ws_views_elsewhere', 'owner');
});
afterAll(() => runtime.close());

let count = 0;
const nameOf = (words: string) => `${words} ${(count += 1)}`;
const person = (who: string) => people[who] as SignedInMember;
const create = (who: string, name: string, isShared = false) =>
  callRoute<SavedView>(POST, { as: person(who), body: { name, isShared, query: 'sentiment=NEGATIVE' } });
const change = (who: string, viewId: string, body: object) =>
  callRoute<SavedView>(PATCH, { as: person(who), params: { viewId }, body });
const remove = (who: string, viewId: string) => callRoute(DELETE, { as: person(who), params: { viewId } });
const names = async (who: string) =>
  (await callRoute<{ views: SavedView[] }>(GET, { as: person(who) })).data.views.map(({ name }) => name);

it('shows a private view to its owner alone, and a shared one to the workspace', async () => {
  const [mine, ours] = [nameOf('Mine'), nameOf('Ours')];
  const { data, status } = await create('member', mine);
  expect(status).toBe(201);
  expect(data).toMatchObject({ name: mine, query: 'sentiment=NEGATIVE', isOwn: true, mayChange: true });
  await create('member', ours, true);
  expect(await names('member')).toEqual(expect.arrayContaining([mine, ours]));
  expect(await names('viewer')).toContain(ours);
  expect(await names('viewer')).not.toContain(mine);
  expect(await names('stranger')).toEqual([]);
  expect((await change('admin', data.id, { name: 'Theirs' })).status).toBe(404);
});

it('lets its owner and admins change a shared view, nobody else', async () => {
  const { data } = await create('member', nameOf('Shared'), true);
  expect((await change('viewer', data.id, { name: 'No' })).status).toBe(403);
  expect((await change('stranger', data.id, { name: 'No' })).status).toBe(404);
  const renamed = nameOf('Renamed');
  expect((await change('admin', data.id, { name: renamed, query: 'tag=x' })).data).toMatchObject({
    name: renamed,
    query: 'tag=x',
    isShared: true,
  });
  expect((await remove('viewer', data.id)).status).toBe(403);
  expect((await remove('member', data.id)).status).toBe(200);
  expect((await remove('member', data.id)).status).toBe(404);
});

it('takes a name once from each member', async () => {
  const name = nameOf('Twice');
  await create('member', name);
  expect((await create('member', name)).error.message).toContain('another view of yours');
  expect((await create('admin', name)).status).toBe(201);
  const { data } = await create('member', nameOf('Other'));
  expect((await change('member', data.id, { name })).status).toBe(400);
  expect((await create('viewer', nameOf('Viewer'))).status).toBe(403);
});
