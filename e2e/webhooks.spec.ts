import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { expect, type Locator, test, type Page } from '@playwright/test';
import { expectAccessible, expectToFitPhone } from './support/accessibility.ts';
import { PORTS } from './support/ports.ts';
import { demoSecrets, signIn } from './support/sign-in.ts';
import { reload, visit } from './support/visit.ts';

const RECEIVER_PORT = PORTS.receiver;
const RECEIVER_URL = `http://127.0.0.1:${RECEIVER_PORT}/hook`;

type Received = { body: string; signature: string | undefined };

const hrefsOf = (links: Locator): Promise<string[]> =>
  links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));

test.describe.configure({ mode: 'serial' });

test.describe('webhooks', () => {
  let receiver: Server;
  let received: Received[];
  let answer: { status: number; body: string };

  test.beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => (body += part));
      request.on('end', () => {
        received.push({ body, signature: request.headers['x-webhook-signature']?.toString() });
        response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => receiver.listen(RECEIVER_PORT, '127.0.0.1', resolve));
  });
  test.afterAll(() => new Promise((resolve) => receiver.close(resolve)));
  test.beforeEach(() => {
    received = [];
    answer = { status: 200, body: 'thank you' };
  });

  async function saveUrl(page: Page, url: string): Promise<void> {
    await page.getByLabel('URL', { exact: true }).fill(url);
    await page.getByRole('button', { name: 'Save URL' }).click();
  }

  /** The page with the receiver's URL saved, whatever earlier tests left there; by the address where it stood before. */
  async function openWithUrl(page: Page): Promise<void> {
    await signIn(page, '/webhooks');
    await expect(page).toHaveURL(/\/w\/ws_demo\/settings\/webhooks$/);
    const field = page.getByLabel('URL', { exact: true });
    if ((await field.inputValue()) === RECEIVER_URL) return;
    await saveUrl(page, RECEIVER_URL);
    await expect(page.getByText('Webhook URL saved', { exact: true }).first()).toBeVisible();
  }

  async function showSecret(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Show' }).click();
    const secret = page.getByText(/^whsec_[\w-]+$/);
    await expect(secret).toBeVisible();
    return (await secret.textContent()) ?? '';
  }

  test('refuse an address inside the network, and send a test event, signed with the secret on the page', async ({
    page,
  }) => {
    await signIn(page, '/settings/webhooks');
    await saveUrl(page, 'https://10.0.0.7/hook');
    await expect(page.getByLabel('URL', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await saveUrl(page, RECEIVER_URL);
    await expect(page.getByText('Webhook URL saved', { exact: true }).first()).toBeVisible();
    const secret = await showSecret(page);
    await page.getByRole('button', { name: 'Send test event' }).click();
    const result = page.getByTestId('test-result');
    await expect(result).toContainText('Delivered');
    await expect(result).toContainText('200');
    await expect(result).toContainText('thank you');
    const [first] = received;
    expect(JSON.parse(first?.body ?? '{}')).toMatchObject({
      event: 'test',
      conversationId: expect.stringMatching(/^test_/),
    });
    expect(first?.signature).toBe(
      createHmac('sha256', secret)
        .update(first?.body ?? '')
        .digest('hex'),
    );
  });

  test('show a refusal of the receiver, and find it in the log of failures', async ({ page }) => {
    answer = { status: 503, body: 'closed for lunch' };
    await openWithUrl(page);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await expect(page.getByTestId('test-result')).toContainText('closed for lunch');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    const rows = page.getByRole('region', { name: 'Deliveries' }).locator('tbody tr');
    await expect(rows.first()).toContainText('503');
    await expect(rows.filter({ hasText: 'Delivered' })).toHaveCount(0);
    await rows.first().getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Test event' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'request body' })).toContainText('"event"');
    await expect(page.getByText('closed for lunch')).toBeVisible();
    for (const language of ['Node', 'Python', 'PHP']) {
      await page.getByRole('tab', { name: language }).click();
      await expect(page.getByRole('tabpanel')).toContainText(/sha256/i);
    }
    await expectAccessible(page);
    await expectToFitPhone(page);
  });

  test('of a call are in the log, and are sent again by a person', async ({ page }) => {
    const { apiKey } = await demoSecrets();
    const headers = { 'x-api-key': apiKey };
    await openWithUrl(page);
    await page.request.put('/api/agents/agent_front_desk/settings', {
      headers,
      data: { hasPostConversationWebhook: true },
    });
    const call = await page.request.post('/api/outbound', {
      headers,
      data: { from: '+15550100001', to: '+15550109908', variables: { name: 'Robin', months: '3' } },
    });
    const { conversationId } = ((await call.json()) as { data: { conversationId: string } }).data;
    // Calls that other tests place at the same time come here as well.
    const ofCall = () => received.filter(({ body }) => body.includes(conversationId));
    await expect.poll(() => ofCall().length, { timeout: 45_000 }).toBe(1);
    expect(JSON.parse(ofCall()[0]?.body ?? '{}')).toMatchObject({ conversationId, disposition: 'FAILED' });

    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Call', exact: true }).click();
    const rows = page.getByRole('region', { name: 'Deliveries' }).locator('tbody tr');
    await expect(rows.first()).toBeVisible();
    // Other tests' calls of this agent may have ended since.
    const ofThisCall = page.getByRole('link', { name: conversationId });
    for (const href of await hrefsOf(rows.getByRole('link'))) {
      await visit(page, href);
      if ((await ofThisCall.count()) > 0) break;
    }
    await expect(ofThisCall).toBeVisible();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByText('Sent again', { exact: true })).toBeVisible();
    await expect.poll(() => ofCall().length).toBe(2);
    await page.request.put('/api/agents/agent_front_desk/settings', {
      headers,
      data: { hasPostConversationWebhook: false },
    });
  });

  // When they count as failing is the service's to say, and tested there.
  test('say on every page that they fail, until one is taken again', async ({ page }) => {
    let failedCount = 20;
    await page.route(/\/dashboard\/webhooks\/health/, (route) =>
      route.fulfill({
        json: { data: { lastCount: 20, failedCount, isFailing: failedCount === 20, lastFailure: null } },
      }),
    );
    await signIn(page, '/agents?search=front');
    await expect(page.getByText('The last 20 webhooks failed')).toBeVisible();
    await expectAccessible(page);
    failedCount = 19;
    await reload(page);
    await expect(page.getByRole('link', { name: 'Front desk' })).toBeVisible();
    await expect(page.getByText('The last 20 webhooks failed')).toHaveCount(0);
  });
});
