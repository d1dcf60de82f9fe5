import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectToFitPhone, violations, watchPolicy } from './support/accessibility.ts';
import { signIn } from './support/sign-in.ts';
import { reload, visit } from './support/visit.ts';

const CHAT = '/agents/agent_front_desk/chat';

const log = (page: Page) => page.getByRole('log');

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your message' }).fill(text);
  await page.keyboard.press('Enter');
}

test.describe('chatting with an agent on its page', () => {
  test('answers, goes on after a reload, ends, and is a conversation that reads as a chat', async ({
    page,
  }) => {
    const refused = await watchPolicy(page);
    await signIn(page, '/agents/agent_front_desk');
    await page.getByRole('link', { name: 'Chat with this agent' }).click();
    await write(page, 'What are your opening hours?');
    await expect(log(page)).toContainText('We are open Monday to Thursday', { timeout: 20_000 });
    await expect(log(page).locator('> div').first()).not.toContainText('What are your opening hours?');
    await expect(log(page).getByText('What are your opening hours?')).toHaveCount(1);
    await reload(page);
    await expect(log(page)).toContainText('We are open Monday to Thursday');
    await write(page, 'Where are you?');
    await expect(log(page).getByText('Where are you?')).toBeVisible();
    await expect(page.getByText(/is writing/)).toBeHidden();
    expect(refused).toEqual([]);
    await expectToFitPhone(page);
    await expectAccessible(page);
    const colleague = await page.context().newPage();
    await visit(colleague, '/w/ws_demo/conversations');
    const running = colleague.getByRole('region', { name: 'Conversations in progress' });
    await running.getByRole('link', { name: 'Visitor' }).first().click();
    await expect(log(colleague)).toContainText('Where are you?');
    await colleague.close();
    await page.getByRole('button', { name: 'End chat' }).click();
    await expect(page.getByRole('button', { name: 'Start again' })).toBeFocused();
    await page.getByRole('link', { name: 'Open conversation' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Chat' })).toBeVisible();
    await expect(page.getByText('Test', { exact: true })).toBeVisible();
    await expect(log(page)).toContainText('Where are you?');
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeHidden();
    await visit(page, '/w/ws_demo/conversations?channel=chat');
    await expect(page.getByRole('link', { name: 'Visitor' }).first()).toBeVisible();
  });

  test('keeps what was written when the connection breaks, and asks again', async ({ page }) => {
    await signIn(page, CHAT);
    await page.route('**/api/chats/*/messages', (route) => route.abort(), { times: 1 });
    await write(page, 'Hello?');
    await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(/cannot be reached/)).toBeHidden();
    await expect(log(page).locator('> div')).toHaveCount(3, { timeout: 20_000 });
  });
});

/** A website of another origin, with the tag in its page and a policy that takes nothing inline. */
async function website(tag: string, service: string): Promise<{ server: Server; origin: string }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${service}; connect-src ${service}`,
    );
    response.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A website</title><body><main><h1>Our website</h1><p>Words.</p></main>${tag}</body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('the widget shows on an allowed website, and is nothing on another one', async ({ page, baseURL }) => {
  const service = baseURL ?? '';
  await signIn(page, '/agents/agent_front_desk/chat-prompt');
  const set = async (body: object) => {
    const answer = await page.request.put(`/api/agents/agent_front_desk/chat-widget`, {
      data: body,
      headers: { 'x-workspace-id': 'ws_demo' },
    });
    expect(answer.status(), await answer.text()).toBe(200);
    return (await answer.json()) as { data: { scriptTag: string } };
  };
  const { data } = await set({ isEnabled: false, allowedOrigins: [] });
  const allowed = await website(data.scriptTag, service);
  const other = await website(data.scriptTag, service);
  try {
    await set({ isEnabled: true, allowedOrigins: [allowed.origin], title: 'Ask the practice' });
    const refused = await watchPolicy(page);

    await page.goto(other.origin);
    await expect(page.locator('callwright-chat')).toHaveCount(0);
    expect(await page.content()).not.toContain('Ask the practice');

    await page.goto(allowed.origin);
    const open = page.getByRole('button', { name: 'Open chat' });
    await open.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Ask the practice' });
    await expect(dialog.getByRole('textbox', { name: 'Your message' })).toBeFocused();
    await write(page, 'What are your opening hours?');
    await expect(dialog.getByRole('log')).toContainText('We are open Monday to Thursday', {
      timeout: 20_000,
    });
    expect(refused).toEqual([]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await violations(page, { theme: colorScheme, within: 'callwright-chat' })).toEqual([]);
      await page.screenshot({ path: test.info().outputPath(`widget-${colorScheme}.png`) });
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Open chat' })).toBeFocused();

    await page.reload();
    await expect(page.getByRole('button', { name: 'Open chat' })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open chat' }).click();
    await page.reload();
    await expect(dialog.getByRole('log')).toContainText('We are open Monday to Thursday');
    expect(await dialog.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    await page.screenshot({ path: test.info().outputPath('widget-phone.png') });
    await page.context().setOffline(true);
    await write(page, 'Do you take cards?');
    await expect(dialog.getByRole('alert')).toContainText('You are offline');
    await page.context().setOffline(false);
    await expect(dialog.getByRole('alert')).toBeHidden();
    // Until the answer is there nothing else is sent.
    await expect(dialog.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'false');

    await page.route('**/api/widget/*/messages', (route) => route.abort(), { times: 1 });
    await write(page, 'Are you there?');
    await expect(dialog.getByRole('alert')).toContainText('You are offline');
    await page.route(
      '**/api/widget/*/messages',
      (route) =>
        route.fulfill({
          status: 429,
          headers: { 'access-control-allow-origin': allowed.origin },
          body: '{}',
        }),
      { times: 1 },
    );
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect(dialog.getByRole('alert')).toContainText('a little fast');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect(dialog.getByRole('alert')).toBeHidden();

    await set({ isEnabled: false });
    await write(page, 'And now?');
    await expect(dialog.getByRole('alert')).toContainText('not available');
    await page.reload();
    await expect(page.locator('callwright-chat')).toHaveCount(0);
  } finally {
    await set({ isEnabled: false, allowedOrigins: [], title: null });
    allowed.server.close();
    other.server.close();
  }
});

test('a visitor with a phone opens the widget, sends by touch and closes it', async ({ page, browser }) => {
  await signIn(page, '/agents/agent_front_desk/chat-prompt');
  const set = async (body: object) => {
    const answer = await page.request.put(`/api/agents/agent_front_desk/chat-widget`, {
      data: body,
      headers: { 'x-workspace-id': 'ws_demo' },
    });
    return (await answer.json()) as { data: { scriptTag: string } };
  };
  const { data } = await set({ isEnabled: false });
  const { server, origin } = await website(data.scriptTag, new URL(page.url()).origin);
  try {
    await set({ isEnabled: true, allowedOrigins: [origin] });
    for (const width of [320, 360, 390, 430]) {
      const phone = await browser.newContext({
        viewport: { width, height: 700 },
        hasTouch: true,
        isMobile: true,
      });
      const visited = await phone.newPage();
      await visited.goto(origin);
      await visited.getByRole('button', { name: 'Open chat' }).tap();
      await visited.getByRole('textbox', { name: 'Your message' }).fill('Hello');
      await visited.getByRole('button', { name: 'Send' }).tap();
      await expect(visited.getByRole('log')).toContainText('Hello');
      await visited.getByRole('button', { name: 'Close chat' }).tap();
      await expect(visited.getByRole('dialog')).toBeHidden();
      await expect(visited.getByRole('button', { name: 'Open chat' })).toBeVisible();
      await phone.close();
    }
  } finally {
    await set({ isEnabled: false, allowedOrigins: [] });
    server.close();
  }
});

test('the widget is set up beside the chat prompt, with a preview that nothing is sent from', async ({
  page,
}) => {
  await signIn(page, '/agents/agent_front_desk/chat-prompt');
  const refused = await watchPolicy(page);
  await reload(page);
  await page.getByLabel('Allowed websites').fill('our website');
  await page.getByRole('button', { name: 'Save changes' }).last().click();
  await expect(page.getByText('must be the address of a website')).toBeVisible();
  await page.getByLabel('Allowed websites').fill('https://www.alpha.example/contact?from=mail');
  await page.getByRole('button', { name: 'Save changes' }).last().click();
  await expect(page.getByText('Website widget saved').first()).toBeVisible();
  await expect(page.getByLabel('Allowed websites')).toHaveValue('https://www.alpha.example');
  await expect(page.getByRole('region', { name: 'script tag' })).toContainText('/widget/v1.js');
  const preview = page.getByRole('dialog', { name: 'Chat with us' });
  await preview.getByRole('textbox').fill('Hello');
  await page.keyboard.press('Enter');
  await expect(preview.getByRole('log')).toContainText('nothing is sent');
  expect(refused).toEqual([]);
  await expectToFitPhone(page);
});
