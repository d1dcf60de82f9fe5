import { AppError, isAppError, validationError } from '#lib/errors.ts';
import { clientAddress, networkOf } from '#lib/http/client-address.ts';
import { type Operation, WORKSPACE_PARAMETER } from '#lib/http/operation.ts';
import type { RateLimiter } from '#lib/http/rate-limit.ts';
import type { Actor } from './actor.ts';
import { hasChecksum, isIntact } from './key-format.ts';
import type { KeyRing, KnownKey } from './key-ring.ts';
import { API_KEY_ROLE, hasRole, roleFor } from './rules.ts';
import { assertSameOrigin } from './same-origin.ts';

export type SessionUser = { id: string; name: string; email: string; sessionId: string };

export type Identity = {
  /** An actor for `workspace` and `member`, the signed-in user for `user`, nobody for `public`. */
  actor: Actor | { userId: string; email: string; sessionId: string } | undefined;
  workspaceId: string | undefined;
  /** For the request's log event: key id or user id, never a name or an address. */
  label: string | undefined;
  rateKey: string;
};

type IdentifyDeps = {
  keyRing: KeyRing;
  rateLimiter: RateLimiter;
  publicOrigin: string;
  sessionUser(headers: Headers): Promise<SessionUser | undefined>;
  memberActor(userId: string, workspaceId: string): Promise<Actor | undefined>;
};

/**
 * Finds out who calls and whether this operation is theirs to call (contract, Authentication). Throws 401 without
 * valid credentials, 403 for a foreign workspace, another site's request or too small a role, 429 where an address
 * keeps failing.
 */
export function createIdentify(deps: IdentifyDeps) {
  return async function identify(request: Request, operation: Operation): Promise<Identity> {
    const addressKey = `address:${networkOf(clientAddress(request.headers))}`;
    const keyText = request.headers.get('x-api-key');
    if (operation.scope === 'public')
      return identifyAnybody(deps, operation.ignoresCredentials ? null : keyText, addressKey);
    try {
      return await (keyText === null
        ? identifyUser(deps, request, operation)
        : identifyKey(deps, keyText, { request, operation }));
    } catch (error) {
      // Who fails has no bucket of their own yet: the address pays, loosely.
      if (isAppError(error) && error.code === 'UNAUTHORIZED')
        await deps.rateLimiter.take(addressKey, operation.id);
      throw error;
    }
  };
}

async function identifyAnybody(
  deps: IdentifyDeps,
  keyText: string | null,
  addressKey: string,
): Promise<Identity> {
  const key = keyText === null ? undefined : await deps.keyRing.find(keyText);
  return {
    actor: undefined,
    workspaceId: key?.workspaceId,
    label: key?.id,
    rateKey: key ? `key:${key.id}` : addressKey,
  };
}

async function identifyKey(
  deps: IdentifyDeps,
  keyText: string,
  { request, operation }: { request: Request; operation: Operation },
): Promise<Identity> {
  const key = await deps.keyRing.find(keyText);
  if (!key) throw new AppError('UNAUTHORIZED', reasonForUnknownKey(keyText));
  if (operation.scope !== 'workspace') {
    throw new AppError('FORBIDDEN', 'API keys cannot call this operation: it needs a signed-in member');
  }
  const wanted = wantedWorkspace(request);
  if (wanted && wanted !== key.workspaceId)
    throw new AppError(
      'FORBIDDEN',
      'The API key belongs to another workspace than the one that is asked for',
    );
  requireRole(API_KEY_ROLE, operation);
  return { actor: actorOfKey(key), workspaceId: key.workspaceId, label: key.id, rateKey: `key:${key.id}` };
}

function reasonForUnknownKey(keyText: string): string {
  if (keyText === '') return 'The x-api-key header is empty';
  if (hasChecksum(keyText) && !isIntact(keyText))
    return 'The API key is incomplete or mistyped: its checksum does not match';
  return 'The API key is not valid: it is unknown or was revoked';
}

function actorOfKey(key: KnownKey): Actor {
  return { workspaceId: key.workspaceId, kind: 'api_key', id: key.id, label: key.name, role: API_KEY_ROLE };
}

async function identifyUser(deps: IdentifyDeps, request: Request, operation: Operation): Promise<Identity> {
  const user = await deps.sessionUser(request.headers);
  if (!user) throw new AppError('UNAUTHORIZED', missingCredentials(operation));
  assertSameOrigin(request, deps.publicOrigin);
  const known = { label: user.id, rateKey: `user:${user.id}` };
  if (operation.scope === 'user') {
    return {
      ...known,
      actor: { userId: user.id, email: user.email, sessionId: user.sessionId },
      workspaceId: undefined,
    };
  }
  const wanted = wantedWorkspace(request);
  if (!wanted)
    throw validationError([{ field: 'x-workspace-id', reason: 'is required with a session cookie' }]);
  const actor = await deps.memberActor(user.id, wanted);
  if (!actor) throw new AppError('FORBIDDEN', 'You are not a member of this workspace');
  requireRole(actor.role, operation);
  return { ...known, actor, workspaceId: actor.workspaceId };
}

function missingCredentials(operation: Operation): string {
  return operation.scope === 'workspace' ? 'Send your API key in the x-api-key header' : 'Sign in first';
}

function wantedWorkspace(request: Request): string | null {
  return request.headers.get('x-workspace-id') ?? new URL(request.url).searchParams.get(WORKSPACE_PARAMETER);
}

function requireRole(role: Actor['role'], operation: Operation): void {
  const needed = roleFor(operation);
  if (!hasRole(role, needed))
    throw new AppError('FORBIDDEN', `This needs the role ${needed} or higher; yours is ${role}`);
}
