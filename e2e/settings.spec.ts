import { expect, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, PHONE } from './support/accessibility.ts';
import { authenticate, signIn, signInAs } from './support/sign-in.ts';
import { reload, visit } from './support/visit.ts';

test('an API key is shown once, works, and stops working when revoked', async ({ page }) => {
  await signIn(page, '/settings/keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Booking system');
  // A click beside the dialog keeps what was typed, and later the key, which is shown only this once.
  await page.mouse.click(5, 5);
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('region', { name: 'API key' })).toBeVisible();
  await page.mouse.click(5, 5);
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

test('the workspace form offers the time zones, saves one, and is not left unsaved by accident', async ({
  page,
}) => {
  await signIn(page, '/settings');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  const another = (await zone.textContent())?.includes('Berlin') ? 'Europe/Paris' : 'Europe/Berlin';
  await zone.click();
  await page.getByRole('option', { name: another, exact: true }).click();
  await page.getByLabel('Carrier, per minute').fill('1.5');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
  await reload(page);
  await expect(zone).toContainText(another);
  await expect(page.getByText(`Times of ${another}`).first()).toBeVisible();
  await expect(page.getByLabel('Carrier, per minute')).toHaveValue('1.5');

  await page.getByLabel('Carrier, per minute').fill('3');
  const away = page.getByRole('link', { name: 'Agents' });
  await away.click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(away).toBeFocused();
});

test('a person is added, given another role, sees settings but no buttons that change them, and is removed', async ({
  page,
  browser,
}) => {
  const email = `kim-${Date.now()}@demo.callwright.test`;
  await signIn(page, '/settings/members');
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a person' });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByLabel('E-mail address')).toBeFocused();
  await expect(dialog.getByLabel('E-mail address')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByLabel('E-mail address').fill('not an address');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByLabel('E-mail address')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByLabel('Name').fill('Kim Example');
  await dialog.getByLabel('First password').fill('a long enough password');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(row).toBeVisible();
  await page.getByRole('combobox', { name: 'Role of Kim Example' }).click();
  await page.getByRole('option', { name: /^Viewer/ }).click();
  await expect(page.getByText('Kim Example is viewer now', { exact: true }).first()).toBeVisible();
  const context = await browser.newContext();
  const visitor = await context.newPage();
  const origin = new URL(page.url()).origin;
  await visitor.request.post(`${origin}/api/auth/sign-in/email`, {
    headers: { origin },
    data: { email, password: 'a long enough password' },
  });
  await visit(visitor, `${origin}/w/ws_demo/settings/keys`);
  await expect(visitor.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'New API key' })).toHaveCount(0);
  await expect(visitor.getByRole('link', { name: 'Audit log' })).toHaveCount(0);
  await visit(visitor, `${origin}/w/ws_demo/settings/audit`);
  await expect(visitor.getByText('The audit log is not for your role')).toBeVisible();
  await visit(visitor, `${origin}/w/ws_demo/agents/agent_front_desk`);
  await expect(visitor.getByLabel('Prompt', { exact: true })).toHaveAttribute('readonly', '');
  await expect(visitor.getByRole('button', { name: 'Save changes' })).toHaveCount(0);
  await context.close();

  await page.getByRole('button', { name: 'Remove Kim Example' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
});

test('another session is listed and signed out at once', async ({ page, browser, baseURL }) => {
  // Somebody else's account: the owner's session is shared by other tests.
  const account = { email: `places-${Date.now()}@demo.callwright.test`, password: 'a long enough password' };
  const context = await browser.newContext();
  const other = await context.newPage();
  await authenticate(other);
  const added = await other.request.post('/api/dashboard/members', {
    headers: { origin: baseURL ?? '', 'x-workspace-id': 'ws_demo' },
    data: { ...account, name: 'Many Places', role: 'viewer' },
  });
  expect(added.status()).toBe(201);
  await context.clearCookies();
  await signInAs(other, account, '/settings/account');
  await signInAs(page, account, '/settings/account');
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

test('a click beside a dialog closes it, but not over what was typed', async ({ page }) => {
  await signIn(page, '/settings/tags');
  const opened = page.getByRole('dialog', { name: 'New tag' });
  await page.getByRole('button', { name: 'New tag' }).click();
  await page.mouse.click(5, 5);
  await expect(opened).toBeHidden();
  await page.getByRole('button', { name: 'New tag' }).click();
  await opened.getByLabel('Name').fill('wants_invoice');
  await page.mouse.click(5, 5);
  await expect(opened.getByLabel('Name')).toHaveValue('wants_invoice');
  await page.keyboard.press('Escape');
  await expect(opened).toBeHidden();
});

test('a word of a thousand letters makes no page wider', async ({ page }) => {
  await signIn(page, '/conversations');
  const headers = { 'x-workspace-id': 'ws_demo' };
  const list = await page.request.get('/api/dashboard/calls?limit=1', { headers });
  const { data } = (await list.json()) as { data: { calls: { id: string }[] } };
  const callId = data.calls[0]?.id ?? '';
  const note = await page.request.post(`/api/dashboard/calls/${callId}/notes`, {
    data: { text: 'W'.repeat(1_000) },
    headers,
  });
  expect(note.status()).toBe(201);
  await visit(page, `/w/ws_demo/conversations/${callId}`);
  await expect(page.getByText('WWWWW').first()).toBeVisible();
  for (const size of [{ width: 1440, height: 900 }, PHONE]) {
    await page.setViewportSize(size);
    await expectNoSidewaysScroll(page);
  }
});

test('a retention that deletes nothing yet says so before it is saved', async ({ page }) => {
  await signIn(page, '/settings/retention');
  await page.getByLabel('Delete conversations after (days)').fill('3650');
  await expect(page.getByText('Nothing is that old now.')).toBeVisible();
  await page.getByRole('button', { name: 'Save changes' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Delete what is older?' });
  await expect(asked).toContainText('What gets older is deleted for good from then on.');
  await asked.getByRole('button', { name: 'Cancel' }).click();
});
