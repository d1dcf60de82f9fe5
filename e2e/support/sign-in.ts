import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';

/** What the service made at its first start: the same that it prints for a person. */
export const DEMO_DIR = process.env.E2E_DEMO_DIR ?? 'node_modules/.cache/callwright/e2e-demo';

export const DEMO_WORKSPACE = '/w/ws_demo';

export type DemoSecrets = { email: string; password: string; apiKey: string };

export async function demoSecrets(dataDir = DEMO_DIR): Promise<DemoSecrets> {
  return JSON.parse(await readFile(`${dataDir}/demo.json`, 'utf8')) as DemoSecrets;
}

/** Signs in as the demo's owner without the form and opens a page of the demo workspace. */
export async function signIn(page: Page, path = '/conversations', dataDir = DEMO_DIR): Promise<void> {
  const { email, password } = await demoSecrets(dataDir);
  const answer = await page.request.post('/api/auth/sign-in/email', { data: { email, password } });
  if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`);
  await page.goto(`${DEMO_WORKSPACE}${path}`);
}
