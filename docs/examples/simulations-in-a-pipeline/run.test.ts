import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { POST } from '#app/api/agents/[agentId]/simulations/route.ts';
import { GET } from '#app/api/agents/[agentId]/simulations/[simulationId]/route.ts';
import { agents } from '#db/schema/agents.ts';
import { addKey } from '#lib/auth/testing.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { scenarioForTest } from '#lib/features/simulations/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { startTestServer } from '#server/testing.ts';

const SCRIPT = new URL('run.mjs', import.meta.url).pathname;
const KEY = 'cw_test_pipeline';

let runtime: TestRuntime;
let line: SeededLine;
let server: Awaited<ReturnType<typeof startTestServer>>;

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true });
  const inboundPrompt = 'You answer the phone for Alpha Dental. A check-up costs 80 euros.';
  line = await seedLine(runtime.db, 'pipeline', { agent: { inboundPrompt } });
  await addKey(runtime, line.actor.workspaceId, KEY);
  server = await startTestServer(runtime, {
    'POST /agents/{agentId}/simulations': POST,
    'GET /agents/{agentId}/simulations/{simulationId}': GET,
  });
});
afterAll(async () => {
  await server.close();
  await runtime.close();
});

async function build(env: Record<string, string> = {}) {
  const settings = { CALLWRIGHT_URL: server.url, CALLWRIGHT_API_KEY: KEY, AGENT_ID: line.agentId };
  const child = spawn(process.execPath, [SCRIPT], { env: { ...process.env, ...settings, ...env } });
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code as number, out: out + errors };
}

it('lets a build go on with a good prompt, and stops it with one that was made worse', async () => {
  await runtime.simulations.scenarios.create(
    line.actor,
    line.agentId,
    scenarioForTest('Asks for the price', {
      caller: { script: [{ say: 'How much is a check-up?', when: null }] },
      criteria: [
        { type: 'said', text: '80 euros' },
        { type: 'judged', sentence: 'The agent was friendly.' },
      ],
    }),
  );
  const good = await build();
  expect(good.out).toMatch(/^not_judged {2}Asks for the price/);
  expect(good.code).toBe(0);
  expect((await build({ STRICT: '1' })).code).toBe(1);

  const inboundPrompt = 'You answer the phone for Alpha Dental.';
  await runtime.db.update(agents).set({ inboundPrompt }).where(eq(agents.id, line.agentId));
  const bad = await build();
  expect(bad.code).toBe(1);
  expect(bad.out).toMatch(/^failed {6}Asks for the price \(worse than the run before\)/);
  expect(bad.out).toContain('human: How much is a check-up?');
  expect((await build({ CALLWRIGHT_API_KEY: 'cw_wrong' })).out).toContain('401 UNAUTHORIZED');
});
