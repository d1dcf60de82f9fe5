import type { Page } from '@playwright/test';

/** Opens a page and waits until it answers. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilItAnswers(page);
}

/** Opens the page again and waits until it answers: until then React may have what it streams in the page twice. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await untilItAnswers(page);
}

/**
 * A page is drawn by the server before its scripts have run: React takes over region by region, for some tenths of a
 * second after the load, and a click before that goes to nobody.
 */
export async function untilItAnswers(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('button, input, [role=combobox]')].every((control) =>
      // React's mark on an element that it has taken over.
      Object.keys(control).some((key) => key.startsWith('__reactProps$')),
    ),
  );
}
