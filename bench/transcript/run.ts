import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startService } from '#e2e/support/service.ts';
import { ensureBrowser, headlessBrowser } from '#scripts/browser.ts';
import { median } from '../median.ts';
import { textOf, TURN_COUNT, writeLongCall } from './long-call.ts';

/**
 * `npx node bench/transcript/run.ts [port] [rounds]`: the page of a call of three hours in Chromium, at 1440 without and at 390
 * with a processor four times slower, beside a plain list of the same text in the same run. Prints what the page weighs, when
 * it answers, and the frames over 50 ms while it is scrolled and while the recording plays.
 */
const port = Number(process.argv[2] ?? 4200);
const rounds = Number(process.argv[3] ?? 3);
const LONG_FRAME_MS = 50;
const SCROLL_MS = 6_000;
const PLAY_MS = 10_000;
const PASSWORD = 'a long enough password';
const EMAIL = 'owner@long.test';

const VIEWS = [
  { name: '1440', viewport: { width: 1440, height: 900 }, slower: 1 },
  { name: '390, processor 4 times slower', viewport: { width: 390, height: 844 }, slower: 4 },
] as const;

type Frames = { over50: number; longestMs: number };
type Figures = {
  interactiveMs: number;
  wholeMs: number;
  elements: number;
  scroll: Frames;
  play: Frames | null;
};

/** Runs in the page before its own scripts: keeps the frames that took long, and when the page was last busy. */
function observeFrames(): void {
  const kept: { startMs: number; durationMs: number }[] = [];
  Object.assign(window, { keptFrames: kept });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      kept.push({ startMs: startTime, durationMs: duration });
  }).observe({ type: 'long-animation-frame', buffered: true });
}

type Observed = Window & { keptFrames: { startMs: number; durationMs: number }[] };

/** Frames over 50 ms while something is done. */
async function framesWhile(page: Page, act: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => void ((window as unknown as Observed).keptFrames.length = 0));
  await act();
  // An entry is told after its frame.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  const durations = await page.evaluate(() =>
    (window as unknown as Observed).keptFrames.map(({ durationMs }) => durationMs),
  );
  const long = durations.filter((durationMs) => durationMs > LONG_FRAME_MS);
  return { over50: long.length, longestMs: Math.round(Math.max(0, ...long)) };
}

