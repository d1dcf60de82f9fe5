import { z } from 'zod';
import { AppError, isAppError } from '#lib/errors.ts';
import { readJsonBody } from '#lib/http/body.ts';
import { clientAddress, networkOf } from '#lib/http/client-address.ts';
import { appErrorOf, errorBody, errorResponse } from '#lib/http/error-response.ts';
import { parseOrThrow } from '#lib/http/parse.ts';
import { text } from '#lib/http/schemas.ts';
import { describeError } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { AccountLog } from './account-log.ts';
import type { BetterAuth } from './better-auth.ts';
import type { PasswordQueue } from './password-queue.ts';
import { normalizeEmail, PASSWORD_MAX_CHARACTERS } from './rules.ts';
import { assertSameOrigin } from './same-origin.ts';
import type { SignInLimit } from './sign-in-limit.ts';

const signInBody = z.object({
  email: z.email('must be an e-mail address').max(254),
  password: text(PASSWORD_MAX_CHARACTERS),
  rememberMe: z.boolean().optional(),
});

type AuthHttpDeps = Pick<Dependencies, 'log' | 'ids'> & {
  betterAuth: BetterAuth;
  signInLimit: SignInLimit;
  passwords: PasswordQueue;
  accountLog: AccountLog;
  publicOrigin: string;
};

/** An e-mail address and a password, every character of both escaped. */
const MAX_AUTH_BODY_BYTES = 4 * 1024;

/** The paths below `/api` that have no operation object; the gate lets these in and nothing else. */
export const AUTH_ROUTES = [
  { operation: 'signIn', method: 'POST', path: '/auth/sign-in/email', maxBodyBytes: MAX_AUTH_BODY_BYTES },
  { operation: 'signOut', method: 'POST', path: '/auth/sign-out', maxBodyBytes: MAX_AUTH_BODY_BYTES },
  { operation: 'getSession', method: 'GET', path: '/auth/get-session', maxBodyBytes: MAX_AUTH_BODY_BYTES },
] as const;

type AuthOperation = (typeof AUTH_ROUTES)[number]['operation'];

/**
 * Serves /api/auth with better-auth's own paths and answers, so that its browser client works too: `POST
 * sign-in/email`, `POST sign-out`, `GET get-session`. Failures carry the API's `error` object and better-auth's
 * `message` and `code` beside it. Every other path is 404.
 */
export function createAuthHttp(deps: AuthHttpDeps) {
  const { api } = deps.betterAuth;
  const serve: Record<AuthOperation, (request: Request) => Promise<Response>> = {
    signIn: (request) => signIn(deps, request),
    signOut: (request) => signOut(deps, request),
    getSession: (request) => api.getSession({ headers: request.headers, asResponse: true }),
  };

  return async function handle(request: Request): Promise<Response> {
    const startedAt = performance.now();
    const requestId = deps.ids.next('req');
    const path = new URL(request.url).pathname.replace(/\/+$/, '');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = AUTH_ROUTES.find((known) => known.method === method && `/api${known.path}` === path);
    const event: Record<string, unknown> = {
      event: 'request',
      requestId,
      operation: route?.operation,
      method: request.method,
    };
    let response: Response;
    try {
      if (!route) throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
      assertSameOrigin(request, deps.publicOrigin);
      response = await withoutToken(await serve[route.operation](request));
    } catch (error) {
      response = failure(error);
      if (isAppError(error)) event.code = error.code;
      else event.error = describeError(error);
    }
    event.status = response.status;
    event.durationMs = Math.round(performance.now() - startedAt);
    deps.log[response.status >= 500 ? 'error' : 'info'](event);
    response.headers.set('x-request-id', requestId);
    response.headers.set('cache-control', 'no-store');
    return response;
  };
}

async function signIn(deps: AuthHttpDeps, request: Request): Promise<Response> {
  const body = parseOrThrow(
    signInBody,
    await readJsonBody(request, { maxBytes: MAX_AUTH_BODY_BYTES }),
    'body',
  );
  const attempt = { account: normalizeEmail(body.email), address: clientAddress(request.headers) };
  const response = await deps.passwords.run(networkKeyOf(request), async () => {
    await deps.signInLimit.begin(attempt);
    return deps.betterAuth.api.signInEmail({
      body: { email: attempt.account, password: body.password, rememberMe: body.rememberMe ?? true },
      headers: request.headers,
      asResponse: true,
    });
  });
  const who = { email: attempt.account, address: attempt.address };
  if (response.status === 401) {
    deps.accountLog.refused({ ...who, action: 'account.sign_in_refused' });
    throw new AppError('UNAUTHORIZED', 'The e-mail address or the password is wrong');
  }
  if (response.ok) {
    await deps.signInLimit.succeeded(attempt);
    const data = {
      address: who.address,
      userAgent: request.headers.get('user-agent')?.slice(0, 300) ?? null,
    };
    await deps.accountLog.note({ email: who.email, action: 'account.signed_in', data });
  }
  return response;
}

async function signOut({ betterAuth, accountLog }: AuthHttpDeps, request: Request): Promise<Response> {
  const { headers } = request;
  const session = await betterAuth.api.getSession({ headers });
  const response = await betterAuth.api.signOut({ headers, asResponse: true });
  if (session && response.ok)
    await accountLog.note({ email: session.user.email, action: 'account.signed_out' });
  return response;
}

function networkKeyOf(request: Request): string {
  return `address:${networkOf(clientAddress(request.headers))}`;
}

/** The token of a session belongs into the cookie, where scripts cannot read it, and nowhere else. */
async function withoutToken(response: Response): Promise<Response> {
  if (response.status >= 500) throw new Error(`better-auth answered ${response.status}`);
  if (!response.ok) throw new AppError('MALFORMED_REQUEST', 'The request could not be served');
  const answer = (await response.json()) as Record<string, unknown> | null;
  const headers = new Headers();
  for (const cookie of response.headers.getSetCookie()) headers.append('set-cookie', cookie);
  if (answer === null) return Response.json(null, { headers });
  const { token: _token, session, ...shown } = answer;
  if (typeof session !== 'object' || session === null) return Response.json(shown, { headers });
  const { token: _sessionToken, ...shownSession } = session as Record<string, unknown>;
  return Response.json({ ...shown, session: shownSession }, { headers });
}

function failure(error: unknown): Response {
  const { status, headers } = errorResponse(error);
  const known = appErrorOf(error) ?? new AppError('INTERNAL_ERROR', 'Something went wrong on our side');
  return Response.json(authErrorBody(known), { status, headers });
}

/** The API's error answer, and better-auth's two fields beside it. */
export function authErrorBody(error: AppError) {
  return { ...errorBody(error), message: error.message, code: error.code };
}
