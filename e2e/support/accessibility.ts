import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** No violation that axe can find, in the light and in the dark theme, and nothing that scrolls the page sideways. */
export async function expectAccessible(
  page: Page,
  { without = [] }: { without?: string[] } = {},
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).disableRules(without).analyze();
    const found = violations.flatMap((violation) =>
      violation.nodes.map(
        (node) => `${violation.id}: ${node.target.join(' ')} (${node.failureSummary ?? ''})`,
      ),
    );
    expect(found, `in the ${colorScheme} theme`).toEqual([]);
  }
  await expectNoSidewaysScroll(page);
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
