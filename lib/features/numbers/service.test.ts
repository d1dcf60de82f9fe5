import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELETE, PATCH } from '#app/api/dashboard/numbers/[numberId]/route.ts';
import { GET, POST } from '#app/api/dashboard/numbers/route.ts';
import { GET as COUNTRY } from '#app/api/dashboard/numbers/country/route.ts';
import { GET as SETUP } from '#app/api/dashboard/numbers/setup/route.ts';
import { agents } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { PhoneNumber } from './contract.ts';
import { nextSimulatedNumber } from './rules.ts';
import { setupOf } from './setup/rules.ts';

const AT = new Date('2026-03-02T09:00:00.000Z');

let runtime: TestRuntime;
let alpha: Actor;
let beta: Actor;
let admin: SignedInMember;
let viewer: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime();
  alpha = await addWorkspace(runtime, 'ws_alpha');
  beta = await addWorkspace(runtime, 'ws_beta');
  admin = await addSignedInMember(runtime, 'ws_alpha', 'admin');
  viewer = await addSignedInMember(runtime, 'ws_alpha', 'viewer');
  for (const [id, workspaceId] of [
    ['agent_a', 'ws_alpha'],
    ['agent_b', 'ws_beta'],
  ] as const) {
    await runtime.db
      .insert(agents)
      .values({ id, workspaceId, name: `The ${id}`, createdAt: AT, updatedAt: AT });
  }
});

afterAll(() => runtime.close());

async function addCall(id: string, phoneNumberId: string, status: 'queued' | 'ended'): Promise<void> {
  await runtime.db.insert(calls).values({
    id,
    workspaceId: 'ws_alpha',
    agentId: 'agent_a',
    phoneNumberId,
    direction: 'OUTBOUND',
    carrier: 'simulated',
    agentPhoneNumber: '+15550109000',
    humanPhoneNumber: '+15550200000',
    variables: {},
    status,
    statusRank: status === 'queued' ? 0 : 5,
    usageMonth: '2026-03',
    dateInitiated: AT,
    createdAt: AT,
    updatedAt: AT,
  });
}

test('without a number the lowest free simulated one is made', { tags: ['postgres'] }, async () => {
  await runtime.numbers.create(beta, { number: '+15550100002' });
  const made = [];
  for (let count = 0; count < 2; count += 1)
    made.push(await callRoute<PhoneNumber>(POST, { as: admin, body: {} }));
  expect(made.map((answer) => answer.data.number)).toEqual(['+15550100001', '+15550100003']);
  expect(made[0]?.data).toMatchObject({ carrier: 'simulated', agent: null, maxConcurrentCalls: 10 });
});

test('ten requests at once get ten numbers', { tags: ['postgres'] }, async () => {
  const made = await Promise.all(
    Array.from({ length: 10 }, () => callRoute<PhoneNumber>(POST, { as: admin, body: {} })),
  );
  const numbers = made.filter((answer) => answer.status === 201).map((answer) => answer.data.number);
  expect(new Set(numbers).size).toBe(10);
});

test('a simulated number may be of any country', async () => {
  const { data } = await callRoute<PhoneNumber>(POST, { as: admin, body: { number: '+436641234501' } });
  expect(data).toMatchObject({ number: '+436641234501', carrier: 'simulated' });
  await runtime.numbers.remove(alpha, data.id);
  const body = { number: '+999123456789' };
  expect((await callRoute(POST, { as: admin, body })).error.message).toMatch(
    /^number: must be a phone number/,
  );
});

test('the country of numbers is the setting, else a guess from the own ones, else not known', async () => {
  const gamma = await addWorkspace(runtime, 'ws_gamma');
  const member = await addSignedInMember(runtime, 'ws_gamma', 'viewer');
  const country = async () => (await callRoute(COUNTRY, { as: member })).data;
  expect(await country()).toEqual({ country: null, isGuessed: false, guess: null });
  await runtime.numbers.create(gamma, { number: '+15550107010' });
  expect(await country()).toEqual({ country: 'US', isGuessed: true, guess: 'US' });
  await runtime.numbers.create(gamma, { number: '+4930901820', carrier: 'sip' });
  expect(await country()).toEqual({ country: 'DE', isGuessed: true, guess: 'DE' });
  await runtime.workspaces.update(gamma, { country: 'AT' });
  expect(await country()).toEqual({ country: 'AT', isGuessed: false, guess: 'DE' });
});

test('an agent of the workspace is assigned and taken away again', async () => {
  const { data } = await callRoute<PhoneNumber>(POST, {
    as: admin,
    body: { number: '+15550107001', agentId: 'agent_a' },
  });
  expect(data.agent).toEqual({ id: 'agent_a', name: 'The agent_a' });
  const params = { numberId: data.id };
  const changed = await callRoute<PhoneNumber>(PATCH, {
    as: admin,
    params,
    body: { agentId: null, maxConcurrentCalls: 2 },
  });
  expect(changed.data).toMatchObject({ agent: null, maxConcurrentCalls: 2 });
  const { events } = await runtime.audit.list(alpha, { limit: 10, targetId: data.id });
  expect(events[0]?.data).toMatchObject({
    agentId: { from: 'agent_a', to: null },
    maxConcurrentCalls: { from: 10, to: 2 },
  });
});

test('a change that changes nothing is not in the audit log', async () => {
  const { id } = await runtime.numbers.create(alpha, { number: '+15550107002' });
  await runtime.numbers.update(alpha, id, { maxConcurrentCalls: 10 });
  expect((await runtime.audit.list(alpha, { limit: 10, targetId: id })).events).toHaveLength(1);
});

