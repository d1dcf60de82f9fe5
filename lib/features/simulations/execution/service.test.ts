import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulationResults } from '#db/schema/simulations.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { scenarioForTest, untilOver } from '../testing.ts';
import { claimResults, MOST_ATTEMPTS } from './repository.ts';

let runtime: TestRuntime;
let line: SeededLine;

// No worker yet: what other processes did to the rows is written by hand.
beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'executed');
  for (const name of ['One', 'Two'])
    await runtime.simulations.scenarios.create(line.actor, line.agentId, scenarioForTest(name));
});
afterAll(() => runtime.close());

const start = () => runtime.simulations.start(line.actor, line.agentId, {});
const read = (simulationId: string) =>
  runtime.simulations.get(line.actor, { agentId: line.agentId, simulationId });
const claim = (owner: string, at: Date, limit = 100) =>
  claimResults(runtime.db, { owner, now: at, until: new Date(at.getTime() + 15_000), limit });

it('takes the first conversations of each simulation before the second ones, and each once', async () => {
  const [first, second] = [await start(), await start()];
  const now = new Date();
  const claimed = await claim('one', now, 2);
  expect(claimed.map(({ simulationId }) => simulationId).toSorted()).toEqual(
    [first.id, second.id].toSorted(),
  );
  expect(await claim('two', now)).toHaveLength(2);
  expect(await claim('three', now)).toEqual([]);
  for (const { id } of [first, second])
    await runtime.simulations.cancel(line.actor, { agentId: line.agentId, simulationId: id });
  expect((await read(first.id)).results.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
});

it('finishes what a dead process left, and says so where it died each time', async () => {
  const { id } = await start();
  const dead = await claim('dead', new Date(Date.now() - 60_000));
  expect(dead.map(({ attempts }) => attempts)).toEqual([1, 1]);
  await runtime.db
    .update(simulationResults)
    .set({ attempts: MOST_ATTEMPTS })
    .where(eq(simulationResults.id, dead[0]?.id ?? ''));
  await runtime.simulations.execution.start();
  await runtime.simulations.execution.look();
  await runtime.simulations.execution.sweep();
  const over = await untilOver(() => read(id));
  expect(over.status).toBe('completed');
  expect(new Set(over.results.map(({ outcome }) => outcome))).toEqual(new Set(['interrupted', 'passed']));
});
