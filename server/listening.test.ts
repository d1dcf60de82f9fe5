import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { POST as ORDER } from '#app/api/dashboard/calls/[callId]/orders/route.ts';
import { GET as AUDIT } from '#app/api/dashboard/audit/route.ts';
import { sessions } from '#db/schema/auth.ts';
import { members } from '#db/schema/workspaces.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { CallWatcher } from '#lib/conversation-process/watchers.ts';
import type { AuditEvent } from '#lib/features/audit/contract.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import {
  LISTENING_REFUSED,
  LISTENING_REVOKED,
  listeningSocketPath,
} from '#lib/features/calls/supervision/contract.ts';
import { createSupervisionService } from '#lib/features/calls/supervision/service.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { createUpgradeHandler } from './web-sockets.ts';

let runtime: TestRuntime;
let line: SeededLine;
let owner: SignedInMember;
let server: Server;
let origin = '';

beforeAll(async () => {
  // Real time: what is heard here is heard as it is spoken.
  runtime = await startTestRuntime({ worker: true, env: { SIMULATION_SPEED: '1' } });
  line = await seedLine(runtime.db, 'live');
  owner = await addSignedInMember(runtime, 'ws_live', 'owner');
  ({ server, origin } = await serve(runtime));
});

afterAll(async () => {
  server.close();
  await runtime.close();
});

async function serve(on: Parameters<typeof createUpgradeHandler>[0]) {
  const opened = createServer().on('upgrade', createUpgradeHandler(on));
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return { server: opened, origin: `127.0.0.1:${(opened.address() as AddressInfo).port}` };
}

it.each(['%E0%A4%A', 'call_1%00'])('refuses the unreadable path of %s as any other request', async (id) => {
  const path = listeningSocketPath(owner.workspaceId, 'ID').replace('ID', id);
  const socket = new WebSocket(`ws://${origin}${path}`);
  const [, response] = await once(socket, 'unexpected-response');
  expect((response as IncomingMessage).statusCode).toBe(400);
  socket.on('error', () => undefined).terminate();
});

/** Somebody calls in, and talks with the agent in real time. */
async function startCall(): Promise<string> {
  const from = parsePhoneNumber('+15550199900');
  const { callId } = await runtime.calls.simulateInbound(line.actor, { to: line.number, from });
  return callId;
}

type Heard = { agent: number; human: number };

/** A browser that listens in; `heard` is the loudest sample of each side until now. */
function listen(as: SignedInMember, callId: string, options: { at?: string; from?: string } = {}) {
  const { at = origin, from = `http://${at}` } = options;
  const socket = new WebSocket(`ws://${at}${listeningSocketPath(as.workspaceId, callId)}`, {
    headers: { cookie: as.cookie, origin: from },
  });
  const heard: Heard = { agent: 0, human: 0 };
  const messages: { type: string; reason?: string }[] = [];
  const both = Promise.withResolvers<Heard>();
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return void messages.push(JSON.parse(data.toString()) as (typeof messages)[number]);
    const samples = new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
    for (const [index, sample] of samples.entries()) {
      const side = index % 2 === 0 ? 'agent' : 'human';
      heard[side] = Math.max(heard[side], Math.abs(sample));
    }
    return heard.agent > 1_000 && heard.human > 1_000 ? both.resolve(heard) : undefined;
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  return { socket, heard, both: both.promise, messages, closed };
}

it.concurrent(
  'lets members hear both sides as they are spoken, until the call is over',
  { timeout: 40_000 },
  async () => {
    const callId = await startCall();
    const [first, second] = [listen(owner, callId), listen(owner, callId)];
    const heard = await first.both;
    await second.both;
    expect(heard.agent).toBeGreaterThan(1_000);
    expect(first.messages).toEqual([{ type: 'listening' }]);
    const ordered = await callRoute(ORDER, { as: owner, params: { callId }, body: { kind: 'end' } });
    expect(ordered.status).toBe(200);
    expect(await first.closed).toBe(1000);
    expect(first.messages.at(-1)).toEqual({ type: 'ended' });
    await second.closed;
    await waitUntil(async () => (await runtime.conversations.getCall(line.actor, callId)).status === 'ended');
    const call = await runtime.conversations.getCall(line.actor, callId);
    expect(call.endReason).toBe('The owner ended the call.');
    expect(call.turns.at(-1)).toMatchObject({ speaker: 'agent', text: 'Thank you for your time. Goodbye.' });
    const audit = await callRoute<{ events: AuditEvent[] }>(AUDIT, {
      as: owner,
      query: { targetId: callId },
    });
    expect(audit.data.events.map(({ action, actorLabel }) => [action, actorLabel])).toEqual([
      ['call.ended', owner.email],
      ['call.listened', owner.email],
      ['call.listened', owner.email],
    ]);
  },
);

