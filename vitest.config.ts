import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that start and kill processes: begun last, they would be all that is still waited for. */
const LONG = /(chaos|crash|restoring|several-processes|carrier-calls|listening|once)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = (file: TestSpecification) => LONG.test(file.moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** A third of the time in which a process of a test loads the service, and those it starts (docs/decisions/0351). */
const RESOLVE_MODULES = `--import=${new URL('./server/resolve-modules.ts', import.meta.url).href}`;

export default defineConfig({
  test: {
    execArgv: [RESOLVE_MODULES],
    env: { NODE_OPTIONS: RESOLVE_MODULES },
    include: ['{app,components,lib,server,db,scripts,docs}/**/*.test.{ts,tsx}'],
    globalSetup: ['db/testing-setup.ts'],
    pool: 'forks',
    // A process for each file loads the same modules 118 times: half as much processor time again (decision 0155).
    isolate: false,
    // Node strips the types itself, as in the service: nothing is transformed, and what was compiled is kept. No test can
    // load a .tsx (decision 0329).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Tests wait for a third of their time: one more than two cores.
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
