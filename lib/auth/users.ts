import { hashPassword, verifyPassword } from 'better-auth/crypto';
import type { Database } from '#db/client.ts';
import { validationError } from '#lib/errors.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import {
  deleteOtherSessions,
  findPasswordHash,
  findUserByEmail,
  insertUser,
  updatePasswordHash,
  updateUserName,
} from './repository.ts';
import type { PasswordQueue } from './password-queue.ts';
import { normalizeEmail } from './rules.ts';

export type User = { id: string; name: string; email: string };

/** Users and their passwords. Nobody signs up: users come from the provision file or from an owner. */
export function createUsers(deps: Pick<Dependencies, 'db' | 'clock' | 'ids'> & { passwords: PasswordQueue }) {
  const hash = (password: string, caller?: string) =>
    deps.passwords.run(caller, () => hashPassword(password));

  async function setPasswordHash(
    userId: string,
    passwordHash: string,
    options: { keepSessionId?: string; tx: Database },
  ): Promise<void> {
    await updatePasswordHash(options.tx, userId, passwordHash, deps.clock.now());
    await deleteOtherSessions(options.tx, userId, options.keepSessionId);
  }

  return {
    /**
     * Makes a user who can sign in at once. Throws 400 where the e-mail address has an account. Hashing takes some 50 ms and comes before the first statement, so a caller's
     * transaction `tx` stays short when it passes `passwordHash` from `hashPassword`. The owner of `homeWorkspaceId` may
     * give the account a new password.
     */
    async createUser(
      user: { email: string; name: string; homeWorkspaceId?: string } & (
        | { password: string }
        | { passwordHash: string }
      ),
      tx: Database = deps.db,
    ): Promise<User> {
      const passwordHash = 'passwordHash' in user ? user.passwordHash : await hash(user.password);
      const made = { id: deps.ids.next('usr'), email: normalizeEmail(user.email), name: user.name };
      const row = {
        ...made,
        homeWorkspaceId: user.homeWorkspaceId ?? null,
        accountId: deps.ids.next('acc'),
        passwordHash,
        now: deps.clock.now(),
      };
      if (!(await insertUser(tx, row)))
        throw validationError([{ field: 'email', reason: 'already has an account' }]);
      return made;
    },

    findUserByEmail: (email: string, tx: Database = deps.db): Promise<User | undefined> =>
      findUserByEmail(tx, normalizeEmail(email)),

    /** `caller` names who waits in line with others: one person's passwords are hashed one after the other. */
    hashPassword: (password: string, caller?: string): Promise<string> => hash(password, caller),

    async passwordMatches(userId: string, password: string): Promise<boolean> {
      const stored = await findPasswordHash(deps.db, userId);
      if (stored === undefined) return false;
      return deps.passwords.run(`user:${userId}`, () => verifyPassword({ hash: stored, password }));
    },

    /** Sets the password and ends the user's sessions, except the one named. */
    async setPassword(
      userId: string,
      password: string,
      options: { keepSessionId?: string } = {},
    ): Promise<void> {
      const passwordHash = await hash(password, `user:${userId}`);
      await deps.db.transaction((tx) => setPasswordHash(userId, passwordHash, { ...options, tx }));
    },

    /** The same with a hash made before, inside the caller's transaction. */
    setPasswordHash,

    renameUser: (userId: string, name: string, tx: Database = deps.db): Promise<void> =>
      updateUserName(tx, userId, name, deps.clock.now()),
  };
}
