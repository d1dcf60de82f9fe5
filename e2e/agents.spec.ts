import { expect, test, type Page } from '@playwright/test';
import { demoSecrets, signIn } from './support/sign-in.ts';

/** Makes an agent over the API and opens a page of it; gives back its id. */
async function openAgent(page: Page, name: string, inboundPrompt: string, tab = ''): Promise<string> {
  const { apiKey } = await demoSecrets();
  const answer = await page.request.post('/api/agents', {
    headers: { 'x-api-key': apiKey },
    data: { name, inboundPrompt },
  });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
  const { id } = ((await answer.json()) as { data: { id: string } }).data;
  await signIn(page, `/agents/${id}${tab}`);
  return id;
}

/** What the API says about an agent, past the browser. */
async function readAgent(page: Page, agentId: string): Promise<Record<string, unknown>> {
  const { apiKey } = await demoSecrets();
  const answer = await page.request.get(`/api/agents/${agentId}`, { headers: { 'x-api-key': apiKey } });
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
}

test('an agent is searched for and made; its prompt is previewed, checked, saved and not lost by a link', async ({
  page,
}) => {
  await signIn(page, '/agents');
  const rows = page.getByRole('region', { name: 'Agents' }).locator('tbody tr');
  await expect(rows.filter({ hasText: 'Front desk' })).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search agents' }).fill('front');
  await expect(rows.filter({ hasNotText: 'Front desk' })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search agents' }).fill('xyzzy');
  await expect(page.getByText('No agent matches')).toBeVisible();

  await page.getByRole('button', { name: 'New agent' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New agent' });
  await dialog.getByLabel('Name').fill('Preview agent');
  await dialog.getByLabel('Prompt for inbound calls').fill('You are Nora from Lakeside Optics.');
  await dialog.getByRole('button', { name: 'Create agent' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Preview agent' })).toBeVisible();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  const prompt = page.getByLabel('Prompt', { exact: true });
  await prompt.fill('Line one.\nHello {{first name}}, welcome.');
  const errors = page.getByRole('list', { name: 'Template errors' });
  await expect(errors).toContainText('Line 2, column');
  await errors.getByRole('button').first().click();
  await expect(prompt).toBeFocused();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  expect((await readAgent(page, id)).inboundPrompt).toBe('You are Nora from Lakeside Optics.');

  await prompt.fill(
    'You are Olga from Lakeside Optics. Nora\'s colleague. Greet callers with: "Lakeside Optics, Olga speaking."',
  );
  await expect(page.getByTestId('preview-opening')).toContainText('Lakeside Optics, Olga speaking.');
  await page.getByRole('button', { name: 'API call' }).click();
  const call = page.getByRole('region', { name: 'API call' });
  await expect(call).toContainText(`/api/agents/${id}/inbound-prompt`);
  await expect(call).toContainText(String.raw`Nora'\''s colleague`);
  await page.keyboard.press('Escape');
  await save(page);
  expect((await readAgent(page, id)).personaName).toBe('Olga');

  await prompt.fill('You are somebody else.');
  await page.getByRole('link', { name: 'Voice card' }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(prompt).toHaveValue('You are somebody else.');
  await page.getByRole('link', { name: 'Voice card' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/voice-card$/);
});

test('a prompt moves into the single-prompt template and out again', async ({ page }) => {
  const id = await openAgent(
    page,
    'Template agent',
    'You are Nora from Lakeside Optics. You book eye tests.',
  );
  await page.getByRole('button', { name: 'Use the single-prompt template' }).click();
  await expect(page.getByLabel('Template', { exact: true })).toHaveValue(/You book eye tests\./);
  await expect(page.getByRole('tab', { name: 'Instructions' })).toBeVisible();
  await save(page);
  expect(String((await readAgent(page, id)).inboundSinglePrompt)).toContain('You book eye tests.');
  await page.getByRole('button', { name: 'Stop using the template' }).click();
  await page.getByRole('button', { name: 'Stop using it' }).click();
  await expect(page.getByLabel('Prompt', { exact: true })).toHaveValue(/You book eye tests\./);
  expect((await readAgent(page, id)).inboundSinglePrompt).toBeNull();
});

test('a voice card is marked when edited by hand, says what is too long, and is derived again', async ({
  page,
}) => {
  const id = await openAgent(page, 'Card agent', 'You are Nora from Lakeside Optics.', '/voice-card');
  await expect(page.getByText('Derived from the prompt', { exact: true })).toBeVisible();
  const name = page.getByLabel('Persona name');
  await name.fill('x'.repeat(121));
  await expect(page.getByText('121 / 120')).toBeVisible();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Must be at most 120 characters', { exact: true })).toBeVisible();
  await name.fill('Beatrice');
  await save(page);
  await expect(page.getByText('Edited by hand', { exact: true })).toBeVisible();
  expect(await readAgent(page, id)).toMatchObject({ personaName: 'Beatrice', voiceCardEdited: true });
  await page.getByRole('button', { name: 'Derive again' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Derive again' }).click();
  await expect(name).toHaveValue('Nora');
  expect(await readAgent(page, id)).toMatchObject({ personaName: 'Nora', voiceCardEdited: false });
});

test('an outbound prompt is created, rendered with sample values, edited and deleted', async ({ page }) => {
  const id = await openAgent(page, 'Outbound agent', 'You are Nora.', '/outbound-prompts');
  await page.getByRole('link', { name: 'New outbound prompt' }).click();
  await page.getByLabel('Title').fill('Order ready');
  await page.getByLabel('Instructions').fill('Tell {{name}} that the order is ready.');
  await page
    .getByLabel('Opening', { exact: true })
    .fill('Hello {{name}}, {{count < 2 ? "your order is" : "your {{count}} orders are"}} ready.');
  const opening = page.getByTestId('preview-opening');
  await expect(opening).toContainText('Hello Alex, your 3 orders are ready.');
  await page.getByRole('group', { name: 'Sample variables' }).getByLabel('count').fill('1');
  await expect(opening).toContainText('Hello Alex, your order is ready.');
  await page.getByRole('button', { name: 'Create prompt' }).click();
  await expect(page.getByText('Everything is saved')).toBeVisible();
  await page.getByLabel('Scope').fill('Orders that are ready.');
  await page.getByLabel('Title').fill('Order is ready');
  await save(page);
  await page.getByRole('link', { name: 'All outbound prompts' }).click();
  await expect(page.getByRole('link', { name: 'Order is ready' })).toBeVisible();
  await expect(page.getByText('Default', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete Order is ready' }).click();
  await page.getByRole('button', { name: 'Delete prompt' }).click();
  await expect(page.getByText('No outbound prompts')).toBeVisible();
  const { apiKey } = await demoSecrets();
  const list = await page.request.get(`/api/agents/${id}/outbound-prompts`, {
    headers: { 'x-api-key': apiKey },
  });
  expect(((await list.json()) as { data: unknown[] }).data).toEqual([]);
});

test('every setting of the Behaviour tab reaches the API, and a refusal stands beside its field', async ({
  page,
}) => {
  const id = await openAgent(page, 'Behaviour agent', 'You are Nora.', '/behaviour');
  const before = await readAgent(page, id);
  const switches = {
    'End the call': 'hasEndCall',
    'Can be interrupted': 'hasBargeIn',
    'Transfer calls': 'hasCallTransfer',
    'Transfer inbound calls at once': 'hasAutoInboundTransfer',
    Multilingual: 'isMultilingual',
    'Own language': 'hasLanguage',
    'Recognition hints': 'hasHints',
    'Send the post-conversation webhook': 'hasPostConversationWebhook',
    Active: 'isActive',
  };
  for (const label of Object.keys(switches))
    await page.getByRole('switch', { name: label, exact: true }).click();
  await page.getByLabel('Transfer number').fill('(555) 010-0009');
  await page.getByLabel('Language code').fill('de-DE');
  await page.getByLabel('Hints', { exact: true }).fill('periodontitis, Invisalign');
  await page.getByRole('combobox', { name: 'Number shown on transfer' }).click();
  await page.getByRole('option', { name: /The caller/ }).click();
  await page.getByRole('switch', { name: 'book_appointment' }).click();
  await page.getByLabel('Disable another tool').fill('send_fax');
  await page.getByLabel('Disable another tool').press('Enter');
  await page.getByLabel('Add by id').fill('int_crm');
  await page.getByRole('button', { name: 'Add', exact: true }).last().click();
  await expect(page.getByText('Unknown', { exact: true })).toHaveCount(2);
  await save(page);
  const after = await readAgent(page, id);
  for (const field of Object.values(switches)) expect(after[field], field).toBe(!before[field]);
  expect(after).toMatchObject({
    inboundTransferNumber: '+15550100009',
    language: 'de-DE',
    hints: 'periodontitis, Invisalign',
    transferCallerId: 'human',
    integrationIds: ['int_crm'],
  });
  expect(after.disabledToolNames).toEqual(expect.arrayContaining(['book_appointment', 'send_fax']));

  await page.getByLabel('URL of this agent').fill('https://169.254.169.254/latest');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByLabel('URL of this agent')).toHaveAttribute('aria-invalid', 'true');
});

test('a knowledge base is attached, and shows what the agent would find', async ({ page }) => {
  await openAgent(page, 'Knowing agent', 'You are Nora.', '/knowledge');
  await page.getByRole('checkbox', { name: 'About the practice' }).click();
  await save(page);
  await page.getByRole('searchbox', { name: 'Question' }).fill('What does whitening cost?');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'prices.csv' }).first()).toContainText('350');
});
