import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { POST } from '#app/api/agents/[agentId]/simulations/route.ts';
import { GET } from '#app/api/agents/[agentId]/simulations/[simulationId]/route.ts';
import {
  POST as CREATE,
  GET as LIST_SCENARIOS,
} from '#app/api/dashboard/agents/[agentId]/scenarios/route.ts';
import { GET as DETAIL } from '#app/api/dashboard/agents/[agentId]/route.ts';
import { POST as EDIT } from '#app/api/dashboard/agents/[agentId]/draft/route.ts';
import { PUT, DELETE } from '#app/api/dashboard/agents/[agentId]/scenarios/[scenarioId]/route.ts';
import { POST as CANCEL } from '#app/api/dashboard/agents/[agentId]/simulations/[simulationId]/cancel/route.ts';
import { GET as LIST } from '#app/api/dashboard/agents/[agentId]/simulations/route.ts';
import { agents } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { addKey, addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { AgentDetail } from '#lib/features/agents/dashboard/contract.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { Simulation, SimulationSummary } from './contract.ts';
import type { Scenario, ScenarioBody } from './scenarios/contract.ts';
import { scenarioForTest, untilOver } from './testing.ts';

const KEY = 'cw_test_simulations';
const PROMPT =
  'You answer the phone for Alpha Dental. Our opening hours are from 8 am to 6 pm, Monday to Friday. A check-up costs 80 euros. You can book appointments.';

let runtime: TestRuntime;
let line: SeededLine;
let member: SignedInMember;
let viewer: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true });
  line = await seedLine(runtime.db, 'simulated', { agent: { inboundPrompt: PROMPT } });
  await addKey(runtime, line.actor.workspaceId, KEY);
  member = await addSignedInMember(runtime, line.actor.workspaceId, 'member');
  viewer = await addSignedInMember(runtime, line.actor.workspaceId, 'viewer');
});
afterAll(() => runtime.close());

const create = (body: ScenarioBody, as: SignedInMember = member) =>
  callRoute<Scenario>(CREATE, { as, params: { agentId: line.agentId }, body });
const start = (body: object, agentId = line.agentId) =>
  callRoute<Simulation>(POST, { headers: { 'x-api-key': KEY }, params: { agentId }, body });
const read = (simulationId: string, query = {}) =>
  callRoute<Simulation>(GET, {
    headers: { 'x-api-key': KEY },
    params: { agentId: line.agentId, simulationId },
    query,
  });
const run = async (body: object) => {
  const { data } = await start(body);
  return untilOver(async () => (await read(data.id, { transcripts: 'true' })).data);
};

it('catches a prompt that was made worse, with the words that it rests on', async () => {
  await create(
    scenarioForTest('Asks for the price', {
      caller: { script: [{ say: 'How much is a check-up?', when: null }] },
      criteria: [
        { type: 'said', text: '80 euros' },
        { type: 'not_said', text: 'guarantee' },
        { type: 'judged', sentence: 'The agent was friendly.' },
      ],
    }),
  );
  const good = await run({ scenarios: ['Asks for the price'] });
  expect(good).toMatchObject({ status: 'completed', passed: false, worse: 0 });
  expect(good.counts).toMatchObject({ all: 1, notJudged: 1, failed: 0 });
  const [first] = good.results;
  expect(first?.turns?.map(({ text }) => text).join('\n')).toContain('How much is a check-up?');
  expect(first?.verdicts[0]).toMatchObject({
    state: 'passed',
    quote: { speaker: 'agent', text: expect.stringContaining('80') },
    before: null,
  });
  expect(first).toMatchObject({
    outcome: 'not_judged',
    change: 'new',
    playedBy: 'script',
    answeredBy: 'rules',
  });
  expect(first?.verdicts[2]).toMatchObject({ state: 'not_judged', quote: null });

  const worse = PROMPT.replace('A check-up costs 80 euros. ', '');
  await runtime.db.update(agents).set({ inboundPrompt: worse }).where(eq(agents.id, line.agentId));
  const bad = await run({ scenarios: ['Asks for the price'] });
  await runtime.db.update(agents).set({ inboundPrompt: PROMPT }).where(eq(agents.id, line.agentId));
  expect(bad).toMatchObject({ passed: false, worse: 1, counts: { failed: 1 } });
  expect([good.version.number, bad.version.number]).toEqual([1, 2]);
  expect(bad.results[0]).toMatchObject({ outcome: 'failed', change: 'worse', outcomeBefore: 'not_judged' });
  expect(bad.results[0]?.verdicts[0]).toMatchObject({ state: 'failed', before: 'passed' });
  // Rules answered, which say the price to whatever else the prompt says.
  const restored = await run({ scenarios: ['Asks for the price'] });
  expect(restored).toMatchObject({ better: 0, worse: 0, results: [{ change: 'same' }] });
});

