import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,components,lib,server,db,scripts,docs}/**/*.test.{ts,tsx}'],
    globalSetup: ['db/testing-setup.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
