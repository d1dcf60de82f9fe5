import { isAPIError } from 'better-auth/api';
import { z } from 'zod';
import { AppError, isAppError } from '#lib/errors.ts';
import { readJsonBody } from '#lib/http/body.ts';
import { clientAddress } from '#lib/http/client-address.ts';
import { errorBody } from '#lib/http/error-response.ts';
import { parseOrThrow } from '#lib/http/parse.ts';
import { text } from '#lib/http/schemas.ts';
import type { Foundation } from '#lib/runtime.ts';
import type { BetterAuth } from './better-auth.ts';
import { normalizeEmail, PASSWORD_MAX_CHARACTERS } from './rules.ts';
import { assertSameOrigin } from './same-origin.ts';
import type { SignInLimit } from './sign-in-limit.ts';

const signInBody = z.object({
  email: z.email('must be an e-mail address').max(254),
  password: text(PASSWORD_MAX_CHARACTERS),
  rememberMe: z.boolean().optional(),
});

type AuthHttpDeps = {
  betterAuth: BetterAuth;
  signInLimit: SignInLimit;
  publicOrigin: string;
  log: Foundation['log'];
};

/**
 * Serves /api/auth with better-auth's own paths and answers, so that its browser client works too: `POST
 * sign-in/email`, `POST sign-out`, `GET get-session`. Failures carry the API's `error` object and better-auth's
 * `message` and `code` beside it. Every other path is 404.
 */
export function createAuthHttp(deps: AuthHttpDeps) {
  const handlers: Record<string, (request: Request) => Promise<Response>> = {
    'POST /api/auth/sign-in/email': (request) => signIn(deps, request),
    'POST /api/auth/sign-out': (request) =>
      deps.betterAuth.api.signOut({ headers: request.headers, asResponse: true }),
    'GET /api/auth/get-session': (request) =>
      deps.betterAuth.api.getSession({ headers: request.headers, asResponse: true }),
  };
  return async function handle(request: Request): Promise<Response> {
    try {
      const handler = handlers[`${request.method} ${new URL(request.url).pathname.replace(/\/+$/, '')}`];
      if (!handler) throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
      assertSameOrigin(request, deps.publicOrigin);
      return await handler(request);
    } catch (error) {
      return failure(deps, error);
    }
  };
}

async function signIn(deps: AuthHttpDeps, request: Request): Promise<Response> {
  const body = parseOrThrow(signInBody, await readJsonBody(request), 'body');
  const attempt = { account: normalizeEmail(body.email), address: clientAddress(request.headers) };
  await deps.signInLimit.begin(attempt);
  const response = await deps.betterAuth.api
    .signInEmail({
      body: { email: attempt.account, password: body.password, rememberMe: body.rememberMe ?? true },
      headers: request.headers,
      asResponse: true,
    })
    .catch((error: unknown) => {
      throw isAPIError(error) && error.statusCode === 401 ? wrongPassword() : error;
    });
  if (response.status === 401) throw wrongPassword();
  if (response.ok) await deps.signInLimit.succeeded(attempt);
  return response;
}

function wrongPassword(): AppError {
  return new AppError('UNAUTHORIZED', 'E-mail address or password is wrong');
}

function failure(deps: AuthHttpDeps, error: unknown): Response {
  const known = isAppError(error)
    ? error
    : new AppError('INTERNAL_ERROR', 'Something went wrong on our side');
  if (known !== error) deps.log.error({ event: 'auth_failed', error: String(error) });
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (known.retryAfterSeconds !== undefined) headers['retry-after'] = String(known.retryAfterSeconds);
  return Response.json(
    { ...errorBody(known), message: known.message, code: known.code },
    { status: known.status, headers },
  );
}
