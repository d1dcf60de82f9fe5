import { expect, test } from '@playwright/test';
import { expectAccessible, expectToFitPhone } from './support/accessibility.ts';
import { signIn } from './support/sign-in.ts';

const TABLE = [
  'Name;Mobile;Months',
  'Ann Lee;+1 (555) 018-6600;14',
  'Bob;unknown;9',
  '"Cy\nDoe";+1 555 018 6600;7',
  'Dee;555 018 6612;8',
].join('\r\n');

const csv = (name: string, text: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`\uFEFF${text}\r\n`),
});

test('a table becomes a campaign: its faults are shown, it is started, paused, resumed and ended', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await signIn(page, '/campaigns');
  await page.getByRole('link', { name: 'New campaign' }).first().click();
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeEnabled();
  await page.getByLabel('Table of people').setInputFiles(csv('broken.csv', 'Name;Mobile\r\n"Ann;1'));
  await expect(page.getByText(/has a quotation mark in line 2 that is never closed/)).toBeVisible();
  await page.getByLabel('Table of people').setInputFiles(csv('march.csv', TABLE));
  await expect(page.getByRole('combobox', { name: 'What Mobile is' })).toContainText('Number');
  await expect(page.getByLabel('Variable for Name', { exact: true })).toHaveValue('name');
  await expect(page.getByText('The first person would hear')).toBeVisible();
  await expect(page.getByText(/Ann Lee/).last()).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Check-ups in March');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check the list' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Check-ups in March' })).toBeVisible();
  const people = page.getByRole('region', { name: 'People of the campaign by their line' });
  await expect(people.getByRole('row').filter({ hasText: 'unknown' })).toContainText(
    'Mobile: It has letters, so it is no phone number.',
  );
  await expect(people.getByRole('row').filter({ hasText: 'Duplicate' })).toContainText('line 2');
  const guessed = people.getByRole('row').filter({ hasText: 'Guessed number' });
  await expect(guessed).toContainText('+1 555 018 6612');
  await expect(guessed).toContainText('United States, is a guess');
  await expectToFitPhone(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Call guessed numbers too' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, call them' }).click();
  await expect(page.getByText('One number is a guess')).toBeHidden();

  await page.getByLabel('Calls a minute').fill('1');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const asked = page.getByRole('alertdialog', { name: 'Call 2 people?' });
  await expect(asked).toContainText('one call a minute');
  await asked.getByRole('button', { name: 'Start campaign' }).click();
  await expect(page.getByText('Running')).toBeVisible();
  await expect(page.getByRole('link', { name: /open the conversation of line 2$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused').first()).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Running')).toBeVisible();
  await expectToFitPhone(page);
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^\S.* \d{4}-\d\d-\d\d\.csv$/);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End campaign' }).click();
  await expect(page.getByText('Cancelled').first()).toBeVisible();

  await page.getByRole('link', { name: /open the conversation of line 2$/ }).click();
  await page.getByRole('link', { name: 'Check-ups in March' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Check-ups in March' })).toBeVisible();
});
