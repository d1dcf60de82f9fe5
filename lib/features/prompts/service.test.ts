import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as list, POST as create } from '#app/api/agents/[agentId]/outbound-prompts/route.ts';
import {
  DELETE as remove,
  GET as get,
  PUT as put,
} from '#app/api/agents/[agentId]/outbound-prompts/[promptId]/route.ts';
import { GET as catalog } from '#app/api/dashboard/agents/catalog/route.ts';
import { POST as derive } from '#app/api/dashboard/agents/[agentId]/outbound-prompts/[promptId]/derive-card/route.ts';
import { PATCH as patch } from '#app/api/dashboard/agents/[agentId]/outbound-prompts/[promptId]/route.ts';
import { POST as preview } from '#app/api/dashboard/agents/[agentId]/preview/route.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { renderPrompt } from '#lib/engine/prompt/render.ts';
import { findAgent } from '#lib/features/agents/repository.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { outboundPromptSchema, type OutboundPromptView, type PromptCatalog } from './contract.ts';
import type { PromptPreview } from './preview/contract.ts';
import { findPrompt } from './repository.ts';

let runtime: TestRuntime;
let alpha: Actor;
let headers: Record<string, string>;
let foreign: Record<string, string>;
let member: SignedInMember;
let agentId: string;
let otherAgentId: string;

beforeAll(async () => {
  runtime = await startTestRuntime();
  alpha = await addWorkspace(runtime, 'ws_alpha');
  const beta = await addWorkspace(runtime, 'ws_beta');
  headers = { 'x-api-key': (await runtime.keys.create(alpha, { name: 'test' })).key };
  foreign = { 'x-api-key': (await runtime.keys.create(beta, { name: 'test' })).key };
  member = await addSignedInMember(runtime, 'ws_alpha', 'member');
  agentId = (
    await runtime.agents.create(alpha, { name: 'Front desk', inboundPrompt: 'You are Mia at Alpha Dental.' })
  ).id;
  otherAgentId = (await runtime.agents.create(alpha, { name: 'Back desk' })).id;
});
afterAll(() => runtime.close());

const call = <Data = OutboundPromptView>(
  handler: Parameters<typeof callRoute>[0],
  params: Record<string, string>,
  body?: unknown,
  as = headers,
) => callRoute<Data>(handler, { headers: as, params, body });

const INSTRUCTIONS =
  'You are Max from TechCorp. You are calling {{name}} about the trial. Open with "Hi {{name}}, Max here."';
const newPrompt = (fields: Record<string, unknown> = {}) =>
  runtime.prompts.create(alpha, agentId, { title: 'Trial', instructions: INSTRUCTIONS, ...fields });