it('tries a draft beside what is published, before anybody hears it', async () => {
  await create(
    scenarioForTest('Asks for the hours', {
      caller: { script: [{ say: 'What are your opening hours?', when: null }] },
      criteria: [{ type: 'said', text: '6 pm' }],
    }),
  );
  const params = { agentId: line.agentId };
  const scenarios = ['Asks for the hours'];
  expect((await run({ scenarios })).passed).toBe(true);
  const inboundPrompt = PROMPT.replace('to 6 pm', 'to 4 pm');
  await callRoute(EDIT, { as: member, params, body: { kind: 'inbound_prompt', body: { inboundPrompt } } });
  const detail = await callRoute<AgentDetail>(DETAIL, { as: member, params });
  const tried = await run({ scenarios, agentVersionId: detail.data.draft?.versionId });
  expect(tried).toMatchObject({ passed: false, worse: 1, version: { number: null } });
  expect((await run({ scenarios })).passed).toBe(true);
});

it('runs what is published as well, where a draft would have nothing to be compared with', async () => {
  const scenario = scenarioForTest('Asks when it closes', {
    caller: { script: [{ say: 'When do you close?', when: null }] },
    criteria: [{ type: 'said', text: '6 pm' }],
  });
  await create(scenario);
  const params = { agentId: line.agentId };
  const inboundPrompt = PROMPT.replace('to 6 pm', 'to 3 pm');
  await callRoute(EDIT, { as: member, params, body: { kind: 'inbound_prompt', body: { inboundPrompt } } });
  const { data: detail } = await callRoute<AgentDetail>(DETAIL, { as: member, params });
  const wanted = { scenarios: [scenario.name], agentVersionId: detail.draft?.versionId };
  const { data: started } = await start(wanted);
  const compared = async () => {
    const { data } = await read(started.id);
    return data.status === 'completed' && !data.awaitsComparison ? data : undefined;
  };
  await expect.poll(compared, { timeout: 30_000 }).toMatchObject({ passed: false, worse: 1 });
  const list = async () =>
    (await callRoute<{ simulations: SimulationSummary[] }>(LIST, { as: viewer, params })).data.simulations;
  const before = await list();
  expect(before.slice(0, 2).map(({ version }) => version.number === null)).toEqual([true, false]);
  // Once is enough.
  expect(await run(wanted)).toMatchObject({ worse: 1, awaitsComparison: false });
  expect(await list()).toHaveLength(before.length + 1);
});

it('refuses a version that the agent has not', async () => {
  const { status } = await start({ agentVersionId: 'ver_nobody' });
  expect(status).toBe(404);
});

it('uses tools in the simulation alone, and keeps the conversations out of everything else', async () => {
  await create(
    scenarioForTest('Books', {
      caller: { script: [{ say: 'I would like an appointment next Tuesday at 3 pm.', when: null }] },
      criteria: [
        { type: 'tool_used', tool: 'book_appointment', arguments: {} },
        { type: 'tool_not_used', tool: 'transfer_call' },
        { type: 'ended_by', by: 'agent' },
      ],
    }),
  );
  const { results, passed } = await run({ scenarios: ['Books'] });
  expect(passed).toBe(true);
  expect(results[0]?.toolUses).toContainEqual(
    expect.objectContaining({ name: 'book_appointment', answeredBy: 'simulation' }),
  );
  expect(await runtime.db.$count(calls, eq(calls.agentId, line.agentId))).toBe(0);
});

