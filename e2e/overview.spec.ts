import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { DEMO_WORKSPACE, signIn } from './support/sign-in.ts';
import { visit } from './support/visit.ts';

const whole = (text: string | null | undefined) => Number((text ?? '').replace(/\D/g, ''));

test('the overview is rendered by the server, and its numbers are those of the lists they lead to', async ({
  page,
}) => {
  await signIn(page, '/overview?days=365');
  await expect(page.getByRole('link', { name: 'Talk to your agent' })).toHaveAttribute(
    'href',
    /\/agents\/[^/]+\/talk$/,
  );
  const html = await (await page.request.get(`${DEMO_WORKSPACE}/overview?days=365`)).text();
  expect(html).toContain('Answer rate');
  expect(html).toContain('visx-bar');

  const tile = page.getByRole('list', { name: 'Figures of the range' }).getByRole('link', { name: /^Calls/ });
  await expectTheSame(page, tile, tile.locator('.font-semibold'));
  await expect(page).toHaveURL(/\/conversations\?tests=without/);

  await visit(page, `${DEMO_WORKSPACE}/overview?days=365`);
  const openTable = () => page.getByRole('button', { name: 'Table of outcomes' }).click();
  await openTable();
  const table = page.getByRole('region', { name: 'Outcomes' });
  await expect(table.getByRole('row')).not.toHaveCount(1);
  await expectAccessible(page, { within: 'main' });
  const cell = table.locator('td a').first();
  await expectTheSame(page, cell, cell, openTable);
  await expect(page).toHaveURL(/disposition=\w+/);
});

/** Where calls of other tests end meanwhile, the two are compared again. */
async function expectTheSame(page: Page, link: Locator, figure: Locator, open = async () => {}) {
  const overview = page.url();
  await expect(async () => {
    if (page.url() !== overview) {
      await visit(page, overview);
      await open();
    }
    const count = whole(await figure.textContent());
    expect(count).toBeGreaterThan(0);
    await link.click();
    await expect(page.getByText(new RegExp(`of ${count} conversations`))).toBeVisible({ timeout: 5_000 });
  }).toPass();
}

test('range and agent of the overview stand in the address, and days without conversations say so', async ({
  page,
}) => {
  await signIn(page, '/overview?from=nonsense&days=7');
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await page.getByLabel('From', { exact: true }).fill('2001-01-05');
  await page.getByLabel('To', { exact: true }).fill('2001-01-01');
  await expect(page.getByText('Before the first day')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('2001-01-31');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/from=2001-01-05&to=2001-01-31/);
  await expect(page.getByText('No conversations in these days')).toBeVisible();
  await page.getByRole('combobox', { name: 'Agent' }).click();
  await page.getByRole('option', { name: 'Front desk' }).click();
  await expect(page).toHaveURL(/agentId=agent_front_desk/);
  await page.getByRole('button', { name: /Jan 5/ }).click();
  await page.getByRole('button', { name: 'Last 365 days' }).click();
  await expect(page).toHaveURL(/days=365/);
  await expect(page.getByRole('region', { name: 'Agents' }).getByRole('row')).toHaveCount(2);
});
