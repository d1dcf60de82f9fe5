/** @module-tag postgres */
import { expect, it } from 'vitest';
import { openDatabase } from './client.ts';
import type { MigrationStep } from './migration-progress.ts';
import { createServerDatabase } from './testing.ts';

const server = process.env.TEST_DATABASE_URL;

it.skipIf(server === undefined)(
  'tells of each migration that the database did not have, and of none where there is nothing to do',
  async () => {
    const { databaseUrl, drop } = await createServerDatabase(server ?? '', { isEmpty: true });
    const database = await openDatabase({ databaseUrl });
    const stepsTo = async (upTo: number) => {
      const steps: MigrationStep[] = [];
      await database.migrate({ upTo, onMigration: (step) => steps.push(step) });
      return steps.map(({ done, of }) => `${done}/${of}`);
    };
    expect(await stepsTo(2)).toEqual(['0/3', '1/3', '2/3', '3/3']);
    expect(await stepsTo(3)).toEqual(['0/1', '1/1']);
    expect(await stepsTo(3)).toEqual([]);
    await database.close();
    await drop();
  },
);
