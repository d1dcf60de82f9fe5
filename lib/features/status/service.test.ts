import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as getHealth } from '#app/api/health/route.ts';
import { GET as getOverview } from '#app/api/dashboard/status/route.ts';
import { GET as getReady } from '#app/api/ready/route.ts';
import { calls } from '#db/schema/calls.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import type { ConversationProcesses } from '#lib/conversation-process/processes.ts';
import { createCarrierStates } from '#lib/features/numbers/carriers/service.ts';
import { addSignedInMember, callRoute } from '#lib/auth/testing.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { operations } from '#lib/http/operations.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { parseEnv } from '#lib/env.ts';
import { RELEASE } from '#lib/version.ts';
import type { ServiceStatus } from './contract.ts';
import { createStatusService } from './service.ts';

let runtime: TestRuntime;
const carrierStates = { isOpen: () => true };
beforeAll(async () => {
  runtime = await startTestRuntime();
});
afterAll(async () => {
  await runtime.close();
});

const ask = (handler: typeof getHealth) =>
  handler(new Request('http://localhost/api/x'), { params: Promise.resolve({}) });

type Document = {
  paths: Record<string, Record<string, { responses: Record<string, unknown>; operationId: string }>>;
};

describe('the service about itself', () => {
  it('is healthy and ready without a key', async () => {
    const health = await ask(getHealth);
    expect([health.status, await health.json()]).toEqual([
      200,
      { data: { status: 'ok', ...RELEASE, role: 'all' } },
    ]);
    // The first look, of a machine that is busy, may take longer than a probe waits.
    const ready = async () => {
      const answer = await ask(getReady);
      return [answer.status, await answer.json()];
    };
    await expect
      .poll(ready, { timeout: 10_000 })
      .toEqual([
        200,
        { data: { database: 'ok', queue: 'ok', storage: 'ok', conversations: 'ok', carriers: 'ok' } },
      ]);
  });

  it('is not ready, and names the part, when the storage cannot be reached', async () => {
    const broken = { ...runtime.storage, ready: () => Promise.reject(new Error('unplugged')) };
    const status = createStatusService({ ...runtime, carrierStates, storage: broken });
    await expect(status.ready()).rejects.toMatchObject({ code: 'NOT_READY', message: 'Not ready: storage' });
  });

  it('is not ready before its carriers listen and a process of conversations is up that does not die again and again', async () => {
    const counts = { wanted: 1, ready: 0, steady: 0 };
    const processes = { counts: () => counts } as unknown as ConversationProcesses;
    const sip = { ...runtime.carriers.simulated!, kind: 'sip' as const, listen: async () => {} };
    const states = createCarrierStates(runtime);
    const status = createStatusService({
      ...runtime,
      processes,
      carriers: { ...runtime.carriers, sip },
      carrierStates: states,
    });
    const missing = (names: string[]) => ({ code: 'NOT_READY', details: { missing: names } });
    await expect(status.ready()).rejects.toMatchObject(missing(['conversations', 'carriers']));
    counts.ready = 1;
    states.note('sip', { state: 'failed', reason: 'the port is taken' });
    await expect(status.ready()).rejects.toMatchObject(missing(['conversations', 'carriers']));
    counts.steady = 1;
    states.note('sip', { state: 'registering' });
    expect(await status.ready()).toMatchObject({ conversations: 'ok', carriers: 'ok' });
    await states.stop();
  });

  it('describes its API in a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate(structuredClone(runtime.status.openApi()));
    expect(result).toMatchObject({ valid: true });
    expect(runtime.status.openApi()).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });

  it('describes every public operation with every status it can answer', () => {
    const { paths } = runtime.status.openApi() as Document;
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    const wanted = operations.filter((operation) => !operation.path.startsWith('/dashboard/'));
    expect(described.map((operation) => operation.operationId).sort()).toEqual(
      wanted.map((operation) => operation.id).sort(),
    );
    for (const operation of described) {
      const statuses = Object.keys(operation.responses);
      expect(statuses).toContain('500');
      expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
    }
  });

  it('has unique operation ids and paths', () => {
    const places = operations.map((operation) => `${operation.method} ${operation.path}`);
    expect(new Set(places).size).toBe(places.length);
    expect(new Set(operations.map((operation) => operation.id)).size).toBe(operations.length);
  });
});

