import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, expectToFitPhone, PHONE, watchPolicy } from './support/accessibility.ts';
import { runCall } from './support/demo-calls.ts';
import { authenticate, DEMO_WORKSPACE } from './support/sign-in.ts';
import { visit } from './support/visit.ts';

/** Two conversations that nobody else looks at: of a person of this name, called by the simulated carrier. */
async function runTwoCalls(page: Page, name: string): Promise<void> {
  await Promise.all(['+15550188800', '+15550188900'].map((to) => runCall(page, to, name)));
}

test('a reviewer works through a list by keys, keeps it as a view, shares a conversation and deletes it', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const name = `Rev${Date.now().toString(36)}`;
  await authenticate(page);
  await runTwoCalls(page, name);
  await visit(page, `${DEMO_WORKSPACE}/conversations?search=${name}&review=open`);
  await expect(page.locator('tbody tr')).toHaveCount(2);

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save these filters' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name })).toBeVisible();

  await page.locator('tbody tr').first().getByRole('link').click();
  await expect(page.getByRole('button', { name: 'Mark as reviewed' })).toBeVisible();
  await page.keyboard.press('t');
  await page.keyboard.type('Wants refund');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Changes to the tags' })).toContainText('added by');
  await page.keyboard.press('4');
  await expect(page.getByRole('radio', { name: '4 stars' })).toBeChecked();
  await expectAccessible(page);
  const first = page.url();
  await page.keyboard.press('d');
  await expect(page).not.toHaveURL(first);
  await expect(page.getByRole('button', { name: 'Mark as reviewed' })).toBeVisible();

  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByRole('button', { name: 'Copy the link' }).waitFor();
  const shares = (await (
    await page.request.get(
      `/api/dashboard/calls/${page.url().split('/').at(-1)?.split('?')[0]}/shares?workspaceId=ws_demo`,
    )
  ).json()) as { data: { shares: { url: string }[] } };
  const address = new URL(shares.data.shares[0]?.url ?? '').pathname;
  const stranger = await browser.newPage();
  const refused = await watchPolicy(stranger);
  const answer = await stranger.goto(new URL(address, page.url()).href);
  expect(answer?.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  });
  await expect(stranger.getByRole('heading', { name: 'Shared call' })).toBeVisible();
  await expect(stranger.getByText('Agent').first()).toBeVisible();
  await expect
    .poll(() => stranger.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration))
    .toBeGreaterThan(1);
  expect(await stranger.content()).not.toMatch(/ws_demo|cnv_|agent_front_desk/);
  expect(refused).toEqual([]);
  await expectToFitPhone(stranger);
  await expectAccessible(stranger);

  await page.getByRole('button', { name: 'Delete conversation' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete conversation' }).click();
  await expect(page.getByText('The conversation was deleted').first()).toBeVisible();
  await stranger.reload();
  await expect(stranger.getByRole('heading', { name: 'This link shows nothing' })).toBeVisible();
  await stranger.close();

  await page.keyboard.press('Control+k');
  await page.keyboard.type(name);
  await page.getByRole('option', { name, exact: true }).click();
  await expect(page).toHaveURL(/review=open/);
  await expect(page.getByText('No conversation matches')).toBeVisible();
});

test('several conversations are chosen and deleted, on a phone as well', async ({ page }) => {
  test.setTimeout(120_000);
  const name = `Sev${Date.now().toString(36)}`;
  await authenticate(page);
  await runTwoCalls(page, name);
  await page.setViewportSize(PHONE);
  await visit(page, `${DEMO_WORKSPACE}/conversations?search=${name}`);
  const boxes = page.getByRole('list', { name: 'Conversations' }).getByRole('checkbox');
  await expect(boxes).toHaveCount(2);
  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await expect(page.getByText('2 conversations chosen')).toBeVisible();
  await page
    .getByRole('region', { name: 'Chosen conversations' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No conversation matches')).toBeVisible();
});
