import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, PHONE } from './support/accessibility.ts';
import { pathOfDemoCall, placeCall, runCall } from './support/demo-calls.ts';
import { authenticate, DEMO_WORKSPACE, demoIsWhole, signIn } from './support/sign-in.ts';
import { visit } from './support/visit.ts';

const DAY_MS = 86_400_000;

const rows = (page: Page) => page.getByRole('region', { name: 'Conversations' }).locator('tbody tr');

test.describe('the list of conversations', () => {
  test('is rendered by the server, filters by the address, searches, pages, and is downloaded as shown', async ({
    page,
  }) => {
    test.setTimeout(180_000);
    await demoIsWhole();
    await signIn(page, '/conversations?disposition=FAILED');
    const html = await (await page.request.get(page.url())).text();
    expect(html).toContain('Outbound');
    expect(html).toMatch(/\+1 555 \d{3} \d{4}/);
    // Without their words the filters would grow when the scripts come, and move the list under the pointer.
    expect(html).toContain('Any sentiment');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const stream = await download.createReadStream();
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    const [header, ...lines] = text.trim().split('\n');
    expect(header).toContain('disposition');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line.includes('FAILED'))).toBe(true);

    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: /^Voicemail/ }).click();
    await expect(page).toHaveURL(/disposition=VOICEMAIL/);
    await expect(rows(page).filter({ hasNotText: 'Voicemail' })).toHaveCount(0);
    await expect(rows(page).first()).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('xyzzy-nothing-says-this');
    await expect(page).toHaveURL(/search=xyzzy/);
    await expect(page.getByText('No conversation matches')).toBeVisible();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect(page).toHaveURL(`${DEMO_WORKSPACE}/conversations`);

    await page.getByRole('button', { name: 'Any date' }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await expect(page).toHaveURL(/dateStart=\d+/);
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.getByLabel('From', { exact: true }).fill('2001-01-01');
    await page.getByLabel('To', { exact: true }).fill('2001-01-31');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('No conversation matches')).toBeVisible();
    await page.getByRole('link', { name: 'Clear all filters' }).click();
    await expect(rows(page).first()).toBeVisible();

    await visit(page, `${DEMO_WORKSPACE}/conversations?direction=OUTBOUND&skip=9999`);
    await expect(page.getByText('There is nothing on this page')).toBeVisible();
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await expect(page).toHaveURL(/\?direction=OUTBOUND$/);
    await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(/1–\d+ of \d+ conversations/);
    await visit(page, `${DEMO_WORKSPACE}/conversations?tag=not_interested`);
    await expect(rows(page).first()).toBeVisible();
    await expect(rows(page).filter({ hasNotText: 'Not interested' })).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Tag' }).click();
    await page.getByRole('option', { name: 'Any tag' }).click();
    await expect(page).toHaveURL(`${DEMO_WORKSPACE}/conversations`);
  });

  test('does not fetch back who follows a link right after typing', async ({ page }) => {
    await page.clock.install();
    await signIn(page, '/conversations?disposition=COMPLETED');
    const callId = (await rows(page).first().getAttribute('data-call')) ?? '';
    // By its id: a conversation that ends meanwhile comes before it.
    const row = page.locator(`[data-call="${callId}"]`);
    const searchIsDue = Promise.withResolvers<void>();
    await page.route(new RegExp(`/conversations/${callId}`), async (route) => {
      await searchIsDue.promise;
      await route.continue();
    });
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('a');
    await row.getByRole('link').click();
    await page.clock.runFor(1_000);
    searchIsDue.resolve();
    await expect(page).toHaveURL(new RegExp(`/conversations/${callId}(\\?|$)`));
    await expect(page.getByRole('button', { name: 'Copy conversation id' })).toBeVisible();
  });

  test('leads to a conversation, on to its neighbours and back to the row, with the found words marked', async ({
    page,
  }) => {
    // Every call of the demo says it: those that other tests place meanwhile would move the rows.
    await demoIsWhole();
    const yesterday = Date.now() - DAY_MS;
    await signIn(page, `/conversations?dateEnd=${yesterday}&search=dental`);
    await expect(rows(page).nth(2)).toBeVisible();
    await expect(rows(page).first().locator('mark').first()).toHaveText(/dental/i);
    const ids = await rows(page).evaluateAll((found) => found.map((row) => row.getAttribute('data-call')));
    await rows(page).first().getByRole('link').click();
    await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Previous conversation' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Next conversation' }).press('Enter');
    await expect(page).toHaveURL(new RegExp(`${ids[1]}\\?dateEnd=\\d+&search=dental$`));
    await expect(page.getByRole('link', { name: 'Next conversation' })).toBeFocused();
    await page.keyboard.press('Alt+ArrowDown');
    await expect(page).toHaveURL(new RegExp(`${ids[2]}\\?dateEnd=\\d+&search=dental$`));
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await expect(transcript.locator('mark').first()).toHaveText(/dental/i);
    await page.getByRole('button', { name: 'Show the first' }).click();
    await expect(transcript.locator('mark').first()).toBeInViewport();
    await expectAccessible(page);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await expect(page).toHaveURL(/conversations\?dateEnd=\d+&search=dental#/);
    await expect(page.locator(`tr[data-call="${ids[2]}"]`).getByRole('link')).toBeFocused();
  });

  test('shows a call that ended before the page could follow, and a running one above those that ended', async ({
    page,
  }) => {
    const ended = Promise.withResolvers<void>();
    await page.route(/\/dashboard\/calls\/stream/, async (route) => {
      await ended.promise;
      await route.continue();
    });
    await signIn(page, '/conversations');
    await expect(rows(page).first()).toBeVisible();
    const callId = await runCall(page, '+15550188809');
    await expect(rows(page).locator(`a[href$="${callId}"]`)).toHaveCount(0);
    ended.resolve();
    await expect(rows(page).locator(`a[href$="${callId}"]`)).toBeVisible();

    const runningId = await placeCall(page, '+15550188801');
    const live = page
      .getByRole('region', { name: 'Conversations in progress' })
      .locator(`a[href$="${runningId}"]`);
    await expect(live).toBeVisible();
    await expect(rows(page).locator(`a[href$="${runningId}"]`)).toBeVisible({ timeout: 45_000 });
    await expect(live).toBeHidden();
  });

  test('is a list of cards on a phone, with its menu in a drawer', async ({ page }) => {
    await page.setViewportSize(PHONE);
    await signIn(page, '/conversations?disposition=VOICEMAIL');
    await expect(
      page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first(),
    ).toBeVisible();
    await expectAccessible(page);
    const opener = page.getByRole('button', { name: 'Open menu' });
    await opener.click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect(menu).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
    await opener.click();
    await menu.getByRole('link', { name: 'Place a call' }).click();
    await expect(page).toHaveURL(/\/calls\/new$/);
    await expect(page.getByRole('dialog')).toBeHidden();
  });
});