it('speaks with sound where that is wanted, and says that the words were not transcribed', async () => {
  const { results, passed } = await run({ scenarios: ['Books'], mode: 'audio' });
  expect(passed).toBe(true);
  expect(results[0]).toMatchObject({ heardBy: null });
  expect(results[0]?.turns?.map(({ text }) => text)).toContain(
    'I would like an appointment next Tuesday at 3 pm.',
  );
});

it('calls people as well, with the prompt and the variables of the scenario', async () => {
  const outbound = {
    direction: 'OUTBOUND',
    outboundPromptId: line.promptId,
    variables: { name: 'Anna' },
  } as const;
  await create(
    scenarioForTest('Is called', { ...outbound, criteria: [{ type: 'said', text: 'Hello Anna' }] }),
  );
  expect((await run({ scenarios: ['Is called'] })).passed).toBe(true);
  const foreign = scenarioForTest('Foreign', { ...outbound, outboundPromptId: 'prompt_of_nobody' });
  const { status, error } = await create(foreign);
  expect(status).toBe(400);
  expect(error?.code).toBe('VALIDATION_ERROR');
});

it('runs all scenarios of an agent, and says 404 for those it has not', async () => {
  const all = await run({});
  expect(all.counts.all).toBe(5);
  expect((await start({ scenarios: ['Unheard of'] })).status).toBe(404);
  expect((await start({}, 'agent_nobody')).status).toBe(404);
  expect((await read('sim_nobody')).status).toBe(404);
});

it('runs an agent that is switched off, and says why what cannot be run is not', async () => {
  const alone = await seedLine(runtime.db, 'simulatedoff', { agent: { isActive: false } });
  const scenario = scenarioForTest('Played by a model', { caller: { playedBy: 'model' } });
  await runtime.simulations.scenarios.create(alone.actor, alone.agentId, scenario);
  await runtime.simulations.scenarios.create(alone.actor, alone.agentId, scenarioForTest('Says goodbye'));
  const { id: simulationId } = await runtime.simulations.start(alone.actor, alone.agentId, {});
  const over = await untilOver(() =>
    runtime.simulations.get(alone.actor, { agentId: alone.agentId, simulationId }),
  );
  expect(over.results[0]).toMatchObject({
    outcome: 'broken',
    reason: expect.stringContaining('language model'),
  });
  expect(over.results[1]).toMatchObject({ outcome: 'passed' });
  // Of another workspace nothing is seen.
  expect((await read(simulationId)).status).toBe(403);
});

it('lets members change scenarios, and viewers read them', async () => {
  const { data: made } = await create(scenarioForTest('Changing'));
  const params = { agentId: line.agentId, scenarioId: made.id };
  const changed = await callRoute<Scenario>(PUT, {
    as: member,
    params,
    body: scenarioForTest('Changed', { criteria: [{ type: 'said', text: 'hello' }] }),
  });
  expect(changed.data).toMatchObject({
    name: 'Changed',
    content: { criteria: [{ type: 'said', text: 'hello' }] },
  });
  expect((await create(scenarioForTest('Forbidden'), viewer)).status).toBe(403);
  const listed = await callRoute<{ scenarios: Scenario[] }>(LIST_SCENARIOS, { as: viewer, params });
  expect(listed.data.scenarios.map(({ name }) => name)).toContain('Changed');
  expect((await callRoute(DELETE, { as: member, params })).status).toBe(200);
  expect((await callRoute(DELETE, { as: member, params })).status).toBe(404);
});

it('cancels what is not over, and lists what was run', async () => {
  const { data } = await start({});
  const params = { agentId: line.agentId, simulationId: data.id };
  const cancelled = await callRoute<Simulation>(CANCEL, { as: member, params });
  expect(['cancelled', 'completed']).toContain(cancelled.data.status);
  const { data: list } = await callRoute<{ simulations: SimulationSummary[] }>(LIST, { as: viewer, params });
  expect(list.simulations[0]).toMatchObject({ id: data.id, counts: { all: 5, open: 0 } });
  expect(list.simulations.length).toBeGreaterThan(3);
});
