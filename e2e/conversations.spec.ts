import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, PHONE } from './support/accessibility.ts';
import { DEMO_WORKSPACE, demoIsWhole, demoSecrets, signIn } from './support/sign-in.ts';
import { visit } from './support/visit.ts';

const DAY_MS = 86_400_000;

const held = new Map<string, Promise<string>>();

/** The id of an ended call to this number; of the tests that only read it, the first one places it. */
function endedCall(page: Page, to: string): Promise<string> {
  const known = held.get(to) ?? holdCall(page, to);
  held.set(to, known);
  return known;
}

/** Places a call over the API and waits until its conversation is there. */
async function holdCall(page: Page, to: string): Promise<string> {
  const callId = await placeCall(page, to);
  const { apiKey } = await demoSecrets();
  await expect
    .poll(
      async () => {
        const answer = await page.request.get(`/api/conversation/${callId}`, {
          headers: { 'x-api-key': apiKey },
        });
        return ((await answer.json()) as { data: unknown }).data;
      },
      { timeout: 45_000 },
    )
    .not.toBeNull();
  return callId;
}

async function placeCall(page: Page, to: string): Promise<string> {
  const { apiKey } = await demoSecrets();
  const answer = await page.request.post('/api/outbound', {
    headers: { 'x-api-key': apiKey },
    data: { from: '+15550100001', to, variables: { name: 'Robin', months: '14' } },
  });
  expect(answer.status()).toBe(200);
  return ((await answer.json()) as { data: { conversationId: string } }).data.conversationId;
}

const rows = (page: Page) => page.getByRole('region', { name: 'Conversations' }).locator('tbody tr');