describe('creating', () => {
  it('derives the card from the instructions', async () => {
    const answer = await call(create, { agentId }, { title: 'Trial', instructions: INSTRUCTIONS });
    expect(answer).toMatchObject({ status: 201, message: 'Outbound prompt created' });
    expect(outboundPromptSchema.parse(answer.data)).toEqual(answer.data);
    expect(answer.data).toMatchObject({
      agentId,
      title: 'Trial',
      instructions: INSTRUCTIONS,
      opening: 'Hi {{name}}, Max here.',
      personaName: 'Max',
      businessName: 'TechCorp',
      voiceCardEdited: false,
      voicePrompt: null,
      singlePrompt: null,
    });
    expect(answer.data.scope).toContain('about the trial');
    expect((await call(get, { agentId, promptId: answer.data.id })).data).toEqual(answer.data);
  });

  it('what is given by hand wins and counts as edited', async () => {
    const given = {
      opening: '{{count < 2 ? "One." : "{{count}}."}}',
      personaName: 'Zoe',
      businessName: null,
      voicePrompt: '',
    };
    const { data } = await call(create, { agentId }, { title: 'T', instructions: INSTRUCTIONS, ...given });
    expect(data).toMatchObject({
      opening: given.opening,
      personaName: 'Zoe',
      businessName: 'TechCorp',
      voicePrompt: null,
      voiceCardEdited: true,
    });
  });

  it('names nobody: the opening takes the persona of the agent', async () => {
    const { data } = await call(
      create,
      { agentId },
      { title: 'T', instructions: 'Remind {{first_name}} of the visit.' },
    );
    expect(data).toMatchObject({
      personaName: null,
      businessName: null,
      opening: 'Hello {{first_name}}, this is Mia from Alpha Dental. Do you have a moment?',
    });
  });

  it.each([
    [{ instructions: 'x' }, 'title: is required'],
    [{ title: 'x' }, 'instructions: is required'],
    [{ title: ' ', instructions: 'x' }, 'title: must not be empty'],
    [{ title: 'x', instructions: '' }, 'instructions: must not be empty'],
    [
      { title: 'x', instructions: 'Hi {{}}' },
      'instructions: line 1, column 6: expected the name of a variable',
    ],
    [{ title: 'x', instructions: 'x', opening: 'x'.repeat(601) }, 'opening: must be at most 600 characters'],
    [
      { title: 'x', instructions: 'x', opening: 'Hello {{count < 2 ? "a"}}' },
      'opening: line 1, column 24: expected : between the two texts',
    ],
    [{ title: 'x', instructions: 'x', personaName: 'x'.repeat(121) }, 'personaName: must be at most 120'],
    [{ title: 'x', instructions: 'x', businessName: 'x'.repeat(121) }, 'businessName: must be at most 120'],
    [
      { title: 'x', instructions: 'x', voicePrompt: 'x'.repeat(20_001) },
      'voicePrompt: must be at most 20,000',
    ],
    [{ title: 5, instructions: null }, 'title: expected string'],
  ])('refuses %j', async (body, message) => {
    const answer = await call(create, { agentId }, body);
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
    expect(answer.error.message).toContain(message);
  });
});

describe('an opening that nobody wrote by hand', () => {
  const opening = async (place: { agentId: string; promptId: string }) =>
    (await call(get, place)).data.opening;

  it('is answered with the names that hold now, the ones given here first', async () => {
    const given = { personaName: 'Lea', businessName: 'Delta' };
    const instructions = 'You are Mia from Alpha Dental. Remind {{name}} of the visit.';
    const { data } = await call(create, { agentId }, { title: 'T', instructions, ...given });
    expect(data.opening).toBe('Hello {{name}}, this is Lea from Delta. Do you have a moment?');
    const quoted = `${instructions} Open with "Hi, Mia of Alpha Dental here."`;
    const second = await call(create, { agentId }, { title: 'T', instructions: quoted, ...given });
    expect(second.data.opening).toBe('Hi, Lea of Delta here.');
    const back = await call(
      put,
      { agentId, promptId: data.id },
      { ...given, opening: data.opening, personaName: 'Eve' },
    );
    expect(back.data.opening).toBe('Hello {{name}}, this is Eve from Delta. Do you have a moment?');
  });

  it('follows an agent that is renamed, until somebody writes a line', async () => {
    const agent = await runtime.agents.create(alpha, {
      name: 'A',
      inboundPrompt: 'You are Mia at Alpha Dental.',
    });
    const prompt = await runtime.prompts.create(alpha, agent.id, {
      title: 'T',
      instructions: 'Remind people.',
    });
    const place = { agentId: agent.id, promptId: prompt.id };
    await runtime.agents.updateSettings(alpha, agent.id, { personaName: 'Lea', businessName: 'Delta' });
    expect((await runtime.agents.get(alpha, agent.id)).inboundGreeting).toBe(
      'Hello, this is Lea from Delta. How can I help you today?',
    );
    expect(await opening(place)).toBe('Hello, this is Lea from Delta. Do you have a moment?');
    expect((await runtime.prompts.get(alpha, place)).voiceCardEdited).toBe(false);
    await call(put, place, { opening: 'Mia here.' });
    await runtime.agents.updateSettings(alpha, agent.id, { personaName: 'Eve' });
    expect(await opening(place)).toBe('Mia here.');
  });
});

describe('reading and order', () => {
  it('lists in order of creation: the first is the default', async () => {
    const agent = await runtime.agents.create(alpha, { name: 'Ordered' });
    for (const title of ['a', 'b', 'c'])
      await runtime.prompts.create(alpha, agent.id, { title, instructions: 'x' });
    const { data } = await call<OutboundPromptView[]>(list, { agentId: agent.id });
    expect(data.map((prompt) => prompt.title)).toEqual(['a', 'b', 'c']);
    expect((await call<OutboundPromptView[]>(list, { agentId: otherAgentId })).data).toEqual([]);
  });
});

