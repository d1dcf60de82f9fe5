import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';

/** What the service made at its first start: the same that it prints for a person. */
const SECRETS = `${process.env.E2E_DEMO_DIR ?? 'node_modules/.cache/callwright/e2e-demo'}/demo.json`;

export const DEMO_WORKSPACE = '/w/ws_demo';

export type DemoSecrets = { email: string; password: string; apiKey: string };

export async function demoSecrets(): Promise<DemoSecrets> {
  return JSON.parse(await readFile(SECRETS, 'utf8')) as DemoSecrets;
}

/** Signs in as the demo's owner without the form and opens a page of the demo workspace. */
export async function signIn(page: Page, path = '/conversations'): Promise<void> {
  const { email, password } = await demoSecrets();
  const answer = await page.request.post('/api/auth/sign-in/email', { data: { email, password } });
  if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`);
  await page.goto(`${DEMO_WORKSPACE}${path}`);
}
