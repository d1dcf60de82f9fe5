import { expect, type Page, test, type WebSocketRoute } from '@playwright/test';
import { BROWSER_WITH_MICROPHONE } from './support/microphone.ts';
import { signIn } from './support/sign-in.ts';

test.use(BROWSER_WITH_MICROPHONE);

const TALK = '/agents/agent_front_desk/talk';

const transcript = (page: Page) => page.getByRole('list', { name: 'Transcript' });

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Say it in writing').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

async function startTalking(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start talking' }).click();
}

test.describe('talking to an agent with a microphone', () => {
  test.use({ permissions: ['microphone'] });

  test('greets, answers what is typed beside it, goes on over a broken connection, and keeps the talk as a test', async ({
    page,
  }) => {
    test.slow();
    const connections: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/api\/web-calls\//, (route) => {
      connections.push(route);
      route.connectToServer();
    });
    await signIn(page, TALK);
    await startTalking(page);
    await expect(transcript(page)).toContainText('How can I help you?', { timeout: 20_000 });
    // The button that had the focus is gone.
    await expect(page.getByRole('button', { name: 'Mute' })).toBeFocused();
    await page.getByRole('button', { name: 'Mute' }).click();
    await expect(page.getByRole('button', { name: 'Unmute' })).toHaveAttribute('aria-pressed', 'true');
    await say(page, 'What are your opening hours?');
    await expect(transcript(page)).toContainText('We are open Monday to Thursday', { timeout: 20_000 });
    await connections[0]?.close({ code: 3000 });
    await expect.poll(() => connections.length, { timeout: 10_000 }).toBe(2);
    await say(page, 'Where are you?');
    await expect(transcript(page)).toContainText('Where are you?', { timeout: 20_000 });
    await page.getByRole('button', { name: 'Hang up' }).click();
    await expect(page.getByRole('button', { name: 'Talk again' })).toBeFocused();
    await page.getByRole('link', { name: 'Open conversation' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Call in a browser' })).toBeVisible();
    await expect(page.getByText('Test', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  });

  // That a call opens to its own ticket only is tested at the service.
  test(
    'two tabs talk to the same agent at once, each in a call of its own',
    { tag: '@nightly' },
    async ({ page, context }) => {
      test.slow();
      const other = await context.newPage();
      for (const tab of [page, other]) {
        await signIn(tab, TALK);
        await startTalking(tab);
        await expect(transcript(tab)).toContainText('How can I help you?', { timeout: 20_000 });
      }
      await say(page, 'What are your opening hours?');
      await say(other, 'Where are you?');
      await expect(transcript(page)).toContainText('What are your opening hours?', { timeout: 20_000 });
      await expect(transcript(other)).toContainText('Where are you?', { timeout: 20_000 });
      await expect(transcript(page)).not.toContainText('Where are you?');
      await expect(transcript(other)).not.toContainText('What are your opening hours?');
      await other.getByRole('button', { name: 'Hang up' }).click();
      await expect(other.getByRole('button', { name: 'Talk again' })).toBeVisible();
      // The other call goes on.
      await say(page, 'And on Friday?');
      await expect(transcript(page)).toContainText('And on Friday?', { timeout: 20_000 });
      await page.getByRole('button', { name: 'Hang up' }).click();
      await expect(page.getByRole('button', { name: 'Talk again' })).toBeVisible();
    },
  );
});

test('says what to do where the microphone is refused, and talks in writing', async ({ page }) => {
  await signIn(page, TALK);
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByText('The microphone is not allowed')).toBeVisible();
  await page.getByRole('button', { name: 'Type instead' }).click();
  await expect(page.getByLabel('Say it in writing')).toBeFocused();
  await expect(transcript(page)).toContainText('How can I help you?', { timeout: 20_000 });
  await expect(page.getByRole('button', { name: 'Mute' })).toBeHidden();
  await page.getByRole('button', { name: 'Hang up' }).click();
  await expect(page.getByText('Call in a browser')).toBeVisible();
});