describe('changing', () => {
  it('new instructions derive anew; a card edited by hand stays', async () => {
    const { id: promptId } = await newPrompt();
    const derived = await call(
      put,
      { agentId, promptId },
      { instructions: 'You are Eve from Acme Solar. Sell.' },
    );
    expect(derived).toMatchObject({
      status: 200,
      message: 'Outbound prompt updated',
      data: { personaName: 'Eve', businessName: 'Acme Solar', voiceCardEdited: false },
    });
    expect((await call(put, { agentId, promptId }, { personaName: 'Zoe' })).data).toMatchObject({
      personaName: 'Zoe',
      voiceCardEdited: true,
    });
    const kept = await call(put, { agentId, promptId }, { instructions: 'You are Ann from Beta Labs.' });
    expect(kept.data).toMatchObject({
      instructions: 'You are Ann from Beta Labs.',
      personaName: 'Zoe',
      businessName: 'Acme Solar',
    });
    const again = await callRoute<OutboundPromptView>(derive, { as: member, params: { agentId, promptId } });
    expect(again.data).toMatchObject({
      personaName: 'Ann',
      businessName: 'Beta Labs',
      voiceCardEdited: false,
    });
  });

  it('only what is sent changes, and empty or null clears', async () => {
    const before = await newPrompt({ voicePrompt: 'Be brief.', opening: 'Hi.' });
    const place = { agentId, promptId: before.id };
    expect((await call(put, place, { title: 'New' })).data).toMatchObject({
      ...before,
      title: 'New',
      updatedAt: expect.any(String),
    });
    expect((await call(put, place, {})).status).toBe(200);
    expect((await call(put, place, { voicePrompt: '' })).data.voicePrompt).toBeNull();
    await call(put, place, { voicePrompt: 'Again.' });
    expect((await call(put, place, { voicePrompt: null, opening: null })).data).toMatchObject({
      voicePrompt: null,
      opening: null,
    });
  });

  it.each([
    [{ title: '' }, 'title: must not be empty'],
    [{ instructions: ' ' }, 'instructions: must not be empty'],
    [{ singlePrompt: 'text' }, 'singlePrompt: can only be null'],
    [{ opening: 'x'.repeat(601) }, 'opening: must be at most 600'],
    [{ voicePrompt: '{{' }, 'voicePrompt: line 1, column 3'],
  ])('refuses %j', async (body, message) => {
    const before = await newPrompt();
    const answer = await call(put, { agentId, promptId: before.id }, body);
    expect(answer.status).toBe(400);
    expect(answer.error.message).toContain(message);
    expect(await runtime.prompts.get(alpha, { agentId, promptId: before.id })).toEqual(before);
  });

  it('deleting answers null, and then it is gone', async () => {
    const { id: promptId } = await newPrompt();
    expect(await call(remove, { agentId, promptId })).toMatchObject({
      status: 200,
      data: null,
      message: 'Outbound prompt deleted',
    });
    expect(await call(get, { agentId, promptId })).toMatchObject({
      status: 404,
      error: { message: 'Outbound prompt not found' },
    });
    expect((await call(remove, { agentId, promptId })).status).toBe(404);
  });
});

describe('who may', () => {
  it("another agent's prompt is 404, another workspace's 403, unknown ids 404", async () => {
    const { id: promptId } = await newPrompt();
    const calls = [[get], [put, { title: 'x' }], [remove]] as const;
    for (const [handler, body] of calls) {
      expect((await call(handler, { agentId: otherAgentId, promptId }, body)).status).toBe(404);
      expect((await call(handler, { agentId, promptId: 'prompt_none' }, body)).status).toBe(404);
      expect((await call(handler, { agentId: 'agent_none', promptId }, body)).status).toBe(404);
      expect((await call(handler, { agentId, promptId }, body, foreign)).status).toBe(403);
      expect((await call(handler, { agentId, promptId }, body, {})).status).toBe(401);
    }
    expect((await call(list, { agentId }, undefined, foreign)).status).toBe(403);
    expect((await call(create, { agentId }, { title: 'x', instructions: 'x' }, foreign)).status).toBe(403);
    expect((await runtime.prompts.get(alpha, { agentId, promptId })).title).toBe('Trial');
  });

  it("another workspace's prompt under an agent of one's own is 403", async () => {
    const beta = { ...alpha, workspaceId: (await findForeign()).workspaceId };
    const own = await runtime.agents.create(beta, { name: 'Beta' });
    const { id: promptId } = await newPrompt();
    expect((await call(get, { agentId: own.id, promptId }, undefined, foreign)).status).toBe(403);
  });
});

