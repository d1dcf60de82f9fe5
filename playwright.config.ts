import { defineConfig } from '@playwright/test';
import { BROWSER_ARGUMENTS } from './e2e/support/microphone.ts';
import { PORTS } from './e2e/support/ports.ts';
import { headlessBrowser } from './scripts/browser.ts';

const browser = headlessBrowser();
const cache = 'node_modules/.cache/callwright';
const SOUND = /(live|talk)\.spec\.ts$/;
const STREAMS = /streams\.spec\.ts$/;

/*
 * Two services as a new user gets them, each on a database of its own: one with the demo workspace for the browser,
 * one with two provisioned workspaces and calls as fast as possible for the API.
 */
export default defineConfig({
  testDir: 'e2e',
  fullyParallel: false,
  // Most tests wait for a page or a call: four keep two cores busy.
  workers: 4,
  // On a machine that others use too. What passed only then is named by `npm test`.
  retries: 1,
  // A journey opens several pages, on a machine that others use too.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['line'], ['json', { outputFile: `${cache}/playwright.json` }]],
  outputDir: 'test-results',
  use: {
    // A click that finds nothing fails its test before the test's own time is over.
    actionTimeout: 30_000,
    baseURL: `http://localhost:${PORTS.demo}`,
    viewport: { width: 1440, height: 900 },
    // Nothing is measured by an animation, and drawing them without a graphics card takes most of a core.
    contextOptions: { reducedMotion: 'reduce' },
    // Tracing what passes costs as much time again as the tests.
    trace: 'on-first-retry',
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      // A page lives for seconds: V8 optimized scripts that were not run again (decision 0350).
      args: [...BROWSER_ARGUMENTS, '--js-flags=--no-opt,--no-maglev'],
    },
  },
  projects: [
    // In the whole Chromium, in real time: begun last, they would be all that is still waited for.
    { name: 'sound', testMatch: SOUND, grepInvert: /@nightly/ },
    { name: 'browser', testIgnore: [SOUND, STREAMS], grepInvert: /@nightly/ },
    // Hundreds of calls at once, which would take the machine from the pages and the sound of the others.
    { name: 'streams', testMatch: STREAMS, grepInvert: /@nightly/, dependencies: ['sound', 'browser'] },
    { name: 'nightly', grep: /@nightly/ },
  ],
  webServer: [
    serve(PORTS.demo, {
      E2E_DATA_DIR: `${cache}/e2e-demo`,
      SECURITY_CONTACT: 'mailto:security@example.com',
      WEBHOOK_ALLOWLIST: `127.0.0.1:${PORTS.integration},127.0.0.1:${PORTS.receiver}`,
    }),
    serve(PORTS.api, {
      E2E_DATA_DIR: `${cache}/e2e-api`,
      PROVISION_FILE: 'e2e/support/provision.json',
      SIMULATION_SPEED: '0',
      WEBHOOK_ALLOWLIST: '127.0.0.1:3999',
      RATE_LIMIT_PER_SECOND: '5000',
    }),
  ],
});

function serve(servicePort: number, env: Record<string, string>) {
  return {
    command: 'node e2e/support/serve.ts',
    url: `http://localhost:${servicePort}/api/ready`,
    timeout: 240_000,
    reuseExistingServer: process.env.E2E_REUSE === '1',
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 25_000 },
    env: { ...env, PORT: String(servicePort) },
  };
}
