import { type Browser, expect, type Page, test } from '@playwright/test';
import { BROWSER_WITH_MICROPHONE } from './support/microphone.ts';
import { DEMO_WORKSPACE, demoSecrets, signIn, signInAs } from './support/sign-in.ts';
import { visit } from './support/visit.ts';

/*
 * One page talks with an agent, in real time with a microphone that beeps; another one watches the call. Simulated calls run
 * twenty times faster here, so there is nothing of them to hear.
 */
test.use({ ...BROWSER_WITH_MICROPHONE, permissions: ['microphone'] });

/** A page of somebody who is signed in before the call begins, which ends soon when nobody speaks. */
async function openWatcher(browser: Browser, account: { email: string; password: string }) {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const watcher = await context.newPage();
  await signInAs(watcher, account, '/settings/account');
  const open = (callId: string) => visit(watcher, `${DEMO_WORKSPACE}/conversations/${callId}`);
  return { context, watcher, open };
}

/** Begins a talk and gives the id of its call. */
async function talk(page: Page): Promise<string> {
  await signIn(page, '/agents/agent_front_desk/talk');
  const prepared = page.waitForResponse(/\/api\/agents\/agent_front_desk\/web-calls$/);
  await page.getByRole('button', { name: 'Start talking' }).click();
  const { data } = (await (await prepared).json()) as { data: { conversationId: string } };
  await expect(page.getByRole('list', { name: 'Transcript' })).toContainText('How can I help you?', {
    timeout: 20_000,
  });
  return data.conversationId;
}

/** The loudest that a side gets within the time. */
async function expectHeard(page: Page, side: 'agent' | 'human'): Promise<void> {
  const meter = page.getByRole('meter', { name: `Loudness of the ${side}` });
  await expect
    .poll(async () => Number(await meter.getAttribute('aria-valuenow')), { timeout: 20_000, intervals: [50] })
    .toBeGreaterThan(30);
}

test('a viewer reads a call along; a member listens in, takes a note and ends it', async ({
  page,
  browser,
}) => {
  test.slow();
  const owner = await demoSecrets();
  const support = { email: 'support@demo.callwright.test', password: owner.password };
  const { context: viewerContext, watcher: viewer, open: openAsViewer } = await openWatcher(browser, support);
  const { context, watcher, open } = await openWatcher(browser, owner);
  const callId = await talk(page);
  await openAsViewer(callId);
  await expect(viewer.getByRole('list', { name: 'Transcript' })).toContainText('How can I help you?');
  await expect(viewer.getByText('Nobody has written a note.')).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Listen in' })).toBeHidden();
  await expect(viewer.getByRole('button', { name: 'End call' })).toBeHidden();
  await viewerContext.close();

  await open(callId);
  await watcher.getByRole('button', { name: 'Listen in' }).click();
  await expect(watcher.getByText('nobody on the call hears you')).toBeVisible();
  await expect(watcher.getByRole('button', { name: 'Stop listening' })).toBeFocused();
  // The microphone of the one who talks beeps once a second.
  await expectHeard(watcher, 'human');
  await page.getByLabel('Say it in writing').fill('What are your opening hours?');
  await page.getByRole('button', { name: 'Send' }).click();
  await expectHeard(watcher, 'agent');
  await expect(watcher.getByRole('list', { name: 'Transcript' })).toContainText('We are open Monday');

  await watcher.getByLabel('New note').fill('Asked for the opening hours.');
  await watcher.getByLabel('New note').press('Control+Enter');
  const notes = watcher.getByRole('list', { name: 'Notes' });
  await expect(notes).toContainText('Asked for the opening hours.');

  await watcher.getByRole('button', { name: 'End call' }).click();
  await watcher.getByRole('alertdialog').getByRole('button', { name: 'End call' }).click();
  await expect(watcher.getByText('Demo Owner ended the call.').first()).toBeVisible({
    timeout: 20_000,
  });
  await expect(watcher.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(notes).toContainText('Asked for the opening hours.');
  await notes.getByRole('button', { name: 'Edit note' }).click();
  await watcher.getByLabel('Edit note').fill('Wanted the opening hours.');
  await watcher.getByRole('button', { name: 'Save' }).click();
  await expect(notes).toContainText('edited');
  await notes.getByRole('button', { name: 'Delete note' }).click();
  await watcher.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(notes).toBeHidden();
  await expect(page.getByRole('button', { name: 'Talk again' })).toBeVisible();
  await context.close();
});

test('whoever signs out elsewhere hears no more of the call', async ({ page, browser }) => {
  test.slow();
  const { context, watcher, open } = await openWatcher(browser, await demoSecrets());
  await open(await talk(page));
  await watcher.getByRole('button', { name: 'Listen in' }).click();
  await expectHeard(watcher, 'human');
  // As from another tab.
  const answer = await watcher.request.post('/api/auth/sign-out', {
    headers: { origin: new URL(watcher.url()).origin },
    data: {},
  });
  expect(answer.ok()).toBe(true);
  await expect(watcher.getByRole('meter').first()).toBeHidden({ timeout: 6_000 });
  await page.getByRole('button', { name: 'Hang up' }).click();
  await context.close();
});
