import { expect, type Page } from '@playwright/test';
import { DEMO_WORKSPACE, demoSecrets } from './sign-in.ts';

const DAY_MS = 86_400_000;

/** The conversation of the demo that was the last to end like this, for who is signed in. */
export async function pathOfDemoCall(page: Page, disposition: string): Promise<string> {
  // The demo's own calls are made while the first tests run.
  await expect.poll(() => findCall(page, disposition), { timeout: 45_000 }).toBeTruthy();
  return `${DEMO_WORKSPACE}/conversations/${await findCall(page, disposition)}`;
}

async function findCall(page: Page, disposition: string): Promise<string | undefined> {
  const answer = await page.request.get('/api/dashboard/calls', {
    headers: { 'x-workspace-id': 'ws_demo' },
    // What other tests bring about is of today.
    params: { disposition, status: 'ended', dateEnd: Date.now() - DAY_MS, limit: 1 },
  });
  const { data } = (await answer.json()) as { data: { calls: { id: string }[] } };
  return data.calls[0]?.id;
}

/** Queues a call of the demo's front desk over the API and gives its id. */
export async function placeCall(page: Page, to: string, name = 'Robin'): Promise<string> {
  const { apiKey } = await demoSecrets();
  const answer = await page.request.post('/api/outbound', {
    headers: { 'x-api-key': apiKey },
    data: { from: '+15550100001', to, variables: { name, months: '14' } },
  });
  expect(answer.status()).toBe(200);
  return ((await answer.json()) as { data: { conversationId: string } }).data.conversationId;
}

/** Places a call over the API and waits until its conversation is there. */
export async function runCall(page: Page, to: string, name?: string): Promise<string> {
  const callId = await placeCall(page, to, name);
  const { apiKey } = await demoSecrets();
  const read = async () => {
    const answer = await page.request.get(`/api/conversation/${callId}`, {
      headers: { 'x-api-key': apiKey },
    });
    return ((await answer.json()) as { data: unknown }).data;
  };
  await expect.poll(read, { timeout: 45_000 }).not.toBeNull();
  return callId;
}
