import { expect, test } from '@playwright/test';
import { signIn } from './support/sign-in.ts';
import { reload } from './support/visit.ts';

test.describe('placing a call', () => {
  test('fills the prompt, calls a simulated person and watches it happen', async ({ page }) => {
    await signIn(page, '/calls/new');
    await page.getByRole('combobox', { name: 'Prompt' }).click();
    await page.getByRole('option', { name: 'Check-up reminder' }).click();
    await page.getByRole('button', { name: 'Choose a person' }).click();
    await page.getByRole('menuitem', { name: /Agrees on a definite day and time/ }).click();
    await page.getByLabel('name', { exact: true }).fill('Robin');
    await page.getByLabel('months').fill('14');
    await expect(
      page.getByText('Hello Robin, this is Mia from Harbor Dental. Your last check-up was 14 months ago.'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Place call' }).click();

    const call = page.getByRole('region', { name: 'The call' });
    await expect(call).toBeVisible();
    await expect(call.getByRole('list', { name: 'Transcript' })).toContainText('Hello Robin', {
      timeout: 30_000,
    });
    await expect(call.getByText('Appointment booked').first()).toBeVisible({ timeout: 45_000 });
    await call.getByRole('link', { name: 'Open conversation' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^Call to/ })).toBeVisible();
    await expect(page.getByText('Robin', { exact: true })).toBeVisible();

    await page.getByRole('link', { name: 'Call again' }).click();
    await expect(page.getByLabel('name', { exact: true })).toHaveValue('Robin');
    await expect(page.getByLabel('months')).toHaveValue('14');
    expect(page.url()).not.toContain('Robin');
  });

  test('shows the command that does the same, and refuses what is no number in words beside the field', async ({
    page,
  }) => {
    await signIn(page, '/calls/new');
    await page.getByLabel('Call to').fill('+15550188802');
    await page.getByLabel('name', { exact: true }).fill("O'Neil");
    const command = page.getByRole('region', { name: 'API call' });
    await expect(command).toContainText('/api/outbound');
    await expect(command).toContainText('"to": "+15550188802"');
    await expect(command).toContainText(`O'\\''Neil`);
    await page.getByLabel('months').fill('many');
    await expect(page.getByText('Is compared with a number, so it must be one')).toBeVisible();
    await page.getByLabel('Call to').fill('(555) 018-8803');
    await expect(page.getByText(/^Read as \+1 555 018 8803\./)).toBeVisible();
    await expect(command).toContainText('"to": "+15550188803"');
    await page.getByLabel('Call to').fill('06641234501');
    await page.getByRole('button', { name: 'Place call' }).click();
    await expect(page.getByText('It is no phone number of this country: United States.')).toBeVisible();
    await expect(page.getByLabel('Call to')).toHaveAttribute('aria-invalid', 'true');
  });

  test('simulates an inbound call, and keeps following it after a reload', async ({ page }) => {
    await signIn(page, '/calls/new');
    await page.getByRole('tab', { name: 'Simulate an inbound call' }).click();
    await page.getByRole('button', { name: 'Simulate the call' }).click();
    await expect(page).toHaveURL(/call=cnv_/);
    await reload(page);
    const call = page.getByRole('region', { name: 'The call' });
    await expect(call.getByRole('link', { name: 'Open conversation' })).toBeVisible({ timeout: 45_000 });
    await expect(call.getByText(/^Call from/)).toBeVisible();
  });
});
