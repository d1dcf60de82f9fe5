import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { CONFIG_READ_BY_NODE, ROOT } from './build.ts';

const run = promisify(execFile);

/** In a process of its own, as the service starts: what was loaded before stays loaded. */
const LOADS_CONFIG = `
  const { default: loadConfig } = require('next/dist/server/config');
  loadConfig('phase-production-server', process.cwd(), { silent: true }).then(({ configFileName, serverExternalPackages }) => {
    const compiler = Object.keys(require.cache).filter((path) => path.includes('/next/dist/build/swc/'));
    console.log(JSON.stringify({ configFileName, serverExternalPackages, compiler }));
  });
`;

it("the configuration is read from TypeScript without Next's compiler", async () => {
  const { stdout, stderr } = await run(process.execPath, ['-e', LOADS_CONFIG], {
    cwd: ROOT,
    env: { ...process.env, ...CONFIG_READ_BY_NODE, NODE_ENV: 'production' },
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    configFileName: 'next.config.ts',
    serverExternalPackages: ['zod'],
    compiler: [],
  });
});
