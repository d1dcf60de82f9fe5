import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startService } from '#e2e/support/service.ts';
import { demoSecrets, signInAs } from '#e2e/support/sign-in.ts';
import { ensureBrowser, systemBrowser } from './browser.ts';

/**
 * `npm run screenshots`: starts the service with its demo on an empty data folder and takes the pictures of the
 * README, light and dark, into `docs/images`. PORT says where (3230).
 */
const OUT = 'docs/images';
const PORT = Number(process.env.PORT ?? 3230);
const SIZE = { width: 1440, height: 900 };
/** Lossy, but a page of text stays sharp at it, in few bytes. */
const QUALITY = 72;

type Picture = { name: string; path: string; prepare?: (page: Page) => Promise<void> };

const PICTURES: readonly Picture[] = [
  { name: 'conversations', path: '/conversations' },
  {
    name: 'conversation',
    path: '/conversations?disposition=APPOINTMENT_BOOKED',
    async prepare(page) {
      await page.locator('tbody tr').first().getByRole('link').click();
      const position = page.getByRole('slider', { name: 'Position in the recording' });
      await position.locator('canvas').first().waitFor();
      await page
        .getByRole('button', { name: /^Play from/ })
        .nth(2)
        .click();
      await page.getByRole('button', { name: 'Pause' }).click();
    },
  },
  {
    name: 'voice-card',
    path: '/agents/agent_front_desk/voice-card',
    prepare: (page) => page.getByTestId('preview-opening').waitFor(),
  },
  {
    name: 'place-call',
    path: '/calls/new',
    async prepare(page) {
      await page.getByLabel('name', { exact: true }).fill('Robin');
      await page.getByLabel('months').fill('14');
      await page.getByRole('button', { name: 'Place call' }).click();
      await page.getByRole('link', { name: 'Open conversation' }).waitFor({ timeout: 60_000 });
    },
  },
];

async function take(browser: Browser, service: { url: string; dataDir: string }, scheme: 'light' | 'dark') {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: SIZE,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  for (const { name, path, prepare } of PICTURES) {
    const page = await context.newPage();
    await signInAs(page, await demoSecrets(service.dataDir), path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await prepare?.(page);
    await page.waitForLoadState('networkidle').catch(() => undefined);
    // Filling in a form may have scrolled its heading away.
    await page.evaluate(() => window.scrollTo(0, 0));
    const file = `${OUT}/${name}-${scheme}.jpg`;
    await page.screenshot({ path: file, type: 'jpeg', quality: QUALITY });
    process.stdout.write(`${file} ${Math.round((await stat(file)).size / 1024)} kB\n`);
    await page.close();
  }
  await context.close();
}

/** The demo's conversations are held after the start; `demo.json` says when the last one has ended. */
async function demoIsComplete(): Promise<void> {
  const deadline = Date.now() + 180_000;
  while (Date.now() < deadline) {
    const { complete } = (await demoSecrets(dataDir)) as { complete?: boolean };
    if (complete) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error('the demo did not become complete within three minutes');
}

const missing = await ensureBrowser((line) => process.stdout.write(`${line}\n`));
if (missing) throw new Error(missing);
await mkdir(OUT, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), 'callwright-screenshots-'));
const service = await startService({ port: PORT, dataDir });
await demoIsComplete();
const executablePath = systemBrowser();
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox', '--disable-background-networking', '--autoplay-policy=no-user-gesture-required'],
});
try {
  for (const scheme of ['light', 'dark'] as const) await take(browser, { url: service.url, dataDir }, scheme);
} finally {
  await browser.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