async function findForeign() {
  return addWorkspace(runtime, 'ws_gamma').then(async (gamma) => {
    foreign = { 'x-api-key': (await runtime.keys.create(gamma, { name: 'test' })).key };
    return gamma;
  });
}

describe('the single prompt', () => {
  const SINGLE =
    '# Opening\nHi {{name}}, {{count < 2 ? "one visit" : "{{count}} visits"}} due.\n\n# Voice\nBe Zoe.\n\n# Instructions\nYou are Zoe from Beta Labs. Book visits.';

  async function withSingle(): Promise<{ agentId: string; promptId: string }> {
    const place = { agentId, promptId: (await newPrompt()).id };
    const { data } = await callRoute<OutboundPromptView>(patch, {
      as: member,
      params: place,
      body: { singlePrompt: SINGLE },
    });
    expect(data).toMatchObject({
      singlePrompt: SINGLE,
      instructions: 'You are Zoe from Beta Labs. Book visits.',
      opening: 'Hi {{name}}, {{count < 2 ? "one visit" : "{{count}} visits"}} due.',
      personaName: 'Zoe',
      businessName: 'Beta Labs',
    });
    expect(data.voicePrompt).toContain('Be Zoe.');
    return place;
  }

  it('is what a call opens with, exactly, for count 1, 3 and 10', async () => {
    const place = await withSingle();
    const agent = await findAgent(runtime.db, alpha.workspaceId, agentId);
    const outboundPrompt = await findPrompt(runtime.db, alpha.workspaceId, place);
    const openings = ['1', '3', '10'].map(
      (count) =>
        renderPrompt({
          agent,
          outboundPrompt,
          direction: 'OUTBOUND',
          variables: { name: 'Ann', count },
          workspaceName: 'W',
        }).opening,
    );
    expect(openings).toEqual(['Hi Ann, one visit due.', 'Hi Ann, 3 visits due.', 'Hi Ann, 10 visits due.']);
  });

  it.each([{ instructions: 'x' }, { opening: 'x' }, { voicePrompt: null }])(
    'refuses %j while it is set',
    async (body) => {
      const place = await withSingle();
      const answer = await call(put, place, body);
      expect(answer).toMatchObject({ status: 400, error: { code: 'SINGLE_PROMPT_ACTIVE' } });
      expect(answer.error.message).toContain(`${Object.keys(body)[0]}: `);
      expect((await call(put, place, { ...body, singlePrompt: null })).status).toBe(200);
    },
  );

  it('null leaves the texts as they are', async () => {
    const place = await withSingle();
    const before = await runtime.prompts.get(alpha, place);
    const { data } = await call(put, place, { singlePrompt: null });
    expect(data).toEqual({ ...before, singlePrompt: null, updatedAt: data.updatedAt });
  });
});

