import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

/**
 * No violation that axe can find in `within` (a selector; the whole page by default). The themes differ in colours only:
 * in the dark one just the contrast is checked, and of a whole page, which has the colours of what opens on it.
 */
export async function expectAccessible(
  page: Page,
  { within, without = [] }: { within?: string; without?: string[] } = {},
): Promise<void> {
  for (const colorScheme of within ? (['light'] as const) : (['dark', 'light'] as const)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
    // There are no frames here; without this, each look opens a page of its own to put frames together.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    if (within) axe.include(within);
    if (colorScheme === 'dark') axe.withRules('color-contrast');
    else axe.withTags(RULES).disableRules(without);
    const { violations } = await axe.analyze();
    const found = violations.flatMap((violation) =>
      violation.nodes.map(
        (node) => `${violation.id}: ${node.target.join(' ')} (${node.failureSummary ?? ''})`,
      ),
    );
    expect(found, `in the ${colorScheme} theme`).toEqual([]);
  }
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
