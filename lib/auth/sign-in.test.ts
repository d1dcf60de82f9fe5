import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessions } from '#db/schema/auth.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { addSignedInMember, addWorkspace, PASSWORD, postSignIn, signIn } from './testing.ts';

let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startTestRuntime();
  await addWorkspace(runtime, 'ws_alpha');
});

afterAll(() => runtime.close());

const request = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  runtime.auth.handle(
    new Request(`http://localhost:3000${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
  );

describe('signing in', () => {
  test('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const { email } = await addSignedInMember(runtime, 'ws_alpha', 'owner');
    const response = await postSignIn(runtime, { email: email.toUpperCase(), password: PASSWORD });
    expect(response.status).toBe(200);
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^callwright\.session_token=/);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
  });

  test('tells scripts who is signed in, and never the token of the session', async () => {
    const { email, userId, cookie } = await addSignedInMember(
      runtime,
      'ws_alpha',
      'owner',
      'token@alpha.test',
    );
    const token = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
    expect(token).toHaveLength(32);
    const signedIn = await postSignIn(runtime, { email, password: PASSWORD });
    expect(await signedIn.json()).toEqual({ redirect: false, user: expect.objectContaining({ id: userId }) });
    const session = await request('GET', '/api/auth/get-session', { cookie });
    const answer = await session.text();
    expect(answer).toContain(userId);
    expect(answer).not.toContain(token);
    expect(await (await request('GET', '/api/auth/get-session')).json()).toBeNull();
  });

  test('behind https the cookie is secure', async () => {
    const secure = await startTestRuntime({ env: { PUBLIC_URL: 'https://calls.example' } });
    await secure.auth.createUser({ email: 'a@secure.test', name: 'A', password: PASSWORD });
    const response = await postSignIn(secure, { email: 'a@secure.test', password: PASSWORD });
    expect(response.headers.get('set-cookie')).toMatch(/^__Secure-.*Secure/);
    await secure.close();
  });

  test('answers a wrong password and an unknown account alike', async () => {
    await runtime.auth.createUser({ email: 'known@alpha.test', name: 'Known', password: PASSWORD });
    const answers = await Promise.all(
      ['known@alpha.test', 'unknown@alpha.test'].map(async (email) => {
        const response = await postSignIn(runtime, { email, password: 'wrong wrong' });
        return { status: response.status, body: await response.json() };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBe(401);
  });

  test('an e-mail address has one account, however it is written', async () => {
    await runtime.auth.createUser({ email: 'once@alpha.test', name: 'Once', password: PASSWORD });
    const again = runtime.auth.createUser({
      email: 'ONCE@alpha.test',
      name: 'Again',
      password: 'another password',
    });
    await expect(again).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await signIn(runtime, 'once@alpha.test', PASSWORD);
  });

  test.each([
    ['no JSON', 'not json'],
    ['a list', '[]'],
    ['numbers', '{"email":1,"password":2}'],
    ['a NUL character', '{"email":"a@alpha.test","password":"a\\u0000b"}'],
    ['a huge password', JSON.stringify({ email: 'a@alpha.test', password: 'x'.repeat(1_000) })],
  ])('answers 400 to %s', async (_name, body) => {
    const response = await request(
      'POST',
      '/api/auth/sign-in/email',
      { 'content-type': 'application/json' },
      body,
    );
    expect(response.status).toBe(400);
  });

  test('another site cannot sign its visitor in', async () => {
    const response = await postSignIn(
      runtime,
      { email: 'known@alpha.test', password: PASSWORD },
      { origin: 'https://evil.example' },
    );
    expect(response.status).toBe(403);
  });

  test.each([
    ['POST', '/api/auth/sign-up/email'],
    ['GET', '/api/auth/list-sessions'],
    ['POST', '/api/auth/change-email'],
    ['POST', '/api/auth/delete-user'],
    ['GET', '/api/auth/ok'],
    ['GET', '/api/auth/sign-in/email'],
    ['PUT', '/api/auth/sign-out'],
  ])('%s %s is not there', async (method, path) => {
    const body =
      method === 'GET' ? undefined : '{"email":"new@alpha.test","password":"long enough","name":"New"}';
    const response = await request(method, path, { 'content-type': 'application/json' }, body);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND', statusCode: 404 } });
  });

  test('signing out ends the session in the database', async () => {
    const { userId, cookie } = await addSignedInMember(runtime, 'ws_alpha', 'member');
    const response = await request('POST', '/api/auth/sign-out', { cookie });
    expect(response.status).toBe(200);
    expect(await runtime.db.select().from(sessions).where(eq(sessions.userId, userId))).toEqual([]);
    expect(await runtime.auth.sessionUser(new Headers({ cookie }))).toBeUndefined();
  });

  test('a session remembers where it came from', async () => {
    const { userId } = await addSignedInMember(runtime, 'ws_alpha', 'viewer');
    const rows = await runtime.db.select().from(sessions).where(eq(sessions.userId, userId));
    expect(rows).toMatchObject([{ ipAddress: '203.0.113.5' }]);
  });
});

describe('guessing at passwords', () => {
  test('is stopped for the account and address, while its owner still signs in from elsewhere', async () => {
    const { email } = await addSignedInMember(runtime, 'ws_alpha', 'admin');
    const guesses = [];
    for (let guess = 0; guess < 12; guess += 1) {
      guesses.push(
        await postSignIn(
          runtime,
          { email, password: `guess ${guess}` },
          { 'x-client-address': '198.51.100.1' },
        ),
      );
    }
    expect(guesses.map((response) => response.status)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(Number(guesses.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    const right = { email, password: PASSWORD };
    expect((await postSignIn(runtime, right, { 'x-client-address': '198.51.100.1' })).status).toBe(429);
    expect((await postSignIn(runtime, right, { 'x-client-address': '198.51.100.2' })).status).toBe(200);
  });

  test('all at once gets two answers, and the rest is told to come again', async () => {
    await runtime.auth.createUser({ email: 'rush@alpha.test', name: 'Rush', password: PASSWORD });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, guess) =>
        postSignIn(runtime, { email: 'rush@alpha.test', password: `guess ${guess}` }),
      ),
    );
    expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([
      401,
      401,
      ...Array<number>(18).fill(429),
    ]);
    const refused = responses.find((response) => response.status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(await refused?.json()).toMatchObject({ error: { code: 'RATE_LIMITED', statusCode: 429 } });
  });

  test('signing in rightly many times is no guessing', async () => {
    const { email } = await addSignedInMember(runtime, 'ws_alpha', 'owner', 'often@alpha.test');
    for (let round = 0; round < 11; round += 1) expect(await signIn(runtime, email, PASSWORD)).toBeTruthy();
  });
});
