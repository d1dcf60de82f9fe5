import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,components,lib,server,db,scripts,docs}/**/*.test.{ts,tsx}'],
    globalSetup: ['db/testing-setup.ts'],
    pool: 'forks',
    // A process for each file loads the same modules 118 times: half as much processor time again (decision 0155).
    isolate: false,
    // One more than vitest's own choice. More than 100 % is cut down to that.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A file carries one with `@module-tag` in a comment at its top, a test with the option `tags`.
    tags: [
      { name: 'postgres', description: 'Races and SQL: run once more on a real PostgreSQL.' },
      {
        name: 'phones',
        description: 'Calls with SIPp and baresip, which have to be installed: the check `phones`.',
      },
      { name: 'nightly', description: 'Large or long: `npm run test:nightly`, not part of `npm test`.' },
    ],
  },
});
