import { expect, it } from 'vitest';
import { startSharedClock } from './shared-clock.ts';

/** A database whose time is set by hand, and a process whose monotonic clock is. */
function parts() {
  let nowMs = 1_000;
  let databaseMs = Date.UTC(2026, 5, 1);
  const monotonic = { nowMs: () => nowMs, sleep: async () => {} };
  const pass = (ms: number) => {
    nowMs += ms;
    databaseMs += ms;
  };
  return {
    monotonic,
    pass,
    setDatabase: (ms: number) => (databaseMs = ms),
    ask: async () => databaseMs,
    databaseMs: () => databaseMs,
  };
}

it('tells the time of the database, whatever the clock of the machine says', async () => {
  const { monotonic, pass, ask, databaseMs } = parts();
  const clock = await startSharedClock(ask, { monotonic, everyMs: 1_000_000 });
  expect(clock.now().getTime()).toBe(databaseMs());
  pass(90_000);
  expect(clock.now().getTime()).toBe(databaseMs());
});

it('follows a database whose time was set, and runs on while it does not answer', async () => {
  const { monotonic, pass, setDatabase, ask, databaseMs } = parts();
  let isAway = false;
  const asked = async () => (isAway ? Promise.reject(new Error('away')) : ask());
  const clock = await startSharedClock(asked, { monotonic, everyMs: 1 });
  setDatabase(Date.UTC(2026, 5, 2));
  await expect.poll(() => clock.now().getTime()).toBe(Date.UTC(2026, 5, 2));
  isAway = true;
  pass(5_000);
  expect(clock.now().getTime()).toBe(databaseMs());
});