/** By wheel all the way, then to places far apart, as whoever drags the scroll bar does. */
async function scrollThrough(page: Page): Promise<void> {
  await page.mouse.move(200, 600);
  const until = Date.now() + SCROLL_MS / 2;
  while (Date.now() < until) {
    await page.mouse.wheel(0, 700);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await page.evaluate(async (forMs) => {
    const from = performance.now();
    for (let step = 0; performance.now() - from < forMs; step += 1) {
      window.scrollTo(0, ((step * 37) % 100) * (document.documentElement.scrollHeight / 100));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    window.scrollTo(0, 0);
  }, SCROLL_MS / 2);
}

/** From the middle of the call, with the spoken word marked. */
async function playThrough(page: Page): Promise<void> {
  await page.evaluate((seconds) => {
    const audio = document.querySelector('audio');
    if (!audio) throw new Error('the page has no recording');
    audio.muted = true;
    audio.currentTime = seconds;
  }, 5_400);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.locator('[data-spoken]').waitFor();
  await page.waitForTimeout(PLAY_MS);
  await page.getByRole('button', { name: 'Pause' }).click();
}

/** From the request until the page's scripts run and no frame takes long any more, and until every turn of the call is in it. */
async function timesOf(page: Page, hasScripts: boolean) {
  if (hasScripts) await page.waitForFunction(isHydrated, undefined, { polling: 20 });
  const hydratedMs = await page.evaluate(() => performance.now());
  await page.waitForFunction(
    (count) => document.querySelectorAll('li, [role=listitem]').length >= count,
    TURN_COUNT,
    {
      polling: 50,
      timeout: 60_000,
    },
  );
  const wholeMs = await page.evaluate(() => performance.now());
  await page.waitForTimeout(1_000);
  const busyUntilMs = await page.evaluate(
    (longMs) =>
      (window as unknown as Observed).keptFrames
        .filter(({ durationMs }) => durationMs > longMs)
        .reduce((end, { startMs, durationMs }) => Math.max(end, startMs + durationMs), 0),
    LONG_FRAME_MS,
  );
  return {
    interactiveMs: Math.round(Math.max(busyUntilMs, hasScripts ? hydratedMs : 0)),
    wholeMs: Math.round(wholeMs),
  };
}

function isHydrated(): boolean {
  const button = document.querySelector('button[aria-label="Play"]');
  return button !== null && Object.keys(button).some((key) => key.startsWith('__reactProps'));
}

type Place = { url: string; hasScripts: boolean; signIn?: (page: Page) => Promise<void> };

async function measure(browser: Browser, view: (typeof VIEWS)[number], place: Place): Promise<Figures> {
  const context = await browser.newContext({ viewport: view.viewport });
  await context.addInitScript(observeFrames);
  const page = await context.newPage();
  await place.signIn?.(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: view.slower });
  await page.goto(place.url, { waitUntil: 'commit' });
  const times = await timesOf(page, place.hasScripts);
  const scroll = await framesWhile(page, () => scrollThrough(page));
  const play = place.hasScripts ? await framesWhile(page, () => playThrough(page)) : null;
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  await context.close();
  return { ...times, elements, scroll, play };
}

function plainList(): string {
  const items = Array.from({ length: TURN_COUNT }, (_, index) => `<li>${textOf(index + 1)}</li>`);
  return `<!doctype html><html lang="en"><title>Plain</title><body><ol>${items.join('')}</ol></body></html>`;
}

const summaryOf = (frames: Frames[]) =>
  `${frames.map(({ over50 }) => over50).join(', ')} (longest ${Math.max(...frames.map(({ longestMs }) => longestMs))} ms)`;

const missing = await ensureBrowser((line) => process.stdout.write(`${line}\n`));
if (missing) throw new Error(missing);
const dataDir = await mkdtemp(join(tmpdir(), 'callwright-transcript-'));
const provisionFile = join(dataDir, 'provision.json');
await writeFile(
  provisionFile,
  JSON.stringify({
    workspaces: [
      {
        id: 'ws_long',
        name: 'Long',
        users: [{ email: EMAIL, name: 'Owner', password: PASSWORD, role: 'owner' }],
        agents: [{ id: 'agent_long', name: 'Front desk', inboundPrompt: 'You are Mia.' }],
      },
    ],
  }),
);
const given = { port, dataDir: join(dataDir, 'data'), env: { PROVISION_FILE: provisionFile } };
await (await startService(given)).stop();
const { callId } = await writeLongCall({
  dataDir: given.dataDir,
  workspaceId: 'ws_long',
  agentId: 'agent_long',
});
const service = await startService(given);
const plain = createServer((_, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(plainList());
});
await new Promise<void>((resolve) => plain.listen(port + 1, '127.0.0.1', resolve));
const executablePath = headlessBrowser();
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox', '--disable-background-networking', '--autoplay-policy=no-user-gesture-required'],
});
const path = `/w/ws_long/conversations/${callId}`;
async function signIn(page: Page): Promise<void> {
  const answer = await page.request.post(`${service.url}/api/auth/sign-in/email`, {
    data: { email: EMAIL, password: PASSWORD },
  });
  if (!answer.ok()) throw new Error(await answer.text());
}
try {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page);
  const html = await (await page.request.get(`${service.url}${path}`)).body();
  const kB = (bytes: number) => Math.round(bytes / 1_024);
  process.stdout.write(
    `HTML ${kB(html.length)} kB, compressed ${kB(gzipSync(html).length)} kB; plain list ${kB(plainList().length)} kB\n`,
  );
  await context.close();
  for (const view of VIEWS) {
    const ours: Figures[] = [];
    const floor: Figures[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await measure(browser, view, { url: `${service.url}${path}`, hasScripts: true, signIn }));
      floor.push(await measure(browser, view, { url: `http://127.0.0.1:${port + 1}/`, hasScripts: false }));
    }
    const of = (figures: Figures[], key: 'interactiveMs' | 'wholeMs' | 'elements') =>
      median(figures.map((each) => each[key]));
    process.stdout.write(
      `${view.name}\n` +
        `  answers after      ${of(ours, 'interactiveMs')} ms, plain list ${of(floor, 'interactiveMs')} ms\n` +
        `  every turn after   ${of(ours, 'wholeMs')} ms, plain list ${of(floor, 'wholeMs')} ms; ${of(ours, 'elements')} elements, ${of(floor, 'elements')}\n` +
        `  frames over 50 ms  scrolling ${summaryOf(ours.map(({ scroll }) => scroll))}, plain list ${summaryOf(floor.map(({ scroll }) => scroll))}\n` +
        `                     playing ${summaryOf(ours.flatMap(({ play }) => (play ? [play] : [])))}\n`,
    );
  }
} finally {
  await browser.close();
  plain.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
