import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  GET as publishingRoute,
  POST as publishRoute,
} from '#app/api/dashboard/agents/[agentId]/draft/publish/route.ts';
import { POST as editRoute } from '#app/api/dashboard/agents/[agentId]/draft/route.ts';
import { POST as splitRoute } from '#app/api/dashboard/agents/[agentId]/splits/route.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { scenarioForTest, untilOver } from '#lib/features/simulations/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { DraftPublishing } from './contract.ts';

let runtime: TestRuntime;
let actor: Actor;
let agentId: string;
let member: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true });
  ({ actor, agentId } = await seedLine(runtime.db, 'unjudged'));
  member = await addSignedInMember(runtime, actor.workspaceId, 'member');
  for (const name of ['Is polite', 'Is patient'])
    await runtime.simulations.scenarios.create(
      actor,
      agentId,
      scenarioForTest(name, { criteria: [{ type: 'judged', sentence: 'The agent was friendly.' }] }),
    );
});
afterAll(() => runtime.close());

const params = () => ({ agentId });
const edit = (inboundPrompt: string) =>
  callRoute(editRoute, {
    as: member,
    params: params(),
    body: { kind: 'inbound_prompt', body: { inboundPrompt } },
  });
const asked = async () =>
  (await callRoute<DraftPublishing>(publishingRoute, { as: member, params: params() })).data;
const publish = (confirmation?: string) =>
  callRoute(publishRoute, {
    as: member,
    params: params(),
    headers: confirmation ? { 'x-confirmation': confirmation } : {},
  });
async function trySimulations(scenarios?: string[]) {
  const { draft } = await runtime.drafts.getDetail(actor, agentId);
  const agentVersionId = draft?.versionId ?? '';
  const wanted = scenarios ? { agentVersionId, scenarios } : { agentVersionId };
  const { id: simulationId } = await runtime.simulations.start(actor, agentId, wanted);
  await untilOver(() => runtime.simulations.get(actor, { agentId, simulationId }));
}

it('publishes what simulations did not judge only once somebody looked at just that', async () => {
  await edit('You answer the phone for Pirate Pizza. Be rude.');
  expect((await asked()).notJudged).toEqual([]);
  await trySimulations(['Is polite']);
  const one = await asked();
  expect(one.notJudged).toEqual(['Is polite']);
  await trySimulations();
  const both = await asked();
  expect(both.notJudged).toEqual(['Is patient', 'Is polite']);

  const refused = await publish();
  expect(refused).toMatchObject({ status: 428, error: { code: 'CONFIRMATION_REQUIRED' } });
  expect(refused.error?.message).toContain('nothing was published');
  // More was left by now than they looked at.
  expect((await publish(one.confirmation)).status).toBe(428);
  const share = (confirmation: string) =>
    callRoute(splitRoute, {
      as: member,
      params: params(),
      body: { versionId: null, percent: 20 },
      headers: { 'x-confirmation': confirmation },
    });
  expect((await share(one.confirmation)).status).toBe(428);
  expect((await publish(both.confirmation)).status).toBe(200);
  expect((await runtime.agents.get(actor, agentId)).inboundPrompt).toContain('Be rude');
});

it('asks for nothing where the draft was changed since, or everything was judged', async () => {
  await edit('You answer the phone for Pirate Pizza. Be kind.');
  await trySimulations();
  expect((await asked()).notJudged).toHaveLength(2);
  await edit('You answer the phone for Pirate Pizza. Be patient.');
  expect((await asked()).notJudged).toEqual([]);
  expect((await publish()).status).toBe(200);
  expect((await publish()).status).toBe(400);
});
