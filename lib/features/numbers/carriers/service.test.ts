import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { createCarrierStates, readCarrierStates } from './service.ts';

let runtime: TestRuntime;
beforeAll(async () => {
  runtime = await startTestRuntime();
});
afterAll(() => runtime.close());

/** A process with carriers, on a clock that is ahead of the others' by so much. */
const process = (aheadMs = 0) =>
  createCarrierStates({
    ...runtime,
    log: runtime.log,
    clock: { ...runtime.clock, now: () => new Date(Date.now() + aheadMs) },
  });

it('what a process tells of its carriers is read by every other, until it stops or is gone', async () => {
  const read = async (aheadMs = 0) =>
    (
      await readCarrierStates(runtime.db, {
        ...runtime.clock,
        now: () => new Date(Date.now() + aheadMs),
      })
    ).get('sip');
  expect(await read()).toBeUndefined();

  const one = process();
  one.note('sip', { state: 'registering' });
  one.note('sip', { state: 'failed', reason: 'The trunk does not register us: 403' });
  one.note('browser', { state: 'listening' });
  await one.flush();
  expect(await read()).toMatchObject({ state: 'failed', reason: 'The trunk does not register us: 403' });

  // Another machine's is better news, whichever was told last.
  const other = process();
  other.note('sip', { state: 'registered' });
  await other.flush();
  one.note('sip', { state: 'failed', reason: 'again' });
  await one.flush();
  expect(await read()).toMatchObject({ state: 'registered', reason: null });
  await other.stop();
  expect(await read()).toMatchObject({ state: 'failed' });

  // One that was killed says nothing any more.
  expect(await read(120_000)).toBeUndefined();
  await one.stop();
  expect(await read()).toBeUndefined();
});