test.describe('the list of conversations', () => {
  test('is rendered by the server, before any script runs', async ({ page }) => {
    await signIn(page);
    const html = await (await page.request.get(`${DEMO_WORKSPACE}/conversations`)).text();
    expect(html).toContain('Outbound');
    expect(html).toMatch(/\+1 555 \d{3} \d{4}/);
  });

  test('filters by the address, and clears again', async ({ page }) => {
    await signIn(page);
    await expect(rows(page).first()).toBeVisible();
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: /^Voicemail/ }).click();
    await expect(page).toHaveURL(/disposition=VOICEMAIL/);
    await expect(rows(page).filter({ hasNotText: 'Voicemail' })).toHaveCount(0);
    await expect(rows(page).first()).toBeVisible();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(page).toHaveURL(`${DEMO_WORKSPACE}/conversations`);
  });

  test('narrows by date with a preset and by a range typed in', async ({ page }) => {
    await signIn(page);
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
  });

  test('leads from a tag to the conversations that have it', async ({ page }) => {
    await signIn(page, '/conversations?tag=not_interested');
    await expect(rows(page).first()).toBeVisible();
    await expect(rows(page).filter({ hasNotText: 'Not interested' })).toHaveCount(0);
    await page.getByRole('button', { name: /^Tag Not interested/ }).click();
    await expect(page).toHaveURL(`${DEMO_WORKSPACE}/conversations`);
  });

  test('searches while typing and says when nothing matches', async ({ page }) => {
    await signIn(page);
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('xyzzy-nothing-says-this');
    await expect(page).toHaveURL(/search=xyzzy/);
    await expect(page.getByText('No conversation matches')).toBeVisible();
  });

  test('does not fetch back who follows a link right after typing', async ({ page }) => {
    await page.clock.install();
    await signIn(page);
    const row = rows(page).first();
    const callId = (await row.getAttribute('data-call')) ?? '';
    const searchIsDue = Promise.withResolvers<void>();
    await page.route(new RegExp(`/conversations/${callId}`), async (route) => {
      await searchIsDue.promise;
      await route.continue();
    });
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('a');
    await row.getByRole('link').click();
    await page.clock.runFor(1_000);
    searchIsDue.resolve();
    await expect(page).toHaveURL(new RegExp(`/conversations/${callId}$`));
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

  test('downloads what is shown as CSV', async ({ page }) => {
    await signIn(page, '/conversations?disposition=FAILED');
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
  });

  test('pages with links that keep the filter', async ({ page }) => {
    await signIn(page, '/conversations?skip=9999');
    await expect(page.getByText('There is nothing on this page')).toBeVisible();
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(/1–\d+ of \d+ conversations/);
  });

  test('shows a running call above the finished ones, and then among them', async ({ page }) => {
    const followed = page.waitForResponse(/\/dashboard\/calls\/stream/);
    await signIn(page);
    await followed;
    const callId = await placeCall(page, '+15550188801');
    const live = page.getByRole('region', { name: 'Calls in progress' }).locator(`a[href$="${callId}"]`);
    await expect(live).toBeVisible();
    await expect(rows(page).locator(`a[href$="${callId}"]`)).toBeVisible({ timeout: 45_000 });
    await expect(live).toBeHidden();
  });

  test('shows a call that began and ended before the page could follow', async ({ page }) => {
    const ended = Promise.withResolvers<void>();
    await page.route(/\/dashboard\/calls\/stream/, async (route) => {
      await ended.promise;
      await route.continue();
    });
    await signIn(page);
    await expect(rows(page).first()).toBeVisible();
    const callId = await holdCall(page, '+15550188809');
    await expect(rows(page).locator(`a[href$="${callId}"]`)).toHaveCount(0);
    ended.resolve();
    await expect(rows(page).locator(`a[href$="${callId}"]`)).toBeVisible();
  });

  test('is a list of cards on a phone, with its menu in a drawer', async ({ page }) => {
    await page.setViewportSize(PHONE);
    await signIn(page);
    await expect(
      page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first(),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Place a call' }).click();
    await expect(page).toHaveURL(/\/calls\/new$/);
    await expect(page.getByRole('dialog')).toBeHidden();
  });
});

test.describe('one conversation', () => {
  test('plays from a turn and marks the turn that is heard', async ({ page }) => {
    await signIn(page);
    const callId = await endedCall(page, '+15550188801');
    await visit(page, `${DEMO_WORKSPACE}/conversations/${callId}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Call to +1 555 018 8801' })).toBeVisible();
    await expect(page.getByText('Appointment booked').first()).toBeVisible();
    await expect(
      page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'Appointment booked' }),
    ).toBeVisible();
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
  });

  test('has a waveform that the keyboard moves in, for both speakers', async ({ page }) => {
    await signIn(page);
    const callId = await endedCall(page, '+15550188800');
    await visit(page, `${DEMO_WORKSPACE}/conversations/${callId}`);
    const position = page.getByRole('slider', { name: 'Position in the recording' });
    await expect(position).toBeVisible();
    await expect(position.locator('canvas').first()).toBeVisible();
    await position.focus();
    await page.keyboard.press('ArrowRight');
    await expect(position).toHaveAttribute('aria-valuenow', '5');
    await page.keyboard.press('Home');
    await expect(position).toHaveAttribute('aria-valuenow', '0');
  });

  test('tells what was meant and what was heard when the agent was interrupted', async ({ page }) => {
    await signIn(page);
    const callId = await endedCall(page, '+15550188811');
    await visit(page, `${DEMO_WORKSPACE}/conversations/${callId}`);
    const turn = page
      .getByRole('list', { name: 'Transcript' })
      .getByRole('listitem')
      .filter({ hasText: 'Interrupted' });
    await expect(turn.first()).toContainText('Meant, but not heard:');
  });

  test('explains a call that never connected in words', async ({ page }) => {
    await signIn(page);
    const callId = await endedCall(page, '+15550188808');
    await visit(page, `${DEMO_WORKSPACE}/conversations/${callId}`);
    await expect(page.getByText('The call never connected')).toBeVisible();
    await expect(page.getByText(/busy/i).first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Recording' })).toHaveCount(0);
  });

  test('copies the id and the transcript', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page);
    const callId = await endedCall(page, '+15550188800');
    await visit(page, `${DEMO_WORKSPACE}/conversations/${callId}`);
    await page.getByRole('button', { name: 'Copy conversation id' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(callId);
    await page.getByRole('button', { name: 'Copy transcript' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Agent: /);
  });

  test('does not exist under an unknown id', async ({ page }) => {
    await signIn(page);
    await page.goto(`${DEMO_WORKSPACE}/conversations/cnv_unknown`);
    await expect(page.getByText('Not in this workspace')).toBeVisible();
  });
});
