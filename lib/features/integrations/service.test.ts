import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DELETE, GET as DETAIL, PATCH } from '#app/api/dashboard/integrations/[integrationId]/route.ts';
import { POST as TRY } from '#app/api/dashboard/integrations/[integrationId]/try/route.ts';
import { POST as CREATE } from '#app/api/dashboard/integrations/route.ts';
import { GET as LIST } from '#app/api/integrations/route.ts';
import { integrations } from '#db/schema/integrations.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { createSealer } from '#lib/adapters/system/sealer.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { IntegrationDetail, IntegrationView, TriedUse } from './contract.ts';
import { startServer } from './testing.ts';
import { createIntegrationUse } from './use/service.ts';

const SECRET = 'Bearer sk-live-4711-secret';

let runtime: TestRuntime;
let alpha: Actor;
let admin: SignedInMember;
let viewer: SignedInMember;
let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  runtime = await startTestRuntime({ env: { WEBHOOK_ALLOWLIST: '127.0.0.0/8' } });
  alpha = await addWorkspace(runtime, 'ws_alpha');
  await addWorkspace(runtime, 'ws_beta');
  admin = await addSignedInMember(runtime, 'ws_alpha', 'admin');
  viewer = await addSignedInMember(runtime, 'ws_alpha', 'viewer');
  server = await startServer(({ url, headers }, response) => {
    response.setHeader('content-type', 'application/json');
    if (url.startsWith('/broken')) response.statusCode = 500;
    response.end(JSON.stringify({ status: 'sent', echo: headers['authorization'] }));
  });
});
afterAll(async () => {
  await server.close();
  await runtime.close();
});

const tool = {
  name: 'look_up_order',
  description: 'Looks up an order.',
  method: 'GET',
  path: '/orders/{{id}}',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  answer: null,
  timeoutMs: 2000,
  meanwhile: null,
};

async function create(name: string, address = server.address): Promise<IntegrationDetail> {
  const made = await callRoute<IntegrationDetail>(CREATE, {
    as: admin,
    body: { name, kind: 'http', address },
  });
  expect(made.status).toBe(201);
  return made.data;
}
const patch = (integrationId: string, body: object) =>
  callRoute<IntegrationDetail>(PATCH, { as: admin, params: { integrationId }, body });
const use = (integrationId: string, toolName: string, args: object) =>
  callRoute<TriedUse>(TRY, { as: admin, params: { integrationId }, body: { toolName, arguments: args } });

const withSecret = { headers: [{ name: 'Authorization', value: SECRET, isSecret: true }] };

it(
  'is made, listed with its id, name, kind and state, changed and deleted',
  { tags: ['postgres'] },
  async () => {
    const { id } = await create('Orders');
    await patch(id, { tools: [tool] });
    const listed = await callRoute<IntegrationView[]>(LIST, { as: viewer });
    expect(listed.data).toEqual([
      { id, name: 'Orders', kind: 'http', state: 'active', toolNames: ['look_up_order'] },
    ]);
    expect((await patch(id, { isOn: false })).data.state).toBe('off');
    const { events } = await runtime.audit.list(alpha, { limit: 10, targetId: id });
    expect(events.map(({ action }) => action)).toEqual([
      'integration.updated',
      'integration.updated',
      'integration.created',
    ]);
    expect((await callRoute(DELETE, { as: admin, params: { integrationId: id } })).status).toBe(200);
    expect((await callRoute(DETAIL, { as: viewer, params: { integrationId: id } })).status).toBe(404);
  },
);

it('is for admins to change, for all to see, and for nobody of another workspace', async () => {
  const { id } = await create('Private');
  const stranger = await addSignedInMember(runtime, 'ws_beta', 'owner');
  const params = { integrationId: id };
  expect((await callRoute(DETAIL, { as: viewer, params })).status).toBe(200);
  expect((await callRoute(PATCH, { as: viewer, params, body: { isOn: false } })).status).toBe(403);
  expect((await callRoute(DETAIL, { as: stranger, params })).status).toBe(403);
  expect((await callRoute(DELETE, { as: stranger, params })).status).toBe(403);
  expect((await callRoute<IntegrationView[]>(LIST, { as: stranger })).data).toEqual([]);
});

it('keeps a secret sealed, sends it, and shows it nowhere again', async () => {
  const { id } = await create('Sealed');
  const saved = await patch(id, { ...withSecret, tools: [{ ...tool, name: 'sealed_order' }] });
  expect(saved.data.headers).toEqual([{ name: 'Authorization', value: null, isSecret: true }]);
  const tried = await use(id, 'sealed_order', { id: 'A 1' });
  expect(server.asked.at(-1)).toMatchObject({ url: '/orders/A%201', headers: { authorization: SECRET } });
  expect(tried.data).toMatchObject({
    status: 200,
    request: { headers: expect.arrayContaining([{ name: 'authorization', value: '•••' }]) },
    heard: { ok: true, data: { status: 'sent', echo: '•••' } },
  });
  const [row] = await runtime.db.select().from(integrations).where(eq(integrations.id, id));
  const { events } = await runtime.audit.list(alpha, { limit: 10, targetId: id });
  expect(JSON.stringify([row, saved, tried, events])).not.toContain('4711');
});