it.concurrent(
  'ends for each listener within seconds of losing the right to it',
  { timeout: 40_000 },
  async () => {
    const member = (name: string) => addSignedInMember(runtime, 'ws_live', 'member', `${name}@live.test`);
    const signedOut = await member('out');
    const removed = await member('removed');
    const lowered = await member('lowered');
    const changed = await member('changed');
    const callId = await startCall();
    const all = [signedOut, removed, lowered, changed, owner].map((each) => listen(each, callId));
    await Promise.all(all.map(({ both }) => both));
    const { db } = runtime;
    const membership = (userId: string) =>
      and(eq(members.workspaceId, 'ws_live'), eq(members.userId, userId));
    const revokedAt = performance.now();
    await db.delete(sessions).where(eq(sessions.userId, signedOut.userId));
    await db.delete(members).where(membership(removed.userId));
    await db.update(members).set({ role: 'viewer' }).where(membership(lowered.userId));
    await runtime.auth.setPassword(changed.userId, 'another long password');
    const codes = await Promise.all(all.slice(0, 4).map(({ closed }) => closed));
    expect(codes).toEqual(Array.from({ length: 4 }, () => LISTENING_REVOKED));
    expect(performance.now() - revokedAt).toBeLessThan(6_000);
    expect(all[4]?.socket.readyState).toBe(WebSocket.OPEN);
    all[4]?.socket.close();
    await runtime.supervision.order(line.actor, callId, { kind: 'end' });
  },
);

it("refuses viewers, strangers, other sites' pages and calls without sound, and says why", async () => {
  const viewer = await addSignedInMember(runtime, 'ws_live', 'viewer');
  const other = await seedLine(runtime.db, 'elsewhere');
  const stranger = await addSignedInMember(runtime, other.actor.workspaceId, 'owner');
  const callId = await startCall();
  const refusals = [
    listen(viewer, callId),
    listen(stranger, callId),
    listen({ ...stranger, workspaceId: 'ws_live' }, callId),
    listen({ ...owner, cookie: '' }, callId),
    listen(owner, callId, { from: 'https://evil.example' }),
    listen(owner, 'cnv_none'),
  ];
  expect(await Promise.all(refusals.map(({ closed }) => closed))).toEqual(
    refusals.map(() => LISTENING_REFUSED),
  );
  expect(refusals.map(({ messages }) => messages[0]?.reason)).toEqual([
    'This needs the role member or higher; yours is viewer',
    expect.stringContaining('another workspace'),
    'You are not a member of this workspace',
    'Sign in first',
    'Connections with a session cookie must come from this site',
    expect.stringContaining('Call'),
  ]);
  const fast = { ...runtime.env, simulationSpeed: 20 };
  const tooFast = createSupervisionService({ ...runtime, env: fast });
  expect(await tooFast.listen(line.actor, callId)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('does not run in real time'),
  });
  const watching = { find: async () => undefined };
  const notYet = createSupervisionService({ ...runtime, watching });
  expect(await notYet.listen(line.actor, callId)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('Try again in a moment'),
  });
  await runtime.supervision.order(line.actor, callId, { kind: 'end' });
});

it('lets a listener who takes nothing miss what comes, instead of keeping it', async () => {
  const watchers: CallWatcher[] = [];
  const supervisor = {
    order: () => undefined,
    watch(watcher: CallWatcher) {
      watchers.push(watcher);
      return () => undefined;
    },
  };
  const supervision = { ...runtime.supervision, listen: async () => ({ ok: true as const, supervisor }) };
  const busy = await serve({ ...runtime, supervision });
  const listener = listen(owner, 'cnv_any', { at: busy.origin });
  await once(listener.socket, 'open');
  await waitUntil(async () => listener.messages.length > 0);
  let receivedBytes = 0;
  let hasLast = false;
  listener.socket.on('message', (data: Buffer, isBinary) => {
    receivedBytes += isBinary ? data.length : 0;
    hasLast ||= isBinary && data[0] === 1;
  });
  // An hour of sound in one moment.
  const samples = new Int16Array(3_200);
  for (let block = 0; block < 36_000; block += 1) watchers[0]?.sound?.({ fromMs: block * 100, samples });
  const now = new Int16Array(3_200).fill(0x0101);
  await waitUntil(async () => {
    watchers[0]?.sound?.({ fromMs: 0, samples: now });
    return hasLast;
  });
  expect(receivedBytes).toBeLessThan(20_000_000);
  watchers[0]?.ended?.();
  expect(await listener.closed).toBe(1000);
  busy.server.close();
});

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await runtime.clock.sleep(20);
}
