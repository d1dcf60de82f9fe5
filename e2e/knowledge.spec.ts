import { expect, test, type Page } from '@playwright/test';
import { signIn } from './support/sign-in.ts';
import { reload } from './support/visit.ts';

async function createBase(page: Page, name: string): Promise<void> {
  await signIn(page, '/knowledge');
  await page.getByRole('button', { name: 'New knowledge base' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New knowledge base' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Description').fill('Made by a test.');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const uploads = (page: Page) => page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');

test('many files are uploaded at once, each with its own result', async ({ page }) => {
  await createBase(page, 'Many files');
  await page
    .getByLabel('Files to upload')
    .setInputFiles([
      file('parking.txt', 'Visitors park behind the house, in the yellow bays.'),
      file('broken.json', '{ "open": '),
      file('photo.png', 'not a document'),
      file('empty.md', ''),
    ]);
  await expect(uploads(page).filter({ hasText: 'parking.txt' })).toContainText('1 chunk indexed');
  await expect(uploads(page).filter({ hasText: 'photo.png' })).toContainText('is not supported');
  await expect(uploads(page).filter({ hasText: 'empty.md' })).toContainText('The file is empty');
  const documents = page.getByRole('region', { name: 'Documents' });
  await expect(documents.getByRole('row').filter({ hasText: 'parking.txt' })).toContainText('Ready');
  const failed = documents.getByRole('row').filter({ hasText: 'broken.json' });
  await expect(failed).toContainText('Failed');
  await expect(failed.getByRole('button', { name: 'Process broken.json again' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear finished' }).click();
  await expect(uploads(page)).toHaveCount(0);
});

test('a file that did not arrive is sent again, and uploads are not left by accident', async ({ page }) => {
  await createBase(page, 'Lost upload');
  const lost = Promise.withResolvers<void>();
  const isUpload = (url: URL) => url.pathname.endsWith('/documents');
  await page.route(isUpload, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await lost.promise;
    return route.abort();
  });
  await page.getByLabel('Files to upload').setInputFiles([file('bays.txt', 'Visitors park in the bays.')]);
  await expect(page.getByText('0 of 1 file done')).toBeVisible();
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await page
    .getByRole('alertdialog', { name: 'Leave while files are uploaded?' })
    .getByRole('button', { name: 'Cancel' })
    .click();

  lost.resolve();
  await expect(page.getByText('1 of 1 file done, 1 failed')).toBeVisible();
  await page.unroute(isUpload);
  await page.getByRole('button', { name: 'Upload bays.txt again' }).click();
  await expect(uploads(page)).toContainText('1 chunk indexed');
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible();
});

test('a file of a name that is there replaces the older one or stands beside it, as it is told', async ({
  page,
}) => {
  await createBase(page, 'Twice the same');
  const choose = (...files: ReturnType<typeof file>[]) =>
    page.getByLabel('Files to upload').setInputFiles(files);
  const rows = page.getByRole('region', { name: 'Documents' }).getByRole('row').filter({ hasText: 'TXT' });
  await choose(file('bays.txt', 'Visitors park in the yellow bays.'));
  await expect(uploads(page)).toContainText('1 chunk indexed');
  await page.getByRole('button', { name: 'Clear finished' }).click();

  await choose(file('bays.txt', 'Visitors park in the green bays.'));
  await expect(uploads(page)).toContainText('A document of this name is here, uploaded');
  await page.getByRole('button', { name: 'Replace it' }).click();
  await expect(uploads(page)).toContainText('1 chunk indexed, the older one deleted');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Extracted text' })).toContainText('green bays');
  await page.getByRole('link', { name: 'Twice the same' }).click();

  await choose(file('bays.txt', 'Visitors park in the blue bays.'));
  await page.getByRole('button', { name: 'Keep both' }).click();
  await expect(uploads(page)).toContainText('1 chunk indexed');
  await expect(rows).toHaveCount(2);

  // What cannot be read replaces nothing.
  await choose(file('bays.txt', ' '));
  await page.getByRole('button', { name: 'Replace all 2' }).click();
  await expect(page.getByText('2 of 2 files done, 1 failed')).toBeVisible();
  await expect(rows).toHaveCount(3);
});

test('a document is added where the agent is, to a knowledge base made for it', async ({ page }) => {
  await signIn(page, '/agents');
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Porter');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Porter' })).toBeVisible();
  await page.getByRole('link', { name: 'Knowledge', exact: true }).last().click();
  await page.getByRole('button', { name: 'New knowledge base' }).click();
  const dialog = page.getByRole('dialog', { name: 'New knowledge base' });
  await dialog.getByLabel('Name').fill('What the porter knows');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('checkbox', { name: 'What the porter knows' })).toBeChecked();
  await page.getByLabel('Files to upload').setInputFiles([file('keys.txt', 'Keys hang behind the door.')]);
  await expect(uploads(page)).toContainText('1 chunk indexed');
  await page.getByRole('searchbox', { name: 'Question' }).fill('Where do the keys hang?');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'behind the door' })).toBeVisible();
});

test('a file can be dropped, found by a question, looked into and deleted', async ({ page }) => {
  await createBase(page, 'Dropped file');
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(
      new File(['# Wi-Fi\n\nThe guest network is called Heron.'], 'guests.md', { type: 'text/markdown' }),
    );
    return transfer;
  });
  await page.getByText('Drop documents here').dispatchEvent('drop', { dataTransfer: data });
  await expect(uploads(page).filter({ hasText: 'guests.md' })).toContainText('indexed');

  await page.getByRole('searchbox', { name: 'Question' }).fill('What is the guest network called?');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const hit = page.getByRole('listitem').filter({ hasText: 'Heron' });
  await expect(hit).toContainText('By words');
  await expect(page.getByRole('status').filter({ hasText: '1 result among 1 chunk' })).toBeVisible();
  await hit.getByRole('link', { name: 'guests.md' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'guests.md' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Extracted text' })).toContainText('Heron');
  await page.getByRole('tab', { name: 'Chunks' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('The guest network is called Heron.');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('guests.md');

  await page.getByRole('button', { name: 'Delete guests.md' }).click();
  await page.getByRole('button', { name: 'Delete document' }).click();
  await expect(page.getByText('No documents yet')).toBeVisible();
});

test('a knowledge base is renamed, attached to an agent and deleted', async ({ page }) => {
  await createBase(page, 'Short lived');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Short lived base');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Short lived base' })).toBeVisible();

  await page.getByRole('checkbox', { name: 'Patient follow-up' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0);
  await reload(page);
  await expect(page.getByRole('checkbox', { name: 'Patient follow-up' })).toBeChecked();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete knowledge base' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete knowledge base' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Knowledge' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Short lived base' })).toHaveCount(0);
});
