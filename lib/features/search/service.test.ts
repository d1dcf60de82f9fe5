import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as search } from '#app/api/dashboard/search/route.ts';
import { knowledgeBases } from '#db/schema/knowledge.ts';
import { addSignedInMember } from '#lib/auth/testing.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

let runtime: TestRuntime;
let line: SeededLine;

const AT = new Date('2026-03-02T09:00:00.000Z');

beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'own', {
    agent: { name: 'Front desk', personaName: 'Mia' },
    number: { number: '+15550100001' },
  });
  // The other workspace has the same of everything.
  const other = await seedLine(runtime.db, 'foreign', {
    agent: { name: 'Front desk', personaName: 'Mia' },
    number: { number: '+15550100002' },
  });
  for (const { actor, agentId } of [line, other]) {
    const { workspaceId } = actor;
    const call = { workspaceId, agentId, humanPhoneNumber: '+15550188801' };
    await addEndedCall(runtime.db, {
      ...call,
      id: `cnv_${workspaceId}`,
      variables: { name: 'Robin O’Hara' },
    });
    await addEndedCall(runtime.db, { ...call, id: `cnv_${workspaceId}_old`, dateInitiated: new Date(0) });
    await runtime.db.insert(knowledgeBases).values({
      id: `kb_${workspaceId}`,
      workspaceId,
      name: '100% dental care',
      description: '',
      embeddingModel: 'test',
      createdAt: AT,
      updatedAt: AT,
    });
  }
});
afterAll(() => runtime.close());

describe('the search of a workspace', () => {
  const found = async (text: string) => {
    const results = await runtime.search.find(line.actor, text);
    return Object.values(results).flatMap((items) => items.map((item) => item.id));
  };

  it.each([
    ['an agent by words of its name', 'desk FRONT', ['agent_own']],
    ['an agent by the name it speaks under', 'mia', ['agent_own']],
    ['an agent by its number, however it is grouped', '+1 (555) 010-0001', ['agent_own']],
    ['a prompt by its title', 'remind', ['prompt_own']],
    ['a knowledge base by its name, literally', '100%', ['kb_ws_own']],
    ['conversations by a part of the number, the latest first', '018 8801', ['cnv_ws_own', 'cnv_ws_own_old']],
    ['a conversation by a name among its variables', 'robin o’hara', ['cnv_ws_own']],
    ['a conversation by its id', 'cnv_ws_own_old', ['cnv_ws_own_old']],
    ['nothing by the name of a variable', 'name', []],
    ['nothing of another workspace by its id', 'cnv_ws_foreign', []],
  ])('finds %s', async (_, text, ids) => {
    expect(await found(text)).toEqual(ids);
  });

  it('says which name a conversation was found by', async () => {
    const { conversations } = await runtime.search.find(line.actor, 'robin');
    expect(conversations[0]?.foundName).toBe('Robin O’Hara');
  });

  it('is for every member, and for nobody else', async () => {
    const viewer = await addSignedInMember(runtime, 'ws_own', 'viewer');
    const ask = async (workspaceId: string, q: string) => {
      const request = new Request(
        `http://localhost:3000/api/dashboard/search?${new URLSearchParams({ q })}`,
        {
          headers: { cookie: viewer.cookie, 'x-workspace-id': workspaceId },
        },
      );
      return (await search(request, { params: Promise.resolve({}) })).status;
    };
    expect(await ask('ws_own', 'front')).toBe(200);
    expect(await ask('ws_own', ' x ')).toBe(400);
    expect(await ask('ws_foreign', 'front')).toBe(403);
  });
});