describe('the status page', () => {
  it('names the models that are asked where the first ones fail', async () => {
    const { actor } = await seedLine(runtime.db, 'models');
    const { openai } = parseEnv({
      OPENAI_API_KEY: 'sk-test',
      CHAT_MODEL_FALLBACK: 'another-chat',
      TRANSCRIPTION_MODEL_FALLBACK: 'another-ear',
    });
    const status = createStatusService({ ...runtime, carrierStates, env: { ...runtime.env, openai } });
    expect((await status.overview(actor)).models).toMatchObject({
      fallback: 'another-chat',
      transcriptionFallback: 'another-ear',
    });
  });

  it('names the lines that are all in use, of the workspace and of its numbers', async () => {
    const line = await seedLine(runtime.db, 'lines', {
      workspace: { maxConcurrentCalls: 3 },
      number: { maxConcurrentCalls: 2 },
    });
    const { actor, agentId, numberId, number } = line;
    const lines = async () => (await runtime.status.overview(actor)).calls.lines;
    const addCall = (id: string, status: 'queued' | 'in_progress' | 'wrapping_up', isLeased = true) =>
      runtime.db.insert(calls).values({
        id,
        workspaceId: actor.workspaceId,
        agentId,
        phoneNumberId: numberId,
        direction: 'OUTBOUND',
        carrier: 'simulated',
        agentPhoneNumber: number,
        humanPhoneNumber: '+15550109900',
        variables: {},
        usageMonth: '2026-03',
        status,
        statusRank: 3,
        ...(isLeased ? { leaseOwner: 'somebody', leaseUntil: new Date() } : {}),
        dateInitiated: new Date(),
        createdAt: new Date(),
        updatedAt: new Date(),
      });
    await addCall('cnv_lines_1', 'in_progress');
    await addCall('cnv_lines_2', 'wrapping_up');
    await addCall('cnv_lines_3', 'queued', false);
    expect(await lines()).toEqual({ inUse: 1, limit: 3, fullNumbers: [] });
    await addCall('cnv_lines_4', 'in_progress');
    expect(await lines()).toEqual({ inUse: 2, limit: 3, fullNumbers: [{ number, limit: 2 }] });
  });

  it('is for admins, and shows what waits in their workspace alone', async () => {
    const line = await seedLine(runtime.db, 'mine');
    const other = await seedLine(runtime.db, 'theirs');
    const { workspaceId } = other.actor;
    await addEndedCall(runtime.db, {
      id: 'cnv_theirs',
      workspaceId,
      agentId: other.agentId,
      dateInitiated: new Date(),
    });
    await runtime.db.insert(webhookDeliveries).values({
      id: 'whd_theirs',
      workspaceId,
      callId: 'cnv_theirs',
      kind: 'call',
      status: 'pending',
      url: 'https://hooks.example.com',
      createdAt: new Date(Date.now() - 60_000),
    });
    const ask = async (workspace: string, role: 'admin' | 'member') =>
      callRoute<ServiceStatus>(getOverview, {
        as: await addSignedInMember(runtime, workspace, role),
      });
    expect((await ask(line.actor.workspaceId, 'member')).status).toBe(403);
    const mine = await ask(line.actor.workspaceId, 'admin');
    expect(mine.data).toMatchObject({
      role: 'all',
      parts: [
        { name: 'database', problem: null },
        { name: 'queue', problem: null },
        { name: 'storage', problem: null },
        { name: 'conversations', problem: null },
        { name: 'carriers', problem: null },
      ],
      database: { sizeBytes: expect.any(Number) },
      carriers: [{ kind: 'simulated', isSetUp: true, numbers: 1 }],
      webhooks: { open: 0, oldestSeconds: 0 },
    });
    expect(mine.data.disk?.freeBytes).toBeGreaterThan(0);
    const theirs = await ask(workspaceId, 'admin');
    expect(theirs.data.webhooks.open).toBe(1);
    expect(theirs.data.webhooks.oldestSeconds).toBeGreaterThan(50);
  });
});
