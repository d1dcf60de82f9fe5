import { AppError } from '#lib/errors.ts';
import type { Operation } from '#lib/http/operation.ts';
import { describeError } from '#lib/log.ts';
import type { RateLimiter } from '#lib/http/rate-limit.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { type Access, createAccessWatch } from './access-watch.ts';
import { createAccountLog } from './account-log.ts';
import type { Actor } from './actor.ts';
import { createBetterAuth } from './better-auth.ts';
import { createAuthHttp } from './http.ts';
import { createIdentify, type SessionUser } from './identify.ts';
import { createKeyRing } from './key-ring.ts';
import { mintWorkspaceId } from './mint.ts';
import { createPasswordQueue } from './password-queue.ts';
import { findMembership, touchMember } from './repository.ts';
import { assertOwnPage } from './same-origin.ts';
import { createSignInLimit } from './sign-in-limit.ts';
import { createUsers } from './users.ts';

export type { SessionUser } from './identify.ts';

type AuthDeps = Pick<Dependencies, 'db' | 'env' | 'clock' | 'ids' | 'log' | 'authSecret'> & {
  rateLimiter: RateLimiter;
};

export type AuthService = ReturnType<typeof createAuthService>;

/** Who is calling: API keys, sessions, users and their passwords (contract, Authentication). */
export function createAuthService(deps: AuthDeps) {
  const betterAuth = createBetterAuth(deps);
  const keyRing = createKeyRing(deps);
  const signInLimit = createSignInLimit(deps);
  const passwords = createPasswordQueue();
  const accountLog = createAccountLog(deps);
  const watchAccess = createAccessWatch(deps);
  const seen = createOncePer(60_000);
  const publicOrigin = new URL(deps.env.publicUrl).origin;

  /** The user of the session cookie, or undefined. Reads the database each time: a revoked session ends at once. */
  async function sessionUser(headers: Headers): Promise<SessionUser | undefined> {
    if (!headers.has('cookie')) return undefined;
    const found = await betterAuth.api.getSession({ headers });
    if (!found) return undefined;
    return { id: found.user.id, name: found.user.name, email: found.user.email, sessionId: found.session.id };
  }

  /** The user acting in a workspace, or undefined for a non-member (whether or not the workspace exists). */
  async function memberActor(userId: string, workspaceId: string): Promise<Actor | undefined> {
    if (!isStorable(workspaceId)) return undefined;
    const membership = await findMembership(deps.db, userId, workspaceId);
    if (!membership) return undefined;
    const now = deps.clock.now();
    if (seen(`${userId} ${workspaceId}`, now.getTime())) {
      touchMember(deps.db, { userId, workspaceId }, now).catch((error: unknown) =>
        deps.log.warn({ event: 'member_touch_failed', error: describeError(error) }),
      );
    }
    return {
      workspaceId: mintWorkspaceId(workspaceId),
      kind: 'user',
      id: userId,
      label: membership.email,
      role: membership.role,
    };
  }

  const identify = createIdentify({
    keyRing,
    rateLimiter: deps.rateLimiter,
    publicOrigin,
    sessionUser,
    memberActor,
  });

  return {
    ...createUsers({ ...deps, passwords }),
    keyRing,
    signInLimit,
    accountLog,
    sessionUser,
    memberActor,
    identify,
    /** For an answer to a signed-in member that goes on; the caller stops it at its end. */
    async watchAccess(request: Request, actor: Actor, operation: Operation): Promise<Access> {
      const user = await sessionUser(request.headers);
      if (!user) throw new AppError('UNAUTHORIZED', 'Sign in first');
      return watchAccess({ actor, sessionId: user.sessionId }, operation);
    },
    /** Finds out who asks for a WebSocket of a workspace. Throws as `identify`, and 403 for another site's page. */
    async identifyConnection(
      request: Request,
      operation: Operation,
    ): Promise<{ actor: Actor; rateKey: string }> {
      assertOwnPage(request.headers, publicOrigin);
      const { actor, rateKey } = await identify(request, operation);
      if (!actor || !('role' in actor)) throw new AppError('FORBIDDEN', 'This needs a member of a workspace');
      return { actor, rateKey };
    },
    /** Serves everything below /api/auth. */
    handle: createAuthHttp({ ...deps, betterAuth, signInLimit, passwords, accountLog, publicOrigin }),
  };
}

/** A workspace id comes from a header or a query unparsed; PostgreSQL takes neither NUL nor lone surrogates. */
function isStorable(id: string): boolean {
  return id.length <= 500 && !id.includes('\u0000') && id.isWellFormed();
}

/** Says yes for each key once in `ms`, in this process; remembers 10,000 keys. */
function createOncePer(ms: number): (key: string, nowMs: number) => boolean {
  const lastMs = new Map<string, number>();
  return (key, nowMs) => {
    if (nowMs - (lastMs.get(key) ?? -Infinity) < ms) return false;
    lastMs.delete(key);
    lastMs.set(key, nowMs);
    const oldest = lastMs.keys().next();
    if (lastMs.size > 10_000 && !oldest.done) lastMs.delete(oldest.value);
    return true;
  };
}
