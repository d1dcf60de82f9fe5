/** @module-tag postgres */
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase, queryRows } from './client.ts';
import { createPreparedTexts } from './prepared.ts';
import { hasPostgres } from './testing.ts';

describe('which statements are kept prepared', () => {
  it('takes those that come again, not those that come once or twice', () => {
    const isPrepared = createPreparedTexts();
    expect(['a', 'b', 'a', 'a', 'a', 'b'].map((text) => isPrepared(text))).toEqual([
      false,
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it('stays bounded, and keeps what it has, where there is no end to the texts', () => {
    const isPrepared = createPreparedTexts({ most: 2, mostCounted: 10 });
    const ask = (text: string) => [1, 2, 3].map(() => isPrepared(text)).at(-1);
    const answers = Array.from({ length: 50 }, (_, length) => ask(`in (${'?'.repeat(length)})`));
    expect(answers.filter(Boolean)).toHaveLength(2);
    expect(ask('in ()')).toBe(true);
  });
});

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  /** Sends a statement four times, in a transaction and in one within it, and counts how often its connection keeps it. */
  async function useStatement(db: Database): Promise<{ answers: unknown[]; kept: unknown }> {
    return db.transaction(async (tx) => {
      const answers: unknown[] = [];
      for (const number of [1, 2, null]) {
        answers.push(...(await queryRows(tx, sql`select ${number}::int as number`)));
      }
      await tx.transaction(async (inner) => {
        answers.push(...(await queryRows(inner, sql`select ${4}::int as number`)));
      });
      const [row] = await queryRows(
        tx,
        sql`select count(*)::int as kept from pg_prepared_statements where statement like 'select $1::int as number'`,
      );
      return { answers, kept: row?.kept };
    });
  }

  async function openWith(search: string) {
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.search = search;
    return openDatabase({ databaseUrl: url.href });
  }

  it('keeps a statement that comes again, in transactions too, and answers alike', async () => {
    const database = await openWith('');
    try {
      const used = await useStatement(database.db);
      expect(used.answers).toEqual([{ number: 1 }, { number: 2 }, { number: null }, { number: 4 }]);
      expect(used.kept).toBe(1);
    } finally {
      await database.close();
    }
  });

  it('keeps none where the address of the database says so', async () => {
    const database = await openWith('prepare=false');
    try {
      const used = await useStatement(database.db);
      expect(used.answers).toHaveLength(4);
      expect(used.kept).toBe(0);
    } finally {
      await database.close();
    }
  });
});