it('keeps a secret for one server only: another address asks for it again', async () => {
  const { id } = await create('Moving');
  await patch(id, withSecret);
  const other = server.address.replace('127.0.0.1', 'localhost');
  const moved = await patch(id, { address: other });
  expect(moved.error.message).toContain('headers.0.value: Authorization has to be entered');
  expect((await patch(id, { address: `${server.address}/v2` })).status).toBe(200);
  expect((await patch(id, { address: other, ...withSecret })).status).toBe(200);
});

it('says that secrets have to be entered again once AUTH_SECRET has changed', async () => {
  const { id } = await create('Old key');
  await patch(id, { ...withSecret, tools: [{ ...tool, name: 'old_key_order' }] });
  const { sender: _, ...rest } = { ...runtime, sender: undefined };
  const later = createIntegrationUse({
    ...rest,
    sealer: createSealer('another secret'),
    sender: { send: () => Promise.reject(new Error('nothing may be sent')) },
  });
  expect(
    await later.useForCall(alpha, { integrationId: id, name: 'old_key_order', arguments: { id: 'A' } }),
  ).toEqual({
    ok: false,
    reason: 'The secrets of this integration have to be entered again.',
  });
});

it('knows whether it works: a failing server is said, and forgotten once it answers', async () => {
  const { id } = await create('Failing');
  const broken = { ...tool, name: 'broken_order', path: '/broken/{{id}}' };
  await patch(id, { tools: [broken, { ...tool, name: 'working_order' }] });
  expect((await use(id, 'broken_order', { id: 'A' })).data.heard).toMatchObject({
    ok: false,
    reason: 'The service answered with status 500.',
  });
  const state = async () =>
    (await callRoute<IntegrationDetail>(DETAIL, { as: viewer, params: { integrationId: id } })).data;
  expect(await state()).toMatchObject({ state: 'failing', fault: 'The service answered with status 500.' });
  await use(id, 'working_order', { id: 'A' });
  expect(await state()).toMatchObject({ state: 'active', fault: null });
});

it('refuses arguments before anything is sent', async () => {
  const { id } = await create('Checked');
  await patch(id, { tools: [{ ...tool, name: 'checked_order' }] });
  const before = server.asked.length;
  expect((await use(id, 'checked_order', { id: 7 })).data).toMatchObject({
    request: null,
    heard: { ok: false, reason: 'id: must be string' },
  });
  expect(server.asked).toHaveLength(before);
});

it.each([
  [{ address: 'http://93.184.215.14' }, 'address: must use https'],
  [{ address: 'https://169.254.169.254/latest' }, 'address: 169.254.169.254 is not a public address'],
  [{ address: 'https://api.example.com?key=1' }, 'address: must end before the ?'],
  [
    { headers: [{ name: 'Host', value: 'x', isSecret: false }] },
    'headers.0.name: is set by the service itself',
  ],
  [{ headers: [{ name: 'X-Key', value: 'a\r\nb', isSecret: false }] }, 'headers.0.name: may have visible'],
  [{ tools: [{ ...tool, name: 'end_call' }] }, 'is a tool of every agent already'],
  [{ tools: [{ ...tool, path: '/x/{{y}}' }] }, 'tools.0.path: has {{y}}, which is no argument'],
  [{ tools: [{ ...tool, parameters: { type: 'string' } }] }, 'tools.0.parameters: must be the JSON Schema'],
  [{ tools: [tool, tool] }, 'tools: must not have a name twice'],
])('refuses %j', async (body, reason) => {
  const made = await runtime.integrations.create(alpha, {
    name: 'Wrong',
    kind: 'http',
    address: server.address,
  });
  const answer = await patch(made.id, body);
  expect(answer.status).toBe(400);
  expect(answer.error.message).toContain(reason);
  await runtime.integrations.remove(alpha, made.id);
});

it('leaves no agent with an integration that is gone', async () => {
  const made = await create('Leaving');
  const agent = await runtime.agents.create(alpha, { name: 'Uses it' });
  await runtime.agents.updateSettings(alpha, agent.id, { integrationIds: [made.id] });
  expect((await runtime.agents.get(alpha, agent.id)).integrationIds).toEqual([made.id]);
  await runtime.integrations.remove(alpha, made.id);
  expect((await runtime.agents.get(alpha, agent.id)).integrationIds).toEqual([]);
});

it('lets no two tools of a workspace have one name', { tags: ['postgres'] }, async () => {
  const [one, other] = [await create('One'), await create('Other')];
  await patch(one.id, { tools: [{ ...tool, name: 'shared_name' }] });
  const answer = await patch(other.id, { tools: [{ ...tool, name: 'shared_name' }] });
  expect(answer.error.message).toBe('tools.0.name: is a tool of the integration One already');
});
