import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { DEMO_WORKSPACE, signIn } from './support/sign-in.ts';

const whole = (text: string | null | undefined) => Number((text ?? '').replace(/\D/g, ''));

/** Right after the start of the service calls of the demo are still being placed. */
async function untilDemoIsDone(page: Page): Promise<void> {
  await expect(async () => {
    const list = await page.request.get('/api/dashboard/calls?status=live', {
      headers: { 'x-workspace-id': 'ws_demo' },
    });
    expect(((await list.json()) as { data: { liveCount: number } }).data.liveCount).toBe(0);
  }).toPass();
  await page.reload();
}

test('the overview is rendered by the server, and its numbers are those of the lists they lead to', async ({
  page,
}) => {
  await signIn(page, '/overview?days=365');
  await untilDemoIsDone(page);
  const html = await (await page.request.get(`${DEMO_WORKSPACE}/overview?days=365`)).text();
  expect(html).toContain('Answer rate');
  expect(html).toContain('visx-bar');

  const tile = page.getByRole('list', { name: 'Figures of the range' }).getByRole('link', { name: /^Calls/ });
  const calls = whole(await tile.locator('.font-semibold').textContent());
  expect(calls).toBeGreaterThan(0);
  await tile.click();
  await expect(page).toHaveURL(/\/conversations\?tests=without/);
  await expect(page.getByText(new RegExp(`of ${calls} conversations`))).toBeVisible();

  await page.goBack();
  await page.getByRole('button', { name: 'Table of outcomes' }).click();
  const table = page.getByRole('region', { name: 'Outcomes' });
  await expect(table.getByRole('row')).not.toHaveCount(1);
  await expectAccessible(page, { within: 'main' });
  const cell = table.locator('td a').first();
  const count = whole(await cell.textContent());
  await cell.click();
  await expect(page).toHaveURL(/disposition=\w+/);
  await expect(page.getByText(`1–${count} of ${count} conversations`)).toBeVisible();
});

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
