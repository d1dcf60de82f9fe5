import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '#db/client.ts';
import { users } from '#db/schema/auth.ts';
import { openTestDatabase } from '#db/testing.ts';
import { describeError } from './log.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const failureOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => describeError(error),
  );

describe('a failed query in the log', () => {
  test('has its SQLSTATE and statement, and none of its values', async () => {
    const told = await failureOf(
      database.db.execute(sql`select id from calls where date_initiated > ${'secret-moment'}::timestamptz`),
    );
    expect(told).toMatch(/^Query failed: select calls, SQLSTATE 22007\n\s+at /);
    expect(told).not.toContain('secret-moment');
  });

  test('names the constraint that refused it, not the row', async () => {
    const user = {
      id: 'usr_1',
      email: 'who@alpha.test',
      name: 'Secret Name',
      emailVerified: true,
      createdAt: new Date(0),
      updatedAt: new Date(0),
    };
    await database.db.insert(users).values(user);
    const told = await failureOf(database.db.insert(users).values({ ...user, id: 'usr_2' }));
    expect(told).toMatch(/^Query failed: insert users, SQLSTATE 23505, users_email\w*\n/);
    expect(told).not.toMatch(/who@alpha|Secret Name/);
  });
});

test('another error keeps its message, its causes and its place', () => {
  const told = describeError(new Error('the voice failed', { cause: new TypeError('no such voice') }));
  expect(told).toMatch(/^Error: the voice failed, TypeError: no such voice\n\s+at /);
  expect(describeError('a word')).toBe('a word');
});
