import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiKeys } from '#db/schema/keys.ts';
import { openTestDatabase } from '#db/testing.ts';
import type { OpenDatabase } from '#db/client.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { createKeysService } from '#lib/features/keys/service.ts';
import { createLogger } from '#lib/log.ts';
import { manualClock } from '#lib/ports/testing.ts';
import type { Actor } from './actor.ts';
import { formatKey, hasChecksum, isIntact } from './key-format.ts';
import { createKeyRing } from './key-ring.ts';
import { addKey, addWorkspace } from './testing.ts';

let database: OpenDatabase;
let alpha: Actor;
const log = createLogger('silent');

beforeAll(async () => {
  database = await openTestDatabase();
  alpha = await addWorkspace(database, 'ws_alpha');
});

afterAll(() => database.close());

/** One process of the service: a ring and the keys service on it, on a clock shared by all processes. */
function process(clock = manualClock()) {
  const ring = createKeyRing({ db: database.db, clock, log });
  const keys = createKeysService({ db: database.db, clock, ids: systemIds, keyRing: ring });
  return { ring, keys };
}

async function lastUsedAt(keyId: string): Promise<Date | null> {
  const [row] = await database.db
    .select({ at: apiKeys.lastUsedAt })
    .from(apiKeys)
    .where(eq(apiKeys.id, keyId));
  return row?.at ?? null;
}

test(
  'a revoked key stops at once in this process, and within five seconds in every other',
  { tags: ['postgres'] },
  async () => {
    const clock = manualClock();
    const [here, elsewhere] = [process(clock), process(clock)];
    const { key, id } = await here.keys.create(alpha, { name: 'to revoke' });
    expect(await here.ring.find(key)).toMatchObject({ id, workspaceId: 'ws_alpha' });
    expect(await elsewhere.ring.find(key)).toMatchObject({ id });

    await here.keys.revoke(alpha, id);

    expect(await here.ring.find(key)).toBeUndefined();
    await clock.advance(4_900);
    expect(await elsewhere.ring.find(key)).toBeUndefined();
  },
);

test('a key of any text works, three seconds after it was asked for in vain at the latest', async () => {
  const clock = manualClock();
  const { ring } = process(clock);
  expect(await ring.find('cw_test_later')).toBeUndefined();
  await addKey(database, 'ws_alpha', 'cw_test_later');
  await clock.advance(3_000);
  expect(await ring.find('cw_test_later')).toMatchObject({ workspaceId: 'ws_alpha' });
});

test('a look-up from memory takes less than 0.2 ms', async () => {
  const { ring, keys } = process();
  const { key } = await keys.create(alpha, { name: 'fast' });
  await ring.find(key);
  const times: number[] = [];
  for (let round = 0; round < 2_000; round += 1) {
    const startedAt = performance.now();
    await ring.find(key);
    times.push(performance.now() - startedAt);
  }
  // The median: a busy test machine interrupts some of the rounds.
  expect(times.sort((a, b) => a - b)[1_000]).toBeLessThan(0.2);
});

test('a hundred requests at once ask the database once', async () => {
  const { ring, keys } = process();
  const { key } = await keys.create(alpha, { name: 'parallel' });
  const select = vi.spyOn(database.db, 'select');
  const found = await Promise.all(Array.from({ length: 100 }, () => ring.find(key)));
  expect(select).toHaveBeenCalledTimes(1);
  select.mockRestore();
  expect(new Set(found.map((each) => each?.name))).toEqual(new Set(['parallel']));
});

test('guessed keys fill a bounded memory', async () => {
  const empty = {
    select: () => ({ from: () => ({ where: async () => [] }) }),
  } as unknown as OpenDatabase['db'];
  const ring = createKeyRing({ db: empty, clock: manualClock(), log });
  for (let guess = 0; guess < 12_000; guess += 1) await ring.find(`guess ${guess}`);
  expect(ring.size()).toBe(10_000);
});

test('the last use is noted at most once a minute', { tags: ['postgres'] }, async () => {
  const clock = manualClock();
  const { ring, keys } = process(clock);
  const { key, id } = await keys.create(alpha, { name: 'noted' });
  const firstUse = clock.now();
  await ring.find(key);
  await vi.waitFor(async () => expect(await lastUsedAt(id)).toEqual(firstUse));
  await clock.advance(30_000);
  await ring.find(key);
  await clock.advance(31_000);
  const secondUse = clock.now();
  await ring.find(key);
  await vi.waitFor(async () => expect(await lastUsedAt(id)).toEqual(secondUse));
});

test('a key that is used is found even where noting its use fails', async () => {
  const { key, id } = await process().keys.create(alpha, { name: 'read-only database' });
  const failing = {
    select: database.db.select.bind(database.db),
    update: () => ({ set: () => ({ where: async () => Promise.reject(new Error('read-only')) }) }),
  };
  const ring = createKeyRing({ db: failing as unknown as OpenDatabase['db'], clock: manualClock(), log });
  expect(await ring.find(key)).toMatchObject({ id });
});

test('a generated key has a prefix, 32 random bytes and a checksum that sees a typing error', () => {
  const key = formatKey(systemIds.secret);
  expect(key).toMatch(/^cw_live_[\w-]{49}$/);
  expect(isIntact(key)).toBe(true);
  for (let place = 8; place < key.length; place += 1) {
    const other = key[place] === 'x' ? 'y' : 'x';
    expect(isIntact(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
  }
  expect(hasChecksum('cw_test_abc')).toBe(false);
});
