import { expect, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessibility.ts';
import { signIn } from './support/sign-in.ts';

const PHONE = { width: 390, height: 844 };

test('an API key is shown once, works, and stops working when revoked', async ({ page }) => {
  await signIn(page, '/settings/keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByLabel('Name').fill('Booking system');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByRole('region', { name: 'API key' }).textContent())?.trim() ?? '';
  expect(key).toMatch(/^cw_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  const read = () => page.request.get('/api/agents/agent_front_desk', { headers: { 'x-api-key': key } });
  expect((await read()).status()).toBe(200);
  await page.getByRole('button', { name: 'Revoke Booking system' }).first().click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByRole('button', { name: 'Revoke Booking system' })).toHaveCount(0);
  await expect.poll(async () => (await read()).status(), { timeout: 6_000 }).toBe(401);
  await page.getByRole('checkbox', { name: /Show revoked keys/ }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Booking system' }).first()).toContainText('Revoked');
});

test('the workspace form refuses a time zone that does not exist, and saves one that does', async ({
  page,
}) => {
  await signIn(page, '/settings');
  const zone = page.getByLabel('Time zone');
  await zone.fill('Mars/Olympus');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(zone).toHaveAttribute('aria-invalid', 'true');
  await zone.fill('Europe/Berlin');
  await page.getByLabel('Carrier, per minute').fill('1.5');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
  await page.reload();
  await expect(zone).toHaveValue('Europe/Berlin');
  await expect(page.getByLabel('Carrier, per minute')).toHaveValue('1.5');
});

test('the month is a meter against the limit', async ({ page }) => {
  await signIn(page, '/settings/usage');
  const meter = page.getByRole('progressbar', { name: "Minutes of this month's limit" });
  await expect(meter).toHaveAttribute('aria-valuemax', '600');
  expect(Number(await meter.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
});

test('a person is added, given another role, and removed', async ({ page }) => {
  await signIn(page, '/settings/members');
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a person' });
  await dialog.getByLabel('E-mail address').fill('not an address');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByLabel('E-mail address')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('E-mail address').fill('kim@demo.callwright.test');
  await dialog.getByLabel('Name').fill('Kim Example');
  await dialog.getByLabel('First password').fill('a long enough password');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'kim@demo.callwright.test' });
  await expect(row).toBeVisible();
  await page.getByRole('combobox', { name: 'Role of Kim Example' }).click();
  await page.getByRole('option', { name: /^Viewer/ }).click();
  await expect(page.getByText('Kim Example is viewer now', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Remove Kim Example' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
});

test('a viewer sees settings but no buttons that change them', async ({ page, browser }) => {
  await signIn(page, '/settings/members');
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a person' });
  await dialog.getByLabel('E-mail address').fill('viewer@demo.callwright.test');
  await dialog.getByLabel('Name').fill('Val Viewer');
  await dialog.getByLabel('First password').fill('a long enough password');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: /^Viewer/ }).click();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Val Viewer' })).toBeVisible();

  const context = await browser.newContext();
  const visitor = await context.newPage();
  const origin = new URL(page.url()).origin;
  await visitor.request.post(`${origin}/api/auth/sign-in/email`, {
    headers: { origin },
    data: { email: 'viewer@demo.callwright.test', password: 'a long enough password' },
  });
  await visitor.goto(`${origin}/w/ws_demo/settings/keys`);
  await expect(visitor.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'New API key' })).toHaveCount(0);
  await expect(visitor.getByRole('link', { name: 'Audit log' })).toHaveCount(0);
  await visitor.goto(`${origin}/w/ws_demo/agents/agent_front_desk`);
  await expect(visitor.getByLabel('Prompt', { exact: true })).toHaveAttribute('readonly', '');
  await expect(visitor.getByRole('button', { name: 'Save changes' })).toHaveCount(0);
  await context.close();

  await page.getByRole('button', { name: 'Remove Val Viewer' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Val Viewer' })).toHaveCount(0);
});

test('a simulated number is created, assigned and deleted', async ({ page }) => {
  await signIn(page, '/settings/numbers');
  await page.getByRole('button', { name: 'New number' }).click();
  await page.getByLabel('Number', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Create number' }).click();
  await expect(page.getByLabel('Number', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Number', { exact: true }).fill('+15550177001');
  await page.getByRole('button', { name: 'Create number' }).click();
  await page.getByRole('combobox', { name: 'Agent of +15550177001' }).click();
  await page.getByRole('option', { name: 'Patient follow-up' }).click();
  await expect(
    page.getByText('Patient follow-up answers +15550177001', { exact: true }).first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Delete +15550177001' }).click();
  await page.getByRole('button', { name: 'Delete number' }).click();
  await expect(page.getByRole('button', { name: 'Delete +15550177001' })).toHaveCount(0);
});

test('a tag of the workspace is created, edited and removed', async ({ page }) => {
  await signIn(page, '/settings/tags');
  await page.getByRole('button', { name: 'New tag' }).first().click();
  await page.getByLabel('Name').fill('wants invoice');
  await page.getByRole('textbox', { name: 'Rule' }).fill('The caller asked for an invoice.');
  await page.getByRole('button', { name: 'Create tag' }).click();
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Name').fill('asked_for_invoice');
  await page.getByRole('button', { name: 'Create tag' }).click();
  await page.getByRole('button', { name: 'Edit asked_for_invoice' }).click();
  await page.getByRole('textbox', { name: 'Rule' }).fill('The caller asked for a paper invoice.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The caller asked for a paper invoice.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove asked_for_invoice' }).click();
  await page.getByRole('button', { name: 'Remove tag' }).click();
  await expect(page.getByText('asked_for_invoice', { exact: true })).toHaveCount(0);
});

test('another session is listed and signed out at once', async ({ page, browser }) => {
  const context = await browser.newContext();
  const other = await context.newPage();
  await signIn(other, '/settings/account');
  await signIn(page, '/settings/account');
  await expect(page.getByText('This session')).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('button', { name: 'Sign out elsewhere' }).click();
  await expect(page.getByText(/Signed out of \d+ other/).first()).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL(/\/sign-in/);
  await context.close();
});

test('the audit log tells who changed what, and is filtered', async ({ page }) => {
  await signIn(page, '/settings/audit');
  const rows = page.getByRole('region', { name: 'Changes' }).locator('tbody tr');
  await expect(rows.first()).toBeVisible();
  await page.getByRole('combobox', { name: 'What was changed' }).click();
  await page.getByRole('option', { name: 'Documents' }).click();
  await expect(rows.filter({ hasNotText: 'document.' })).toHaveCount(0);
  await expect(rows.first()).toContainText('document.');
});

for (const path of ['', '/usage', '/keys', '/members', '/numbers', '/tags', '/account', '/audit']) {
  test(`the settings page ${path || '/'} is accessible and fits a phone`, async ({ page }) => {
    await signIn(page, `/settings${path}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScroll(page);
  });
}
