import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,components,lib,server,db,scripts,docs}/**/*.test.{ts,tsx}'],
    globalSetup: ['db/testing-setup.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A file carries one with `@module-tag` in a comment at its top, a test with the option `tags`.
    tags: [
      { name: 'postgres', description: 'Races and SQL: run once more on a real PostgreSQL.' },
      { name: 'nightly', description: 'Large or long: `npm run test:nightly`, not part of `npm test`.' },
    ],
  },
});
