import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { visit } from './visit.ts';

/** What the service made at its first start: the same that it prints for a person. */
export const DEMO_DIR = process.env.E2E_DEMO_DIR ?? 'node_modules/.cache/callwright/e2e-demo';

export const DEMO_WORKSPACE = '/w/ws_demo';

export type DemoSecrets = { email: string; password: string; apiKey: string; complete: boolean };
type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;

export async function demoSecrets(dataDir = DEMO_DIR): Promise<DemoSecrets> {
  return JSON.parse(await readFile(`${dataDir}/demo.json`, 'utf8')) as DemoSecrets;
}

/** Waits until the demo's own conversations are all there: until then the lists change by themselves. */
export async function demoIsWhole(): Promise<void> {
  await expect.poll(async () => (await demoSecrets()).complete, { timeout: 45_000 }).toBe(true);
}

/** The owner's session, opened once in each worker: checking a password takes the service a tenth of a second. */
let session: Cookies | undefined;

/** Opens a page of the demo workspace as its owner. A test that ends sessions opens one of its own, `signInAs`. */
export async function signIn(page: Page, path = '/conversations'): Promise<void> {
  if (session) {
    await page.context().addCookies(session);
    await visit(page, `${DEMO_WORKSPACE}${path}`);
    return;
  }
  await signInAs(page, await demoSecrets(), path);
  session = await page.context().cookies();
}

/** Signs in without the form, in a session of its own, and opens a page of the demo workspace. */
export async function signInAs(
  page: Page,
  account: { email: string; password: string },
  path = '/conversations',
): Promise<void> {
  const { email, password } = account;
  // The service checks one or two passwords at a time, and refuses the others for a second.
  await expect(async () => {
    const answer = await page.request.post('/api/auth/sign-in/email', { data: { email, password } });
    expect(answer.status(), await answer.text()).toBe(200);
  }).toPass({ timeout: 20_000 });
  await visit(page, `${DEMO_WORKSPACE}${path}`);
}
