import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '#db/schema/calls.ts';
import { webCalls } from '#db/schema/web-calls.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { POST as PREPARE } from '#app/api/agents/[agentId]/web-calls/route.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { addSignedInMember, addWorkspace, callRoute } from '#lib/auth/testing.ts';
import { CALL_REFUSED, NO_SUCH_CALL, type PreparedWebCall } from './contract.ts';
import { readTicket } from './rules.ts';

const PAGE = 'http://localhost:3000';

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

const admit = (callId: string, ticket: string, origin?: string) =>
  runtime.webCalls.admit(callId, { ticket, origin });

/** The ticket with which a connection that is let in comes back. */
async function open(callId: string, ticket: string, origin?: string): Promise<string> {
  const admission = await admit(callId, ticket, origin);
  if (!admission.ok) throw new Error(admission.reason);
  return admission.nextTicket;
}

describe('a prepared web call', () => {
  it('is at an address of its own, and no conversation before somebody connects', async () => {
    const call = await prepare();
    expect(call.webSocketUrl).toMatch(/^ws:\/\/localhost:3000\/api\/web-calls\/cnv_\w+\?ticket=\S{20,}$/);
    expect(call.path).toBe(`/api/web-calls/${call.conversationId}`);
    expect(call.webSocket.url).toBe(`ws://localhost:3000${call.path}`);
    expect(readTicket(call.webSocket.protocols.join(', '), new URLSearchParams())).toBe(call.ticket);
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
      expect(await admit(call.conversationId, ticket)).toMatchObject({
        ok: false,
        code: NO_SUCH_CALL,
      });
  });

  it('opens once more with the ticket that each connection is given, and not after its end', async () => {
    const call = await prepare();
    const first = await open(call.conversationId, call.ticket);
    const second = await open(call.conversationId, first);
    const third = await open(call.conversationId, second);
    for (const used of [call.ticket, first, second])
      expect(await admit(call.conversationId, used)).toMatchObject({ ok: false, code: NO_SUCH_CALL });
    await runtime.db.update(calls).set({ status: 'ended' }).where(eq(calls.id, call.conversationId));
    const over = { ok: false, code: NO_SUCH_CALL, reason: 'The call is over' };
    expect(await admit(call.conversationId, third)).toEqual(over);
    // Never written, or deleted since.
    const lost = await prepare();
    const takenAgo = (ms: number) =>
      runtime.db
        .update(webCalls)
        .set({ takenAt: new Date(Date.now() - ms) })
        .where(eq(webCalls.id, lost.conversationId));
    await takenAgo(1_000);
    const next = await open(lost.conversationId, lost.ticket);
    await takenAgo(60_000);
    expect(await admit(lost.conversationId, next)).toEqual(over);
  });

  it('is taken by one of several connections that come with its ticket at once', async () => {
    const call = await prepare();
    const several = () =>
      Promise.all(Array.from({ length: 5 }, () => admit(call.conversationId, call.ticket)));
    expect((await several()).filter(({ ok }) => ok)).toHaveLength(1);
    const lost = await prepare();
    const next = await open(lost.conversationId, lost.ticket);
    const back = await Promise.all(Array.from({ length: 5 }, () => admit(lost.conversationId, next)));
    expect(back.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('belongs to the page for which it was prepared, or that began it', async () => {
    const refused = { ok: false, code: CALL_REFUSED, reason: 'The call was prepared for another page' };
    const named = await prepare({ origin: 'https://shop.example' });
    for (const origin of ['https://evil.example', undefined])
      expect(await admit(named.conversationId, named.ticket, origin)).toEqual(refused);
    expect(await admit(named.conversationId, named.ticket, 'https://shop.example')).toMatchObject({
      ok: true,
    });
    const unnamed = await prepare();
    const next = await open(unnamed.conversationId, unnamed.ticket, 'https://shop.example');
    expect(await admit(unnamed.conversationId, next, 'https://evil.example')).toEqual(refused);
    await open(unnamed.conversationId, next, 'https://shop.example');
  });

  it('that is prepared in a browser belongs to its page', async () => {
    const member = await addSignedInMember(runtime, 'ws_web', 'owner');
    const { data } = await callRoute<PreparedWebCall>(PREPARE, {
      as: member,
      params: { agentId },
      headers: { origin: PAGE },
      body: {},
    });
    const ticket = readTicket(data.webSocket.protocols.join(), new URLSearchParams());
    expect(await admit(data.conversationId, ticket, 'https://evil.example')).toMatchObject({ ok: false });
    expect(await admit(data.conversationId, ticket, PAGE)).toMatchObject({ ok: true });
  });

  it('says why it cannot begin when the agent was switched off meanwhile', async () => {
    const { id } = await runtime.agents.create(actor, { name: 'Night desk' });
    const prepared = await runtime.webCalls.prepare(actor, id, {});
    await runtime.agents.update(actor, id, { isActive: false });
    const ticket = new URL(prepared.webSocketUrl).searchParams.get('ticket') ?? '';
    expect(await admit(prepared.conversationId, ticket)).toEqual({
      ok: false,
      code: CALL_REFUSED,
      reason: 'The agent is switched off',
    });
    await expect(runtime.webCalls.prepare(actor, id, {})).rejects.toMatchObject({ code: 'AGENT_INACTIVE' });
  });
});
