import { expect, test } from '@playwright/test';
import { DEMO_WORKSPACE, signIn } from './support/sign-in.ts';
import { reload, visit } from './support/visit.ts';

/** Whatever became of a test: every call of the workspace would wait for the hours that it has set. */
test.afterEach(async ({ page }) => {
  const options = { headers: { 'x-workspace-id': DEMO_WORKSPACE.replace('/w/', '') } };
  const path = '/api/dashboard/workspace';
  const { callingHours } = (await (await page.request.get(path, options)).json()).data;
  const data = { callingHours: { ...callingHours, isOn: false }, hasRecordingAnnouncement: false };
  expect((await page.request.patch(path, { ...options, data })).status()).toBe(200);
});

test('numbers are put on the opt-out list by hand and by a pasted list, found, and taken off', async ({
  page,
}) => {
  await signIn(page, '/settings/opt-outs');
  await page.getByRole('button', { name: 'Add number' }).click();
  const adding = page.getByRole('dialog', { name: 'Never call a number again' });
  await adding.getByLabel('Number').fill('nobody');
  await adding.getByRole('button', { name: 'Add number' }).click();
  await expect(adding.getByLabel('Number')).toHaveAttribute('aria-invalid', 'true');
  await adding.getByLabel('Number').fill('555 018-7700');
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
  await visit(page, `${new URL(page.url()).pathname.replace(/settings.*/, '')}calls/new`);
  await page.getByLabel('Call to').fill('+15550187700');
  await page.getByRole('button', { name: 'Place call' }).click();
  await expect(page.getByText(/asked not to be called again/)).toBeVisible();
  await page.goBack();

  await page.getByRole('button', { name: /^Remove .*018 7700/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove from the list' }).click();
  await expect(row).toHaveCount(0);
});

test('calling hours are switched on, refused when they make no sense, and a call shows until when it waits', async ({
  page,
}) => {
  await signIn(page, '/settings/calling');
  await page.getByRole('switch', { name: 'Call people only in these hours' }).check();
  const until = page.getByRole('textbox', { name: /^Until/ });
  await page.getByRole('textbox', { name: /^From/ }).fill('22:00');
  await until.fill('22:00');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(until).toHaveAttribute('aria-invalid', 'true');
  await until.fill('02:00');
  await expect(page.getByText('On the next day.')).toBeVisible();
  await page.getByRole('button', { name: 'Other times: Friday' }).click();
  await page.getByLabel('Friday from').fill('10:00');
  await page.getByLabel('Friday until').fill('14:00');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
  await reload(page);
  await expect(page.getByLabel('Friday until')).toHaveValue('14:00');
  await page.getByRole('button', { name: 'As on other days: Friday' }).click();
  // Whenever this runs, it is another day where the person is.
  const later = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString('en-US', { weekday: 'long' });
  await page.getByRole('textbox', { name: /^From/ }).fill('09:00');
  await until.fill('10:00');
  for (const day of await page.getByRole('checkbox').all()) await day.uncheck();
  await page.getByRole('checkbox', { name: later }).check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();

  await visit(page, `${new URL(page.url()).pathname.replace(/settings.*/, '')}calls/new`);
  await page.getByLabel('Call to').fill('+12125550100');
  // What the agent would say stands above the button, and moves it when it comes.
  await expect(page.getByText('One sentence is left out')).toBeVisible();
  await page.getByRole('button', { name: 'Place call' }).click();
  const call = page.getByRole('region', { name: 'The call' });
  await expect(call.getByText(/Queued until .*9:00 AM in New York/)).toBeVisible();
  await call.getByRole('button', { name: 'Cancel' }).click();
  await call.getByRole('link', { name: 'Open conversation' }).click();
  await expect(page.getByText('The call never connected')).toBeVisible();

  await visit(page, `${new URL(page.url()).pathname.replace(/conversations.*/, '')}settings/calling`);
  await page.getByRole('switch', { name: 'Call people only in these hours' }).uncheck();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
});

test('a prompt may have further attempts, each shown with the others, and a call an announcement', async ({
  page,
}) => {
  await signIn(page, '/agents/agent_front_desk/outbound-prompts/prompt_checkup');
  const attempts = page.getByRole('form', { name: 'Further attempts' });
  await attempts.getByRole('switch', { name: 'Call again when the person was not reached' }).check();
  await attempts.getByLabel('Calls at most').fill('9');
  await attempts.getByRole('button', { name: 'Save attempts' }).click();
  await expect(attempts.getByLabel('Calls at most')).toHaveAttribute('aria-invalid', 'true');
  await attempts.getByLabel('Calls at most').fill('2');
  await attempts.getByLabel('Minutes between them').fill('30');
  await attempts.getByRole('button', { name: 'Save attempts' }).click();
  await expect(page.getByText('Further attempts saved').first()).toBeVisible();

  await visit(page, `${new URL(page.url()).pathname.replace(/agents.*/, '')}calls/new`);
  await page.getByLabel('Call to').fill('+15550187708');
  await page.getByLabel('name', { exact: true }).fill('Robin');
  await page.getByLabel('months').fill('3');
  await page.getByRole('button', { name: 'Place call' }).click();
  await page.getByRole('link', { name: 'Open conversation' }).click();
  await expect(page.getByRole('heading', { name: 'Attempt 1 of 2' })).toBeVisible();
  await page.getByRole('link', { name: 'Attempt 2' }).click();
  await expect(page.getByRole('heading', { name: 'Attempt 2 of 2' })).toBeVisible();
  await expect(page.getByText(/^Queued until/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('The call never connected')).toBeVisible();

  await visit(page, `${new URL(page.url()).pathname.replace(/conversations.*/, '')}settings/calling`);
  await page.getByRole('switch', { name: 'Say that the call is recorded' }).click();
  await page.getByLabel('Words').fill('We record this.');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
  await reload(page);
  await expect(page.getByLabel('Words')).toHaveValue('We record this.');
  await page.getByRole('switch', { name: 'Say that the call is recorded' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
});