describe('the preview', () => {
  const show = async (body: unknown) =>
    (await callRoute<PromptPreview>(preview, { as: member, params: { agentId }, body })).data;

  it('renders what a call would get, the variables and the card derived live', async () => {
    const draft = { title: 'Trial', instructions: INSTRUCTIONS };
    const shown = await show({
      direction: 'OUTBOUND',
      promptId: null,
      draft,
      variables: { name: 'Ann', other: 'x' },
    });
    expect(shown).toMatchObject({
      opening: 'Hi Ann, Max here.',
      openingSource: 'derived',
      voicePromptSource: 'card',
      cardIsDerived: true,
      card: { personaName: 'Max', businessName: 'TechCorp' },
      unusedVariables: ['other'],
      problems: [],
    });
    expect(shown.variables).toEqual([
      { name: 'name', isNumber: false, state: 'given', usedIn: ['instructions', 'opening', 'scope'] },
    ]);
    const saved = await newPrompt();
    const agent = await findAgent(runtime.db, alpha.workspaceId, agentId);
    const outboundPrompt = await findPrompt(runtime.db, alpha.workspaceId, { agentId, promptId: saved.id });
    const real = renderPrompt({
      agent,
      outboundPrompt,
      direction: 'OUTBOUND',
      variables: { name: 'Ann', other: 'x' },
      workspaceName: 'Workspace ws_alpha',
    });
    expect(shown.instructions).toBe(real.instructions);
  });

  it('tells faults with their place, missing variables and values that are no number', async () => {
    const draft = {
      instructions: 'Hi {{name}}, {{oops',
      opening: '{{count < 2 ? "one" : "{{count}}"}} left',
    };
    const shown = await show({ direction: 'OUTBOUND', promptId: null, draft, variables: { count: 'few' } });
    expect(shown.problems).toEqual([
      {
        field: 'instructions',
        line: 1,
        column: 14,
        start: 13,
        end: 19,
        message: 'this {{ is not closed with }}',
      },
    ]);
    expect(shown.variables.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'name missing',
      'count not a number',
    ]);
    expect(shown.opening).toBe('few left');
  });

  it('of a draft with other names opens with them, and says that nobody wrote the line', async () => {
    const { id: promptId } = await newPrompt({});
    const draft = {
      personaName: 'Lea',
      businessName: 'Delta',
      opening: null,
      instructions: 'You are Mia. Sell.',
    };
    for (const id of [promptId, null]) {
      const shown = await show({ direction: 'OUTBOUND', promptId: id, draft, variables: {} });
      expect(shown).toMatchObject({
        opening: 'Hello, this is Lea from Delta. Do you have a moment?',
        openingSource: 'derived',
        cardIsDerived: false,
      });
    }
  });

  it('tells which sentences are left out, and without which variables another opening is said', async () => {
    const draft = { title: 'T', instructions: 'x', opening: 'Hi {{name}}, Mia here. It was {{n}} days ago.' };
    const shown = await show({ direction: 'OUTBOUND', promptId: null, draft, variables: {} });
    expect(shown).toMatchObject({
      opening: 'Hi, Mia here.',
      leftOut: [{ sentence: 'It was {{n}} days ago.', variables: ['n'] }],
      missingForOpening: [],
    });
    const opening = 'It was {{n}} days ago.';
    const replaced = await show({
      direction: 'OUTBOUND',
      promptId: null,
      draft: { ...draft, opening },
      variables: {},
    });
    expect(replaced).toMatchObject({ leftOut: [{ variables: ['n'] }], missingForOpening: ['n'] });
  });

  it('of an inbound draft shows the three renderings of a single prompt', async () => {
    const shown = await show({
      direction: 'INBOUND',
      draft: { inboundSinglePrompt: '# Opening\nHi.\n# Voice\nBe Zoe.\n# Instructions\nHelp {{x}' },
      variables: {},
    });
    expect(shown).toMatchObject({
      opening: 'Hi.',
      openingSource: 'single prompt',
      voicePromptSource: 'single prompt',
      rendered: { opening: 'Hi.', instructions: 'Help {{x}' },
    });
    expect(shown.problems).toMatchObject([{ field: 'inboundSinglePrompt', line: 6 }]);
  });

  it('of card fields shows them as given, and changes nothing', async () => {
    const before = await runtime.agents.get(alpha, agentId);
    const shown = await show({
      direction: 'INBOUND',
      draft: { personaName: 'Otto', inboundGreeting: '' },
      variables: {},
    });
    expect(shown).toMatchObject({
      opening: 'Hello, this is Otto from Alpha Dental. How can I help you today?',
      openingSource: 'derived',
      cardIsDerived: false,
    });
    expect(await runtime.agents.get(alpha, agentId)).toEqual(before);
  });
});

it('the catalog names the tools and voices that exist', async () => {
  const { data } = await callRoute<PromptCatalog>(catalog, { as: member });
  expect(data.tools.map((tool) => tool.name)).toEqual(
    expect.arrayContaining([
      'end_call',
      'transfer_call',
      'search_knowledge',
      'schedule_callback',
      'book_appointment',
      'press_digits',
    ]),
  );
  expect(data.voices.length).toBeGreaterThan(0);
});
