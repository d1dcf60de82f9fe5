import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The themes differ in colours only. */
const RULES_IN = { dark: ['color-contrast'], light: RULES };

export const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

let source: Promise<string> | undefined;

/**
 * No violation that axe can find in `within` (a selector; the whole page by default). In the dark theme just the
 * contrast is checked, and of a whole page, which has the colours of what opens on it.
 */
export async function expectAccessible(
  page: Page,
  { within, without = [] }: { within?: string; without?: string[] } = {},
): Promise<void> {
  for (const theme of within ? (['light'] as const) : (['dark', 'light'] as const)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${theme}\\b`));
    expect
      .soft(await violations(page, { theme, within, without }), `${page.url()} in the ${theme} theme`)
      .toEqual([]);
  }
}

/**
 * What axe finds, for a person to read. It is brought into a page once, and tells only what is wrong: describing what
 * is right, with a selector for each element, took longer than looking (decision 0326).
 */
export async function violations(
  page: Page,
  {
    theme,
    within,
    without = [],
  }: { theme: keyof typeof RULES_IN; within?: string | undefined; without?: string[] },
): Promise<string[]> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(await axeSource());
  return page.evaluate(
    async ([selector, runOnly, disabled]) => {
      if (!window.axe) throw new Error('axe is not in the page');
      const found = await window.axe.run(selector ?? document, {
        runOnly,
        rules: Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }])),
        resultTypes: ['violations'],
        // Styles and sounds are loaded again for it, to find sounds that play by themselves: there are none.
        preload: false,
      });
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary ?? ''})`),
      );
    },
    [within, RULES_IN[theme], without] as const,
  );
}

function axeSource(): Promise<string> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return source;
}

/** Nothing scrolls the page sideways on a phone. Leaves the page as wide as it was. */
export async function expectToFitPhone(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESK);
}

/**
 * Collects what the Content-Security-Policy refuses on the pages opened from now on. Look before running axe, which
 * inserts styles of its own.
 */
export async function watchPolicy(page: Page): Promise<string[]> {
  const refused: string[] = [];
  await page.exposeFunction('policyRefused', (what: string) => void refused.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = Reflect.get(window, 'policyRefused') as (what: string) => void;
      report(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
    });
  });
  return refused;
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, 'pixels that the page is too wide').toBeLessThanOrEqual(0);
}
