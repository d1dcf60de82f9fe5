import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { expectAccessible, expectToFitPhone, watchPolicy } from './support/accessibility.ts';
import { pathOfDemoCall } from './support/demo-calls.ts';
import { authenticate, DEMO_WORKSPACE, demoIsWhole } from './support/sign-in.ts';
import { visit } from './support/visit.ts';

// They only look, so they need not wait for each other.
test.describe.configure({ mode: 'parallel' });

const button = (page: Page, name: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first();

type Opened = {
  path: string;
  /** What is clicked to open it, and has the focus again afterwards. */
  opener: (page: Page) => Locator;
  role: 'dialog' | 'alertdialog' | 'menu';
  name?: string | RegExp;
  /** The entry of the opener's menu that leads on to the dialog. */
  entry?: string;
};

const dialog = (path: string, opener: string | RegExp, name: string | RegExp): Opened => ({
  path,
  opener: (page) => button(page, opener),
  role: 'dialog',
  name,
});
const confirmation = (path: string, opener: string | RegExp, name: string | RegExp): Opened => ({
  ...dialog(path, opener, name),
  role: 'alertdialog',
});
const menu = (path: string, opener: string | RegExp): Opened => ({
  path,
  opener: (page) => button(page, opener),
  role: 'menu',
});

const OPENED: Opened[] = [
  dialog('/overview', 'Last 7 days', 'Range'),
  dialog('/conversations', 'Any date', 'Date range'),
  menu('/calls/new', 'Choose a person'),
  dialog('/agents', 'New agent', 'New agent'),
  menu('/agents/agent_front_desk', 'More actions'),
  dialog('/agents/agent_front_desk', 'API call', 'The same over the API'),
  dialog('/agents/agent_front_desk', 'Whole text', 'What the model gets, whole'),
  confirmation('/agents/agent_front_desk/outbound-prompts', /^Delete /, /^Delete /),
  dialog('/knowledge', 'New knowledge base', 'New knowledge base'),
  dialog('/knowledge/kb_practice', 'Edit', 'Edit knowledge base'),
  menu('/knowledge/kb_practice', 'More actions'),
  {
    ...confirmation('/knowledge/kb_practice', 'More actions', /^Delete About/),
    entry: 'Delete knowledge base',
  },
  confirmation('/knowledge/kb_practice', 'Delete prices.csv', 'Delete prices.csv?'),
  menu('/settings/webhooks', 'Export'),
  confirmation('/settings/webhooks', 'Regenerate', 'Replace the secret now?'),
  dialog('/settings/keys', 'New API key', 'New API key'),
  confirmation('/settings/keys', /^Revoke /, /^Revoke /),
  dialog('/settings/integrations', 'New integration', 'New integration'),
  dialog('/settings/members', 'Add a person', 'Add a person'),
  dialog('/settings/members', /^Set a new password/, /^New password for /),
  confirmation('/settings/members', /^Remove /, /^Remove /),
  confirmation('/settings/members', 'Leave this workspace', 'Leave this workspace?'),
  dialog('/settings/numbers', 'New number', 'New number'),
  dialog('/settings/numbers', /^Test \+/, /^Test \+/),
  dialog('/settings/numbers', /^Edit \+/, /^Limit of /),
  confirmation('/settings/numbers', /^Delete \+/, /^Delete \+/),
  dialog('/settings/opt-outs', 'Add number', 'Never call a number again'),
  dialog('/settings/opt-outs', 'Import', 'Import opt-outs'),
  dialog('/settings/tags', 'New tag', 'New tag'),
  dialog('/settings/tags', /^Edit /, /^Rule of /),
  confirmation('/settings/tags', /^Remove /, /^Remove /),
  {
    path: '/conversations',
    opener: (page) => page.getByRole('button', { name: 'Switch workspace' }),
    role: 'menu',
  },
  {
    path: '/conversations',
    opener: (page) => page.getByRole('button', { name: 'Account of' }),
    role: 'menu',
  },
  {
    path: '/conversations',
    opener: (page) => page.getByRole('button', { name: /^Go to/ }),
    role: 'dialog',
    name: 'Go to',
  },
];

/** All menus are one component, and so are all questions before something is done: one of each stands for them. */
const LOOKED_AT = OPENED.filter(
  (opened) => opened.role === 'dialog' || opened === OPENED.find(({ role }) => role === opened.role),
);

/**
 * Every page of the workspace; what opens on it is looked at while it is there. The pages of one list are opened one
 * after the other in one tab, where their scripts are compiled once.
 */
const SECTIONS = {
  work: [
    '/overview',
    '/conversations',
    '/calls/new',
    '/campaigns',
    '/campaigns/new',
    '/agents',
    '/knowledge',
    '/knowledge/kb_practice',
  ],
  agent: [
    '/agents/agent_front_desk',
    '/agents/agent_front_desk/voice-card',
    '/agents/agent_front_desk/outbound-prompts',
    '/agents/agent_front_desk/outbound-prompts/new',
    '/agents/agent_front_desk/outbound-prompts/prompt_checkup',
    '/agents/agent_front_desk/chat-prompt',
    '/agents/agent_front_desk/behaviour',
    '/agents/agent_front_desk/results',
    '/agents/agent_front_desk/knowledge',
  ],
  'what an agent does': [
    '/agents/agent_front_desk/numbers',
    '/agents/agent_front_desk/talk',
    '/agents/agent_front_desk/chat',
    '/agents/agent_front_desk/versions',
    '/agents/agent_front_desk/simulations',
    '/agents/agent_front_desk/simulations/scenarios/new',
    '/settings/account',
    '/settings/audit',
  ],
  people: [
    '/settings',
    '/settings/usage',
    '/settings/status',
    '/settings/keys',
    '/settings/integrations',
    '/settings/members',
    '/settings/retention',
  ],
  calling: [
    '/settings/numbers',
    '/settings/numbers/setup',
    '/settings/calling',
    '/settings/opt-outs',
    '/settings/tags',
    '/settings/webhooks',
  ],
};
const PAGES = Object.values(SECTIONS).flat();

/** With few rows: each row is looked at for as long as the first one, and tells nothing else. */
const SHORT: Record<string, string> = {
  '/overview': '/overview?days=7',
  '/conversations': '/conversations?disposition=VOICEMAIL',
};

/** What the demo has for the names of a path; a conversation, a document and a delivery have tests of their own. */
const DEMO_IDS: Record<string, string> = {
  '[agentId]': 'agent_front_desk',
  '[promptId]': 'prompt_checkup',
  '[knowledgeBaseId]': 'kb_practice',
};
const REDIRECTS = ['', '/calls'];

test('no page is forgotten, nor one whose dialogs are listed', async () => {
  const files = await readdir('app/w/[workspaceId]', { recursive: true });
  const paths = files
    .filter((file) => basename(file) === 'page.tsx')
    .map((file) => dirname(`/${file}`).replace(/\/\(\w+\)|^\/$/g, ''))
    .map((path) => path.replace(/\[\w+\]/g, (name) => DEMO_IDS[name] ?? name))
    .filter((path) => !path.includes('[') && !REDIRECTS.includes(path));
  expect([...PAGES].sort()).toEqual(paths.sort());
  expect(PAGES).toEqual(expect.arrayContaining(OPENED.map(({ path }) => path)));
});

for (const [section, paths] of Object.entries(SECTIONS)) {
  test(`the pages of ${section} and what opens on them are accessible, fit a phone and keep their policy`, async ({
    page,
  }) => {
    test.setTimeout(480_000);
    const refused = await watchPolicy(page);
    await authenticate(page);
    if (section === 'work') await demoIsWhole();
    for (const path of paths) {
      refused.length = 0;
      await visit(page, DEMO_WORKSPACE + (SHORT[path] ?? path));
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectToFitPhone(page);
      expect.soft(refused, path).toEqual([]);
      await expectAccessible(page);
      for (const opened of LOOKED_AT.filter((one) => one.path === path))
        await expectOpenedAccessible(page, opened);
    }
  });
}

test(
  'every menu and every question is accessible, takes the focus and gives it back',
  { tag: '@nightly' },
  async ({ page }) => {
    test.setTimeout(300_000);
    await authenticate(page);
    const others = OPENED.filter((opened) => !LOOKED_AT.includes(opened));
    for (const path of new Set(others.map((opened) => opened.path))) {
      await visit(page, DEMO_WORKSPACE + (SHORT[path] ?? path));
      for (const opened of others.filter((one) => one.path === path))
        await expectOpenedAccessible(page, opened);
    }
  },
);

/** What opens takes the focus, is accessible, and gives the focus back to what opened it. */
async function expectOpenedAccessible(page: Page, { opener, role, name, entry }: Opened): Promise<void> {
  const opened = page.getByRole(role, name === undefined ? {} : { name });
  await opener(page).click();
  if (entry) await page.getByRole('menuitem', { name: entry }).click();
  await expect(opened).toBeVisible();
  await expect(opened.locator(':focus').or(opened.and(page.locator(':focus')))).toHaveCount(1);
  // A menu belongs to its button, wherever in the document it is drawn; axe asks for a landmark around it.
  await expectAccessible(page, { within: `[role=${role}]`, without: role === 'menu' ? ['region'] : [] });
  await page.keyboard.press('Escape');
  await expect(opened).toBeHidden();
  await expect(opener(page)).toBeFocused();
}

test('a conversation and a document are accessible, fit a phone and keep their policy', async ({ page }) => {
  const refused = await watchPolicy(page);
  await authenticate(page);
  await visit(page, await pathOfDemoCall(page, 'COMPLETED'));
  await expect(page.getByRole('slider', { name: 'Position in the recording' })).toBeVisible();
  await expectToFitPhone(page);
  expect(refused).toEqual([]);
  await expectAccessible(page);
  await visit(page, `${DEMO_WORKSPACE}/knowledge/kb_practice`);
  await page.getByRole('link', { name: 'practice.md' }).first().click();
  await expect(page.getByRole('region', { name: 'Extracted text' })).toBeVisible();
  await expectToFitPhone(page);
  await expectAccessible(page);
});
