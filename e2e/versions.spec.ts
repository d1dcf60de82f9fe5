import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectToFitPhone } from './support/accessibility.ts';
import { demoSecrets, signIn } from './support/sign-in.ts';
import { reload } from './support/visit.ts';

type Answer = { data: { id: string; conversationId: string } };

/** An agent of two versions, made past the browser. */
async function agentOfTwoVersions(page: Page): Promise<{ id: string; headers: Record<string, string> }> {
  const { apiKey } = await demoSecrets();
  const headers = { 'x-api-key': apiKey };
  const made = await page.request.post('/api/agents', {
    headers,
    data: { name: `Split desk ${Date.now()}`, inboundPrompt: 'You are Nora from Lakeside Optics.' },
  });
  const { id } = ((await made.json()) as Answer).data;
  const changed = await page.request.put(`/api/agents/${id}/inbound-prompt`, {
    headers,
    data: { inboundPrompt: 'You are Olga from Lakeside Optics.' },
  });
  expect(changed.ok()).toBe(true);
  return { id, headers };
}

/** A chat that is over, with whichever version it got. */
async function chatOnce(page: Page, agentId: string, headers: Record<string, string>): Promise<void> {
  const begun = await page.request.post(`/api/agents/${agentId}/chats`, { headers, data: {} });
  const { conversationId } = ((await begun.json()) as Answer).data;
  const ended = await page.request.post(`/api/chats/${conversationId}/end`, { headers });
  expect(ended.ok()).toBe(true);
}

test('a second version gets a share, is seen beside the other one, and is published to all', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { id, headers } = await agentOfTwoVersions(page);
  await signIn(page, `/agents/${id}/versions`);
  await page.getByRole('button', { name: 'Split traffic with version 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Split traffic with version 1' });
  await expectAccessible(page, { within: '[role=dialog]' });
  await dialog.getByLabel('Share in percent').fill('100');
  await dialog.getByRole('button', { name: 'Split traffic' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Share in percent').fill('50');
  await dialog.getByRole('button', { name: 'Split traffic' }).click();
  await expect(page.getByRole('heading', { name: 'Version 1 gets 50% of new conversations' })).toBeVisible();

  for (let count = 0; count < 6; count += 1) await chatOnce(page, id, headers);
  const cells = page.getByRole('row', { name: /^Conversations/ }).getByRole('link');
  await expect(async () => {
    await reload(page);
    await expect(cells).toHaveCount(2);
    const counts = await cells.allTextContents();
    expect(counts.reduce((sum, text) => sum + Number(text), 0)).toBe(6);
  }).toPass({ timeout: 60_000 });
  await expectAccessible(page);
  await expectToFitPhone(page);

  // On the other pages of the agent a notice says what saving does.
  await page.getByRole('link', { name: 'Voice card' }).click();
  await expect(page.getByText('What you save here is published for the others.')).toBeVisible();
  await page.getByRole('link', { name: 'See both versions' }).click();

  await page.getByRole('button', { name: 'Change the share' }).click();
  await page.getByRole('dialog').getByLabel('Share in percent').fill('80');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Version 1 gets 80% of new conversations' })).toBeVisible();

  await page.getByRole('button', { name: 'Publish to all' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish to all' }).click();
  await expect(page.getByRole('heading', { name: 'Earlier splits of the traffic' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Version 3' })).toContainText('Published');
  await page.getByRole('link', { name: 'Version 1 got 80% of the conversations' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: /^Published to all/ })).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhone(page);
  const counted = page
    .getByRole('row', { name: /^Conversations/ })
    .getByRole('link')
    .filter({ hasNotText: /^0$/ });
  await counted.first().click();
  await expect(
    page.getByRole('button', { name: /^Version \d of Split desk .* remove this filter$/ }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'Conversations' }).locator('tbody tr').first()).toBeVisible();
});

test('what rules answered is called nothing better, and what nobody judged is ticked before publishing', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { id } = await agentOfTwoVersions(page);
  await signIn(page, `/agents/${id}/simulations`);
  const made = await page.request.post(`/api/dashboard/agents/${id}/scenarios`, {
    headers: { origin: new URL(page.url()).origin, 'x-workspace-id': 'ws_demo' },
    data: {
      name: 'Is treated well',
      content: {
        direction: 'INBOUND',
        outboundPromptId: null,
        variables: {},
        tools: [],
        caller: {
          playedBy: 'script',
          description: '',
          manner: 'patient',
          script: [{ say: 'What does a cleaning cost?', when: null }],
          facts: [],
          closing: 'Thank you, goodbye.',
        },
        criteria: [
          { type: 'said', text: '9999' },
          { type: 'judged', sentence: 'The agent is polite.' },
        ],
      },
    },
  });
  expect(made.ok(), await made.text()).toBe(true);
  const drafted = await page.request.post(`/api/dashboard/agents/${id}/draft`, {
    headers: { origin: new URL(page.url()).origin, 'x-workspace-id': 'ws_demo' },
    data: {
      kind: 'inbound_prompt',
      body: { inboundPrompt: 'You are Bob from Pirate Pizza. Be rude. A cleaning costs 9999 dollars.' },
    },
  });
  expect(drafted.ok(), await drafted.text()).toBe(true);
  await reload(page);
  await expect(page.getByText('Built-in rules answer', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Run its simulations' }).click();
  await expect(page.getByText(/Rules answered, which do not follow/)).toBeVisible();
  await expect(page.getByText('1 not judged', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('got better')).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Publish the draft?' });
  await expect(dialog.getByText(/not a language model/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await dialog.getByLabel('I looked at what was not judged').click();
  await expectAccessible(page, { within: '[role=alertdialog]' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Publish for a share' }).click();
  const share = page.getByRole('dialog', { name: 'Publish the draft for a share' });
  await expect(share.getByRole('button', { name: 'Publish for this share' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByLabel('I looked at what was not judged').click();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('The draft is published', { exact: true })).toBeVisible();
});