test('an agent of another workspace is 403, an unknown one 404', async () => {
  expect((await callRoute(POST, { as: admin, body: { agentId: 'agent_b' } })).status).toBe(403);
  expect((await callRoute(POST, { as: admin, body: { agentId: 'agent_none' } })).status).toBe(404);
});

test('a number in use, here or elsewhere, is refused without a word about whose it is', async () => {
  const { status, error } = await callRoute(POST, { as: admin, body: { number: '+15550100002' } });
  expect(status).toBe(400);
  expect(error.message).toBe('number: is already in use');
});

test('another workspace’s number is 403, an unknown one 404', async () => {
  const foreign = await runtime.numbers.create(beta, { number: '+15550107003' });
  for (const [numberId, status] of [
    [foreign.id, 403],
    ['pn_none', 404],
  ] as const) {
    expect(
      (await callRoute(PATCH, { as: admin, params: { numberId }, body: { agentId: null } })).status,
    ).toBe(status);
    expect((await callRoute(DELETE, { as: admin, params: { numberId } })).status).toBe(status);
  }
  expect((await callRoute<PhoneNumber[]>(GET, { as: admin })).data.map((each) => each.id)).not.toContain(
    foreign.id,
  );
});

test('a number is found written exactly so, in its own workspace only', async () => {
  await runtime.numbers.create(alpha, { number: '+15550107004' });
  expect(await runtime.numbers.findByNumber(alpha, '+15550107004')).toMatchObject({ number: '+15550107004' });
  expect(await runtime.numbers.findByNumber(alpha, '15550107004')).toBeUndefined();
  expect(await runtime.numbers.findByNumber(beta, '+15550107004')).toBeUndefined();
});

test(
  'a number is deleted when no call on it is open, and its conversations stay',
  { tags: ['postgres'] },
  async () => {
    const busy = await runtime.numbers.create(alpha, { number: '+15550107005' });
    const idle = await runtime.numbers.create(alpha, { number: '+15550107006' });
    await addCall('cnv_open', busy.id, 'queued');
    await addCall('cnv_done', idle.id, 'ended');
    expect((await callRoute(DELETE, { as: admin, params: { numberId: busy.id } })).error.code).toBe(
      'INVALID_STATE',
    );
    expect((await callRoute(DELETE, { as: admin, params: { numberId: idle.id } })).status).toBe(200);
    const kept = (await runtime.db.select().from(calls)).find((call) => call.id === 'cnv_done');
    expect(kept).toMatchObject({ phoneNumberId: null });
  },
);

test('a viewer looks and changes nothing', async () => {
  expect((await callRoute(GET, { as: viewer })).status).toBe(200);
  expect((await callRoute(POST, { as: viewer, body: {} })).status).toBe(403);
});

test.each([
  { number: '555' },
  { number: '15550107777' },
  { maxConcurrentCalls: 0 },
  { maxConcurrentCalls: 1.5 },
  { carrier: 'sip' },
  { carrier: 'twilio', number: '+15550107001' },
  { carrier: 'fax', number: '+15550107001' },
])('the body %j is refused', async (body) => {
  expect((await callRoute(POST, { as: admin, body })).status).toBe(400);
});

test('a number of a carrier is added as one has it there, and says whether the carrier is set up', async () => {
  const sip = await callRoute<PhoneNumber>(POST, {
    as: admin,
    body: { carrier: 'sip', number: '+442071838750', agentId: 'agent_a' },
  });
  expect(sip.data).toMatchObject({ carrier: 'sip', isCarrierReady: false, lastIn: null, lastOut: null });
  const twilio = await callRoute<PhoneNumber>(POST, {
    as: admin,
    body: { carrier: 'twilio', number: '+12125550123' },
  });
  expect(twilio.data).toMatchObject({ number: '+12125550123', carrier: 'twilio' });
  expect(
    (await callRoute(POST, { as: viewer, body: { carrier: 'sip', number: '+442071838751' } })).status,
  ).toBe(403);
});

test('a number tells its last call in each direction', { tags: ['postgres'] }, async () => {
  const { id } = await runtime.numbers.create(alpha, { number: '+15550107060' });
  await addCall('cnv_out', id, 'ended');
  const shown = (await runtime.numbers.list(alpha)).find((number) => number.id === id);
  expect(shown?.lastOut).toEqual({
    conversationId: 'cnv_out',
    at: AT.toISOString(),
    isConnected: false,
    endReason: null,
  });
  expect(shown?.lastIn).toBeNull();
});

test('the set-up names what is on, and no secret', async () => {
  const setup = setupOf({
    ...runtime.env,
    publicUrl: 'https://calls.example.com',
    sip: {
      listen: [{ protocol: 'udp', address: '0.0.0.0', port: 5060 }],
      trunkUri: 'sip:trunk.example.com',
      realms: [],
      credentials: { username: 'acme', password: 'hush' },
      registers: true,
      mediaIp: undefined,
      rtpPorts: { first: 20_000, last: 20_100 },
      allowedPeers: ['127.0.0.0/8'],
      tls: undefined,
    },
  });
  expect(setup).toMatchObject({
    sip: { hasCredentials: true, registers: true, trunkUri: 'sip:trunk.example.com' },
    twilio: { voiceUrl: 'https://calls.example.com/api/carriers/twilio/voice' },
    isPublic: true,
  });
  expect(JSON.stringify(setup)).not.toMatch(/hush|acme/);
  expect((await callRoute(SETUP, { as: viewer })).status).toBe(403);
});

test('the range of simulated numbers has an end', () => {
  const all = Array.from({ length: 9_999 }, (_, place) => `+1555010${String(place + 1).padStart(4, '0')}`);
  expect(nextSimulatedNumber(all.slice(0, -1))).toBe('+15550109999');
  expect(nextSimulatedNumber(all)).toBeUndefined();
});