test.describe('one conversation', () => {
  test('is played, moved in, copied, and marks the turn that is heard', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await authenticate(page);
    const path = await pathOfDemoCall(page, 'APPOINTMENT_BOOKED');
    await visit(page, path);
    await expect(page.getByRole('heading', { level: 1, name: /^Call (to|from) \+1 555 01/ })).toBeVisible();
    await expect(page.getByText('Appointment booked').first()).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'Appointment booked' }),
    ).toBeVisible();
    const position = page.getByRole('slider', { name: 'Position in the recording' });
    await expect(position.locator('canvas').first()).toBeVisible();
    await position.focus();
    await page.keyboard.press('ArrowRight');
    await expect(position).toHaveAttribute('aria-valuenow', '5');
    await page.keyboard.press('Home');
    await expect(position).toHaveAttribute('aria-valuenow', '0');

    const third = page
      .getByRole('list', { name: 'Transcript' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^Play from/ }) })
      .nth(2);
    await third.getByRole('button').click();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect(third).toHaveAttribute('aria-current', 'true');
    await page.locator('body').click({ position: { x: 400, y: 5 } });
    await page.keyboard.press('Space');
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Copy conversation id' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toBe(path.split('/').at(-1));
    await page.getByRole('button', { name: 'Copy transcript' }).click();
    await expect.poll(copied).toMatch(/^Agent: /);
  });

  test('tells what was not heard, why nobody was reached, and that there is none', async ({ page }) => {
    await authenticate(page);
    const interruptedId = await runCall(page, '+15550188811');
    await visit(page, `${DEMO_WORKSPACE}/conversations/${interruptedId}`);
    const turn = page
      .getByRole('list', { name: 'Transcript' })
      .getByRole('listitem')
      .filter({ hasText: 'Interrupted' });
    await expect(turn.first()).toContainText('Meant, but not heard:');

    const busyId = await runCall(page, '+15550188808');
    await visit(page, `${DEMO_WORKSPACE}/conversations/${busyId}`);
    await expect(page.getByText('The call never connected')).toBeVisible();
    await expect(page.getByText(/busy/i).first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Recording' })).toHaveCount(0);

    await page.goto(`${DEMO_WORKSPACE}/conversations/cnv_unknown`);
    await expect(page.getByText('Not in this workspace')).toBeVisible();
  });

  test('becomes a scenario in one step, with which its agent is tried with sound', async ({ page }) => {
    await authenticate(page);
    const callId = await runCall(page, '+15550188801');
    await visit(page, `${DEMO_WORKSPACE}/conversations/${callId}`);
    await page.getByRole('button', { name: 'Make a scenario' }).click();
    await expect(page).toHaveURL(/\/simulations\/scenarios\/./);
    await expect(page.getByPlaceholder('Asks for the price')).not.toHaveValue('');
    await page.getByRole('link', { name: 'Simulations', exact: true }).first().click();
    await page.getByRole('combobox', { name: 'Conversations' }).click();
    await page.getByRole('option', { name: 'Audio, spoken and heard' }).click();
    await expect(page.getByText('Nothing here transcribes')).toBeVisible();
    await page.getByRole('button', { name: 'Run all' }).click();
    // What is simulated lets everything else go first, the other tests too.
    await expect(page.getByText('1 passed')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('reached the agent as it is written')).toBeVisible();
  });
});

test('beside the sidebar at 1280 pixels the summaries keep room, and nothing is cut', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, '/conversations');
  const table = page.getByRole('region', { name: 'Conversations', exact: true });
  const summary = table.getByRole('columnheader', { name: 'Summary' });
  expect((await summary.boundingBox())?.width).toBeGreaterThan(240);
  expect(await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
});
