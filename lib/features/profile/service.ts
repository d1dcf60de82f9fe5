import type { Database } from '#db/client.ts';
import { deleteOtherSessions, deleteSession, listMemberships, listSessions } from '#lib/auth/repository.ts';
import type { AuthService } from '#lib/auth/service.ts';
import { notFound, validationError } from '#lib/errors.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Me, Session } from './contract.ts';

/** The signed-in user, as the route wrapper hands over for operations of scope `user`. */
export type SignedIn = { userId: string; email: string; sessionId: string };

type PasswordChange = { currentPassword: string; newPassword: string };

type ProfileDeps = Pick<Dependencies, 'db' | 'clock'> & { auth: AuthService };

export type ProfileService = ReturnType<typeof createProfileService>;

/** What belongs to a person, whatever the workspace: name, password, sessions, the list of workspaces. */
export function createProfileService(deps: ProfileDeps) {
  const { accountLog } = deps.auth;
  const workspaces = (userId: string) => listMemberships(deps.db, userId);

  const noteEnded = (tx: Database, user: SignedIn, sessions: number) =>
    accountLog.note({ email: user.email, action: 'account.sessions_ended', data: { sessions } }, tx);

  async function get(user: SignedIn): Promise<Me> {
    const found = await deps.auth.findUserByEmail(user.email);
    if (!found) throw notFound('User');
    return { user: found, workspaces: await workspaces(user.userId) };
  }

  return {
    get,
    workspaces,

    async rename(user: SignedIn, name: string): Promise<Me> {
      const before = await get(user);
      if (before.user.name === name) return before;
      await deps.db.transaction(async (tx) => {
        await deps.auth.renameUser(user.userId, name, tx);
        const data = { from: before.user.name, to: name };
        await accountLog.note({ email: user.email, action: 'account.renamed', data }, tx);
      });
      return get(user);
    },

    /** Ends every other session. Guessing at the current password is limited like signing in. */
    changePassword: (user: SignedIn, input: PasswordChange): Promise<null> =>
      changePassword(deps, user, input),

    /** Sessions that have not expired, latest sign-in first. */
    async sessions(user: SignedIn): Promise<Session[]> {
      const rows = await listSessions(deps.db, user.userId, deps.clock.now());
      return rows.map((row) => ({
        id: row.id,
        ipAddress: row.ipAddress || null,
        userAgent: row.userAgent || null,
        createdAt: row.createdAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
        isCurrent: row.id === user.sessionId,
      }));
    },

    /** Ends one session at once. Another person's session is not found. */
    async revokeSession(user: SignedIn, sessionId: string): Promise<null> {
      await deps.db.transaction(async (tx) => {
        if (!(await deleteSession(tx, user.userId, sessionId))) throw notFound('Session');
        await noteEnded(tx, user, 1);
      });
      return null;
    },

    revokeOtherSessions: (user: SignedIn): Promise<{ revoked: number }> =>
      deps.db.transaction(async (tx) => {
        const revoked = await deleteOtherSessions(tx, user.userId, user.sessionId);
        if (revoked > 0) await noteEnded(tx, user, revoked);
        return { revoked };
      }),
  };
}

async function changePassword(deps: ProfileDeps, user: SignedIn, input: PasswordChange): Promise<null> {
  const { accountLog } = deps.auth;
  const attempt = { account: user.email, address: `session:${user.sessionId}` };
  await deps.auth.signInLimit.begin(attempt);
  if (!(await deps.auth.passwordMatches(user.userId, input.currentPassword))) {
    const address = 'a signed-in session';
    accountLog.refused({ email: user.email, action: 'account.password_refused', address });
    throw validationError([{ field: 'currentPassword', reason: 'is wrong' }]);
  }
  await deps.auth.signInLimit.succeeded(attempt);
  const passwordHash = await deps.auth.hashPassword(input.newPassword, `user:${user.userId}`);
  await deps.db.transaction(async (tx) => {
    await deps.auth.setPasswordHash(user.userId, passwordHash, { keepSessionId: user.sessionId, tx });
    await accountLog.note({ email: user.email, action: 'account.password_changed' }, tx);
  });
  return null;
}
