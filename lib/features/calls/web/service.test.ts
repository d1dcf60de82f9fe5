import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '#db/schema/calls.ts';
import { webCalls } from '#db/schema/web-calls.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { addWorkspace } from '#lib/auth/testing.ts';
import { CALL_REFUSED, NO_SUCH_CALL } from './contract.ts';

let runtime: TestRuntime;
let actor: Actor;
let stranger: Actor;
let agentId: string;
beforeAll(async () => {
  runtime = await startTestRuntime();
  actor = await addWorkspace(runtime, 'ws_web');
  stranger = await addWorkspace(runtime, 'ws_other');
  agentId = (await runtime.agents.create(actor, { name: 'Front desk' })).id;
});
afterAll(() => runtime.close());

async function prepare(wanted: Parameters<TestRuntime['webCalls']['prepare']>[2] = {}) {
  const prepared = await runtime.webCalls.prepare(actor, agentId, wanted);
  const url = new URL(prepared.webSocketUrl);
  return { ...prepared, path: url.pathname, ticket: url.searchParams.get('ticket') ?? '' };
}

describe('a prepared web call', () => {
  it('is at an address of its own, and no conversation before somebody connects', async () => {
    const call = await prepare();
    expect(call.webSocketUrl).toMatch(/^ws:\/\/localhost:3000\/api\/web-calls\/cnv_\w+\?ticket=\S{20,}$/);
    expect(call.path).toBe(`/api/web-calls/${call.conversationId}`);
    await expect(runtime.conversations.getCall(actor, call.conversationId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it("is refused for another workspace's agent, an unknown one and an unknown prompt", async () => {
    await expect(runtime.webCalls.prepare(stranger, agentId, {})).rejects.toMatchObject({ status: 403 });
    await expect(runtime.webCalls.prepare(actor, 'agent_none', {})).rejects.toMatchObject({ status: 404 });
    await expect(prepare({ outboundPromptId: 'prompt_none' })).rejects.toMatchObject({ status: 404 });
  });

  it('opens to its ticket only', async () => {
    const call = await prepare();
    const other = await prepare();
    for (const ticket of ['', 'wrong', other.ticket])
      expect(await runtime.webCalls.admit(call.conversationId, ticket)).toMatchObject({
        ok: false,
        code: NO_SUCH_CALL,
      });
  });

  it('opens once more while it lasts, and not after its end', async () => {
    const call = await prepare();
    const admit = () => runtime.webCalls.admit(call.conversationId, call.ticket);
    expect(await admit()).toEqual({ ok: true, callId: call.conversationId });
    expect(await admit()).toEqual({ ok: true, callId: call.conversationId });
    await runtime.db.update(calls).set({ status: 'ended' }).where(eq(calls.id, call.conversationId));
    const over = { ok: false, code: NO_SUCH_CALL, reason: 'The call is over' };
    expect(await admit()).toEqual(over);
    // Never written, or deleted since.
    const lost = await prepare();
    const takenAgo = (ms: number) =>
      runtime.db
        .update(webCalls)
        .set({ takenAt: new Date(Date.now() - ms) })
        .where(eq(webCalls.id, lost.conversationId));
    await takenAgo(1_000);
    expect(await runtime.webCalls.admit(lost.conversationId, lost.ticket)).toMatchObject({ ok: true });
    await takenAgo(60_000);
    expect(await runtime.webCalls.admit(lost.conversationId, lost.ticket)).toEqual(over);
  });

  it('says why it cannot begin when the agent was switched off meanwhile', async () => {
    const { id } = await runtime.agents.create(actor, { name: 'Night desk' });
    const prepared = await runtime.webCalls.prepare(actor, id, {});
    await runtime.agents.update(actor, id, { isActive: false });
    const ticket = new URL(prepared.webSocketUrl).searchParams.get('ticket') ?? '';
    expect(await runtime.webCalls.admit(prepared.conversationId, ticket)).toEqual({
      ok: false,
      code: CALL_REFUSED,
      reason: 'The agent is switched off',
    });
    await expect(runtime.webCalls.prepare(actor, id, {})).rejects.toMatchObject({ code: 'AGENT_INACTIVE' });
  });
});
