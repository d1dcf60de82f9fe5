import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '../sign-in.ts';

/** Somebody of the demo who is signed in, and its API key. */
export type DemoUser = { base: string; cookie: string; apiKey: string };

/** Signs in as the demo's owner, whose password lies in the service's folder. */
export async function signInToDemo(base: string, dataDir: string): Promise<DemoUser> {
  const { email, password, apiKey } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as {
    email: string;
    password: string;
    apiKey: string;
  };
  return { base, cookie: await signIn(base, { email, password }), apiKey };
}

/** The dashboard's pages that lead to each other from the first one, at most `count`. */
export async function findPages({ base, cookie }: DemoUser, count: number): Promise<string[]> {
  const found = new Set(['/']);
  for (const path of found) {
    const text = await fetch(base + path, { headers: { cookie, accept: 'text/html' } }).then((answer) =>
      answer.text(),
    );
    for (const [, link] of text.matchAll(/href="(\/(?:w|talk|docs)[^"#?]*)["?#]/g))
      if (link !== undefined && found.size < count) found.add(link);
  }
  return [...found];
}

/**
 * A round as people and programs use the service: each page, then the API's list, conversations, its description and a call.
 * Gives back how many requests that were, and throws where one did not succeed.
 */
export async function useOnce({ base, cookie, apiKey }: DemoUser, pages: readonly string[]): Promise<number> {
  let requests = 0;
  async function ask(path: string, init: RequestInit): Promise<string> {
    const answer = await fetch(base + path, init);
    requests += 1;
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.text();
  }
  const api = { headers: { 'x-api-key': apiKey } };
  for (const path of pages) await ask(path, { headers: { cookie, accept: 'text/html' } });
  const list = JSON.parse(await ask('/api/conversations?limit=10', api)) as { data: { id: string }[] };
  for (const { id } of list.data) await ask(`/api/conversation/${id}`, api);
  await ask('/api/openapi.json', api);
  await ask('/api/outbound', {
    method: 'POST',
    headers: { ...api.headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      from: '+15550100001',
      to: '+15550109901',
      variables: { name: 'Alex', months: '14' },
    }),
  });
  return requests;
}
