import { defineConfig } from '@playwright/test';
import { systemBrowser } from './scripts/browser.ts';

const port = Number(process.env.E2E_PORT ?? 3210);
const browser = systemBrowser();

/** The browser tests: the built service on a database of its own, with the demo workspace, as a new user gets it. */
export default defineConfig({
  testDir: 'e2e',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['line'], ['json', { outputFile: 'node_modules/.cache/callwright/playwright.json' }]],
  outputDir: 'test-results',
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
    },
  },
  webServer: {
    command: 'node e2e/support/serve.ts',
    url: `http://localhost:${port}/api/ready`,
    timeout: 180_000,
    reuseExistingServer: process.env.E2E_REUSE === '1',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: { PORT: String(port), E2E_DATA_DIR: 'node_modules/.cache/callwright/e2e-data' },
  },
});
