import { expect, test } from '@playwright/test';
import { expectAccessible, watchPolicy } from './support/accessibility.ts';
import { authenticate, DEMO_WORKSPACE, demoSecrets, signIn } from './support/sign-in.ts';
import { untilItAnswers } from './support/visit.ts';

test('the sign-in names missing fields and a wrong password, is accessible, and leads to the page that asked', async ({
  page,
}) => {
  const { email, password } = await demoSecrets();
  const refused = await watchPolicy(page);
  let requests = 0;
  await page.route('**/api/auth/**', (route) => {
    requests += 1;
    return route.continue();
  });
  await page.goto(`${DEMO_WORKSPACE}/agents?search=front`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Enter your e-mail address.')).toBeVisible();
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await expect(page.getByLabel('E-mail address')).toHaveAttribute('aria-invalid', 'true');
  expect(requests).toBe(0);
  expect(refused).toEqual([]);
  await expectAccessible(page);

  const field = page.getByLabel('Password', { exact: true });
  await page.getByLabel('E-mail address').fill(email);
  await field.fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'wrong' })).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${DEMO_WORKSPACE}/agents?search=front`);
  await expect(page.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible();
});

test('the way back never leads to another site, and signing out ends the session', async ({ page }) => {
  const { email, password } = await demoSecrets();
  await page.goto('/sign-in?next=//evil.test/');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${DEMO_WORKSPACE}/overview`);
  await untilItAnswers(page);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto(`${DEMO_WORKSPACE}/agents`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});

test('a session that has ended is begun again over the page, which keeps what was written', async ({
  page,
  context,
}) => {
  await signIn(page, '/conversations?search=cleaning');
  await expect(page.getByRole('heading', { name: 'Conversations', level: 1 })).toBeVisible();
  await context.clearCookies();
  // The page may ask the service by itself first and be gone already.
  const search = page.getByRole('searchbox', { name: 'Search conversations' });
  await search.fill('cleaning bill', { timeout: 5_000 }).catch(() => undefined);
  await expect(page.getByRole('dialog', { name: 'You were signed out' })).toBeVisible({ timeout: 45_000 });
  await expect(page).toHaveURL(/search=cleaning/);
});

test('a workspace one is not a member of does not exist', async ({ page }) => {
  await authenticate(page);
  const answer = await page.goto('/w/ws_of_somebody_else/conversations');
  expect(answer?.status()).toBe(404);
  await expect(page.getByText('This page does not exist')).toBeVisible();
});

test('the keyboard skips to the content and goes anywhere by a few letters; the theme is chosen and kept', async ({
  page,
}) => {
  await signIn(page, '/settings/tags');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Go to' });
  await palette.fill('dial');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${DEMO_WORKSPACE}/calls/new`);
  await page.keyboard.press('Control+k');
  await palette.fill('010 0001');
  const found = page.getByRole('option', { name: 'Front desk' });
  await expect(found).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${DEMO_WORKSPACE}/agents/agent_front_desk`);

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveClass(/\bdark\b/);
  await page.reload();
  await expect(page.locator('html')).toHaveClass(/\bdark\b/);
});

test('what browsers and crawlers ask for by themselves is there without signing in', async ({ request }) => {
  const type = async (path: string) => {
    const answer = await request.get(path);
    return `${answer.status()} ${answer.headers()['content-type']?.split(';')[0]}`;
  };
  expect(await type('/favicon.ico')).toBe('200 image/x-icon');
  expect(await type('/apple-touch-icon.png')).toBe('200 image/png');
  expect(await type('/robots.txt')).toBe('200 text/plain');
  expect(await type('/.well-known/security.txt')).toBe('200 text/plain');
  expect(await type('/manifest.webmanifest')).toBe('200 application/manifest+json');
  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as {
    icons: { src: string }[];
  };
  for (const { src } of manifest.icons) expect(await type(src)).toMatch(/^200 image\//);
});
