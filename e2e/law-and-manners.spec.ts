import { expect, test } from '@playwright/test';
import { signIn } from './support/sign-in.ts';

test('numbers are put on the opt-out list by hand and by a pasted list, found, and taken off', async ({
  page,
}) => {
  await signIn(page, '/settings/opt-outs');
  await page.getByRole('button', { name: 'Add number' }).click();
  const adding = page.getByRole('dialog', { name: 'Never call a number again' });
  await adding.getByLabel('Number').fill('nobody');
  await adding.getByRole('button', { name: 'Add number' }).click();
  await expect(adding.getByLabel('Number')).toHaveAttribute('aria-invalid', 'true');
  await adding.getByLabel('Number').fill('+15550187700');
  await adding.getByLabel('Note').fill('Asked by letter');
  await adding.getByRole('button', { name: 'Add number' }).click();
  const row = page.getByRole('row').filter({ hasText: '018 7700' });
  await expect(row).toContainText('Asked by letter');

  await page.getByRole('button', { name: 'Import' }).click();
  const importing = page.getByRole('dialog', { name: 'Import opt-outs' });
  await importing.getByLabel('Numbers').fill('+1 (555) 018-7701\n+15550187700\nsomebody');
  await importing.getByRole('button', { name: 'Import' }).click();
  const result = page.getByRole('dialog', { name: 'Imported' });
  await expect(result).toContainText('One number added. One number on the list before.');
  await expect(result).toContainText('somebody');
  await result.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('searchbox', { name: 'Search the opt-outs' }).fill('018 7701');
  await expect(page.getByRole('row').filter({ hasText: '018 7701' })).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search the opt-outs' }).fill('');

  // The form that places a call is told, in the service's words.
  await page.goto(`${new URL(page.url()).pathname.replace(/settings.*/, '')}calls/new`);
  await page.getByLabel('Call to').fill('+15550187700');
  await page.getByRole('button', { name: 'Place call' }).click();
  await expect(page.getByText(/asked not to be called again/)).toBeVisible();
  await page.goBack();

  await page.getByRole('button', { name: /^Remove .*018 7700/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove from the list' }).click();
  await expect(row).toHaveCount(0);
});
