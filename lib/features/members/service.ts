import type { Database } from '#db/client.ts';
import type { Actor, Role, WorkspaceId } from '#lib/auth/actor.ts';
import { findHomeWorkspace, listMemberships } from '#lib/auth/repository.ts';
import type { AuthService } from '#lib/auth/service.ts';
import { AppError, type FieldProblem, notFound, validationError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { lockWorkspace } from '#lib/features/workspaces/repository.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Member } from './contract.ts';
import {
  countOwners,
  deleteMember,
  findMember,
  insertMember,
  listMembers,
  type MemberRow,
  updateMemberRole,
} from './repository.ts';

type MembersDeps = Pick<Dependencies, 'db' | 'clock'> & { auth: AuthService };
type NewMember = { email: string; name?: string | undefined; password?: string | undefined; role: Role };

export type MembersService = ReturnType<typeof createMembersService>;

/** Who belongs to a workspace, and as what. A workspace always keeps an owner. */
export function createMembersService(deps: MembersDeps) {
  return {
    list: async (actor: Actor): Promise<Member[]> =>
      (await listMembers(deps.db, actor.workspaceId)).map(shown),

    /** Throws 400 where the person is a member already, or name and password are missing for a new account. */
    add: (actor: Actor, input: NewMember): Promise<Member> => addMember(deps, actor, input),

    async changeRole(actor: Actor, userId: string, role: Role): Promise<Member> {
      return deps.db.transaction(async (tx) => {
        await takeTurns(tx, actor.workspaceId);
        const before = await memberOrThrow(tx, actor, userId);
        if (before.role === role) return shown(before);
        if (before.role === 'owner') await keepAnOwner(tx, actor);
        await updateMemberRole(tx, actor.workspaceId, userId, role);
        const data = { email: before.email, from: before.role, to: role };
        await recordAudit(tx, deps.clock, actor, { action: 'member.role.updated', targetId: userId, data });
        return shown({ ...before, role });
      });
    },

    /** An owner removes anybody; everybody else only themselves. The account itself stays. */
    async remove(actor: Actor, userId: string): Promise<null> {
      const isLeaving = actor.kind === 'user' && actor.id === userId;
      if (!isLeaving && actor.role !== 'owner')
        throw new AppError('FORBIDDEN', 'Only an owner can remove other members');
      return deps.db.transaction(async (tx) => {
        await takeTurns(tx, actor.workspaceId);
        const member = await memberOrThrow(tx, actor, userId);
        if (member.role === 'owner') await keepAnOwner(tx, actor);
        await deleteMember(tx, actor.workspaceId, userId);
        const data = { email: member.email, role: member.role };
        await recordAudit(tx, deps.clock, actor, { action: 'member.removed', targetId: userId, data });
        return null;
      });
    },

    /**
     * For somebody who forgot theirs. Throws 403 for an account that was not made in a workspace of the actor, however
     * few workspaces it belongs to now, and where the person also belongs to a workspace that the actor does not own:
     * the password would open that one too (docs/decisions/0088).
     */
    resetPassword: (actor: Actor, userId: string, password: string): Promise<null> =>
      resetPassword(deps, actor, { userId, password }),
  };
}

async function addMember(deps: MembersDeps, actor: Actor, input: NewMember): Promise<Member> {
  const passwordHash =
    input.password === undefined ? undefined : await deps.auth.hashPassword(input.password);
  return deps.db.transaction(async (tx) => {
    await takeTurns(tx, actor.workspaceId);
    const user = await userFor(deps.auth, tx, { input, passwordHash, homeWorkspaceId: actor.workspaceId });
    if (await findMember(tx, actor.workspaceId, user.id)) {
      throw validationError([{ field: 'email', reason: 'is already a member of this workspace' }]);
    }
    await insertMember(tx, actor.workspaceId, {
      userId: user.id,
      role: input.role,
      now: deps.clock.now(),
    });
    const data = { email: user.email, role: input.role };
    await recordAudit(tx, deps.clock, actor, { action: 'member.added', targetId: user.id, data });
    return shown(await memberOrThrow(tx, actor, user.id));
  });
}

/** The user to add: the account that exists, or a new one made of name and initial password. */
async function userFor(
  auth: AuthService,
  tx: Database,
  given: { input: NewMember; passwordHash: string | undefined; homeWorkspaceId: string },
) {
  const { input, passwordHash, homeWorkspaceId } = given;
  const existing = await auth.findUserByEmail(input.email, tx);
  if (existing) return existing;
  const { name } = input;
  if (name === undefined || passwordHash === undefined) throw validationError(missingForNewAccount(input));
  return auth.createUser({ email: input.email, name, passwordHash, homeWorkspaceId }, tx);
}

async function resetPassword(
  deps: MembersDeps,
  actor: Actor,
  { userId, password }: { userId: string; password: string },
): Promise<null> {
  await assertOwnAccount(deps.db, actor, userId);
  const passwordHash = await deps.auth.hashPassword(password);
  await deps.db.transaction(async (tx) => {
    const member = await memberOrThrow(tx, actor, userId);
    // Once more: hashing takes a while, in which another workspace may have added the person.
    await assertOwnAccount(tx, actor, userId);
    await deps.auth.setPasswordHash(userId, passwordHash, { tx });
    const data = { email: member.email };
    await recordAudit(tx, deps.clock, actor, { action: 'member.password.reset', targetId: userId, data });
  });
  return null;
}

/** Changes of one workspace's members take turns: two owners who demote each other would both succeed. */
async function takeTurns(tx: Database, workspaceId: WorkspaceId): Promise<void> {
  await lockWorkspace(tx, workspaceId);
}

async function memberOrThrow(tx: Database, actor: Actor, userId: string): Promise<MemberRow> {
  const row = await findMember(tx, actor.workspaceId, userId);
  if (!row) throw notFound('Member');
  return row;
}

/** Whether an account is the actor's to open: made in a workspace of theirs, and a member of no other's. */
async function assertOwnAccount(db: Database, actor: Actor, userId: string): Promise<void> {
  await memberOrThrow(db, actor, userId);
  const mine = await listMemberships(db, actor.id);
  const owned = new Set(mine.filter((each) => each.role === 'owner').map((each) => each.id));
  const home = await findHomeWorkspace(db, userId);
  if (home === null || !owned.has(home))
    throw new AppError('FORBIDDEN', 'This account was not made in a workspace that you own');
  const theirs = await listMemberships(db, userId);
  if (!theirs.every((each) => owned.has(each.id)))
    throw new AppError('FORBIDDEN', 'This person also belongs to a workspace that you do not own');
}

async function keepAnOwner(tx: Database, actor: Actor): Promise<void> {
  if ((await countOwners(tx, actor.workspaceId)) > 1) return;
  throw new AppError('INVALID_STATE', 'This is the last owner: make somebody else an owner first');
}

function missingForNewAccount(input: NewMember): FieldProblem[] {
  return (['name', 'password'] as const)
    .filter((field) => input[field] === undefined)
    .map((field) => ({ field, reason: 'is required: nobody has an account with this e-mail address yet' }));
}

function shown(row: MemberRow): Member {
  return {
    ...row,
    joinedAt: row.joinedAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  };
}
