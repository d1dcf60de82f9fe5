/**
 * What simulated conversations cost in processor time, everything included: engine, person, criteria, embedded database.
 *
 *   node bench/simulations/run.ts [conversations = 200] [modes = text,audio]
 *
 * Without a key, in one process, with a dentist's agent and three kinds of callers. The clock of a busy machine says nothing:
 * what counts is the processor time of a conversation, and from it how many a core of its own would run in a second.
 */
import type { SimulationMode } from '#lib/features/simulations/rules.ts';
import { scenarioForTest } from '#lib/features/simulations/testing.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { startTestRuntime } from '#lib/runtime-testing.ts';

const CONVERSATIONS = Math.min(200, Number(process.argv[2] ?? 200));
const MODES = (process.argv[3] ?? 'text,audio').split(',').map((mode) => (mode === 'audio' ? mode : 'text'));
const PROMPT =
  'You answer the phone for Alpha Dental. Our opening hours are from 8 am to 6 pm, Monday to Friday. A check-up costs 80 euros. You can book appointments.';
const CALLERS = [
  ['I would like an appointment next Tuesday at 3 pm.'],
  ['How much is a check-up?', 'And when are you open?'],
  ['I need to speak to somebody about my bill.', 'It is about my last visit.', 'Then call me back tomorrow.'],
];

const runtime = await startTestRuntime({ worker: true });
const { actor, agentId } = await seedLine(runtime.db, 'bench', { agent: { inboundPrompt: PROMPT } });
for (let index = 0; index < CONVERSATIONS; index += 1) {
  const script = (CALLERS[index % CALLERS.length] ?? []).map((say) => ({ say, when: null }));
  const scenario = scenarioForTest(`Caller ${index}`, {
    caller: { script },
    criteria: [
      { type: 'max_turns', turns: 20 },
      { type: 'not_said', text: 'competitor' },
    ],
  });
  await runtime.simulations.scenarios.create(actor, agentId, scenario);
}

async function measure(mode: SimulationMode, title: string): Promise<void> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const { id: simulationId } = await runtime.simulations.start(actor, agentId, { mode });
  for (;;) {
    const [latest] = await runtime.simulations.list(actor, agentId);
    if (latest?.status === 'completed') break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const used = process.cpuUsage(before);
  const elapsedS = (performance.now() - startedAt) / 1_000;
  const { results, counts } = await runtime.simulations.get(actor, { agentId, simulationId });
  const callS = results.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0) / 1_000;
  const cpuMs = (used.user + used.system) / 1_000;
  console.log(
    `${title}: ${counts.all} conversations of ${(callS / counts.all).toFixed(0)} s, ${counts.passed} passed; ` +
      `${(cpuMs / counts.all).toFixed(1)} ms of processor time each, ${((1_000 * counts.all) / cpuMs).toFixed(1)} a second on a core of its own; ` +
      `${elapsedS.toFixed(1)} s by the clock, ${(callS / elapsedS).toFixed(0)} times as fast as talking`,
  );
}

for (const mode of MODES) {
  await measure(mode, `${mode}, first`);
  await measure(mode, `${mode}, again`);
}
await runtime.close();
