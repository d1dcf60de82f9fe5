import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { visit } from './visit.ts';

/** What the service made at its first start: the same that it prints for a person. */
export const DEMO_DIR = process.env.E2E_DEMO_DIR ?? 'node_modules/.cache/callwright/e2e-demo';

export const DEMO_WORKSPACE = '/w/ws_demo';

export type DemoSecrets = { email: string; password: string; apiKey: string; complete: boolean };
type Account = { email: string; password: string };
type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;

export async function demoSecrets(dataDir = DEMO_DIR): Promise<DemoSecrets> {
  return JSON.parse(await readFile(`${dataDir}/demo.json`, 'utf8')) as DemoSecrets;
}

/** Waits until the demo's own conversations are all there: until then the lists change by themselves. */
export async function demoIsWhole(): Promise<void> {
  await expect.poll(async () => (await demoSecrets()).complete, { timeout: 240_000 }).toBe(true);
}

/** The owner's session, opened once in each worker: checking a password takes the service a tenth of a second. */
let session: Cookies | undefined;

/** Makes the owner of the demo workspace whoever opens pages here. A test that ends sessions opens one of its own. */
export async function authenticate(page: Page): Promise<void> {
  if (!session) {
    await openSession(page, await demoSecrets());
    session = await page.context().cookies();
  }
  await page.context().addCookies(session);
}

/** Opens a page of the demo workspace as its owner. */
export async function signIn(page: Page, path: string): Promise<void> {
  await authenticate(page);
  await visit(page, `${DEMO_WORKSPACE}${path}`);
}

/** Signs in without the form, in a session of its own, and opens a page of the demo workspace. */
export async function signInAs(page: Page, account: Account, path: string): Promise<void> {
  await openSession(page, account);
  await visit(page, `${DEMO_WORKSPACE}${path}`);
}

async function openSession(page: Page, { email, password }: Account): Promise<void> {
  // The service checks one or two passwords at a time, and refuses the others for a second.
  await expect(async () => {
    const answer = await page.request.post('/api/auth/sign-in/email', { data: { email, password } });
    expect(answer.status(), await answer.text()).toBe(200);
  }).toPass({ timeout: 20_000 });
}
