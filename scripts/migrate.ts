import { migrate, readCommandEnv, runCommand, say } from './installation.ts';

/*
 * `npm run migrate` brings the database that the environment names to this release, and ends: for a Job before the rollout.
 * The service does the same when it starts; where there is nothing left to do, it starts at once.
 */
await runCommand(async () => {
  const steps = await migrate(readCommandEnv());
  say(
    steps === 0 ? 'The database is that of this release already.' : `Migrated the database: ${steps} steps.`,
  );
});
