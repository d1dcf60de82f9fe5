import { randomBytes } from 'node:crypto';
import { apiKeys } from '#db/schema/keys.ts';
import { members, workspaces } from '#db/schema/workspaces.ts';
import { freshName } from '#db/testing.ts';
import type { RouteHandler } from '#lib/http/route.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import type { Actor, Role } from './actor.ts';
import { hashKey } from './key-ring.ts';
import { mintWorkspaceId } from './mint.ts';

/** Any time; tests that look at times pass a clock of their own to `startTestRuntime`. */
const CREATED_AT = new Date('2026-03-02T09:00:00.000Z');

/** A row of `workspaces` with nothing in it, and the actor who owns it. */
export async function addWorkspace(runtime: Pick<TestRuntime, 'db'>, wantedId: string): Promise<Actor> {
  const id = freshName(runtime.db, wantedId);
  await runtime.db.insert(workspaces).values({
    id,
    name: `Workspace ${id}`,
    rateCard: {
      carrierCentsPerMinute: 1.4,
      speechCentsPerMinute: 0,
      languageCentsPer1kInputTokens: 0,
      languageCentsPer1kOutputTokens: 0,
    },
    webhookSecret: `whsec_${randomBytes(24).toString('base64url')}`,
    webhookSecretChangedAt: CREATED_AT,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
  });
  return { workspaceId: mintWorkspaceId(id), kind: 'system', id: 'test', label: 'test', role: 'owner' };
}

/** An API key with the text a provision file might give it. */
export async function addKey(
  runtime: Pick<TestRuntime, 'db'>,
  workspaceId: string,
  text: string,
): Promise<void> {
  const id = `key_${randomBytes(8).toString('hex')}`;
  const key = { id, workspaceId, name: text, createdBy: 'test', createdAt: CREATED_AT };
  await runtime.db.insert(apiKeys).values({ ...key, hash: hashKey(text), lastFour: text.slice(-4) });
}

export const PASSWORD = 'correct horse battery';

export type SignedInMember = { userId: string; email: string; workspaceId: string; cookie: string };

/** A user who belongs to a workspace and is signed in: their id and the cookie of their session. */
export async function addSignedInMember(
  runtime: Pick<TestRuntime, 'auth' | 'db'>,
  workspaceId: string,
  role: Role,
  wantedEmail = `${role}@${workspaceId.replaceAll('_', '-')}.test`,
): Promise<SignedInMember> {
  const [wantedName, domain] = wantedEmail.split('@');
  const [, name] = freshName(runtime.db, `${domain}@${wantedName}`).split('@');
  const email = `${name}@${domain}`;
  const user = await runtime.auth.createUser({
    email,
    name: `The ${role}`,
    password: PASSWORD,
    homeWorkspaceId: workspaceId,
  });
  await runtime.db.insert(members).values({ workspaceId, userId: user.id, role, createdAt: CREATED_AT });
  return { userId: user.id, email, workspaceId, cookie: await signIn(runtime, email, PASSWORD) };
}

/** Signs in over HTTP and answers the cookie; throws when that is refused. */
export async function signIn(
  runtime: Pick<TestRuntime, 'auth' | 'db'>,
  email: string,
  password: string,
): Promise<string> {
  const response = await postSignIn(runtime, { email, password });
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  if (response.status !== 200 || !cookie) throw new Error(`sign-in answered ${response.status}`);
  return cookie;
}

export async function postSignIn(
  runtime: Pick<TestRuntime, 'auth' | 'db'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return runtime.auth.handle(
    new Request('http://localhost:3000/api/auth/sign-in/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-client-address': '203.0.113.5', ...headers },
      body: JSON.stringify(body),
    }),
  );
}

type RouteCall = {
  /** Whose cookie to send, with their workspace. */
  as?: SignedInMember;
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
};

/** Calls a route file's handler as the server would; `data` or `error` of the JSON answer comes back typed. */
export async function callRoute<Data = unknown>(handler: RouteHandler, call: RouteCall = {}) {
  const search = new URLSearchParams(call.query).toString();
  const request = new Request(`http://localhost:3000/api/test${search ? `?${search}` : ''}`, {
    // The handler is already chosen; the method only matters to the check of the origin.
    method: 'POST',
    headers: {
      ...(call.as ? { cookie: call.as.cookie, 'x-workspace-id': call.as.workspaceId } : {}),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  const response = await handler(request, { params: Promise.resolve(call.params ?? {}) });
  const answer = (await response.json()) as {
    data: Data;
    message?: string;
    error: { message: string; code: string };
  };
  return { status: response.status, data: answer.data, message: answer.message, error: answer.error };
}
