import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, like, lt, ne, or, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { accounts, sessions, users } from '#db/schema/auth.ts';
import { apiKeys, auditEvents } from '#db/schema/keys.ts';
import { members, workspaces } from '#db/schema/workspaces.ts';
import type { Role } from './actor.ts';

// Authentication is what finds out the workspace, so these few queries are the ones that take none.

export async function findActiveKey(db: Database, hash: string) {
  const [row] = await db
    .select({ id: apiKeys.id, name: apiKeys.name, workspaceId: apiKeys.workspaceId })
    .from(apiKeys)
    .where(and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt)));
  return row;
}

/** Several processes note the same use; the condition keeps it to one write a minute. */
export async function touchKey(db: Database, keyId: string, now: Date): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000);
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, keyId), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, minuteAgo))));
}

export async function findMembership(db: Database, userId: string, workspaceId: string) {
  const [row] = await db
    .select({ role: members.role, email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.userId, userId), eq(members.workspaceId, workspaceId)));
  return row;
}

/** The workspaces, with the roles there, of those of the sessions that go on. */
export async function listAccess(
  db: Database,
  sessionIds: readonly string[],
  now: Date,
): Promise<{ sessionId: string; workspaceId: string; role: Role }[]> {
  return db
    .select({ sessionId: sessions.id, workspaceId: members.workspaceId, role: members.role })
    .from(sessions)
    .innerJoin(members, eq(members.userId, sessions.userId))
    .where(and(inArray(sessions.id, [...sessionIds]), gt(sessions.expiresAt, now)));
}

export async function listMemberships(
  db: Database,
  userId: string,
): Promise<{ id: string; name: string; role: Role; timeZone: string }[]> {
  return db
    .select({ id: workspaces.id, name: workspaces.name, role: members.role, timeZone: workspaces.timeZone })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(eq(members.userId, userId))
    .orderBy(asc(workspaces.name), asc(workspaces.id));
}

export async function findUserByEmail(db: Database, email: string) {
  const [row] = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.email, email));
  return row;
}

/** False where the e-mail address already has an account; then nothing was written. */
export async function insertUser(
  db: Database,
  user: {
    id: string;
    accountId: string;
    email: string;
    name: string;
    homeWorkspaceId: string | null;
    passwordHash: string;
    now: Date;
  },
): Promise<boolean> {
  const times = { createdAt: user.now, updatedAt: user.now };
  return db.transaction(async (tx) => {
    const made = await tx
      .insert(users)
      .values({
        id: user.id,
        email: user.email,
        name: user.name,
        homeWorkspaceId: user.homeWorkspaceId,
        emailVerified: true,
        ...times,
      })
      .onConflictDoNothing()
      .returning({ id: users.id });
    if (made.length === 0) return false;
    await tx.insert(accounts).values({
      id: user.accountId,
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: user.passwordHash,
      ...times,
    });
    return true;
  });
}

export async function updateUserName(db: Database, userId: string, name: string, now: Date): Promise<void> {
  await db.update(users).set({ name, updatedAt: now }).where(eq(users.id, userId));
}

const passwordOf = (userId: string) =>
  and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential'));

export async function findPasswordHash(db: Database, userId: string): Promise<string | undefined> {
  const [row] = await db.select({ password: accounts.password }).from(accounts).where(passwordOf(userId));
  return row?.password ?? undefined;
}

export async function updatePasswordHash(
  db: Database,
  userId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await db.update(accounts).set({ password: passwordHash, updatedAt: now }).where(passwordOf(userId));
}

export async function listSessions(db: Database, userId: string, now: Date) {
  return db
    .select({
      id: sessions.id,
      ipAddress: sessions.ipAddress,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
}

/** Deletes the user's session with this id; false where the user has none. */
export async function deleteSession(db: Database, userId: string, sessionId: string): Promise<boolean> {
  const gone = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId)))
    .returning({ id: sessions.id });
  return gone.length > 0;
}

/** Deletes all of the user's sessions but the one named, and answers how many. */
export async function deleteOtherSessions(
  db: Database,
  userId: string,
  keptSessionId: string | undefined,
): Promise<number> {
  const mine = eq(sessions.userId, userId);
  const gone = await db
    .delete(sessions)
    .where(keptSessionId === undefined ? mine : and(mine, ne(sessions.id, keptSessionId)))
    .returning({ id: sessions.id });
  return gone.length;
}

/** Rows that nothing reads any more: sessions past their end. */
export async function deleteExpiredSessions(db: Database, now: Date): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, now));
}

/** Several processes note the same use; the condition keeps it to one write a minute. */
export async function touchMember(
  db: Database,
  member: { userId: string; workspaceId: string },
  now: Date,
): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000);
  await db
    .update(members)
    .set({ lastSeenAt: now })
    .where(
      and(
        eq(members.userId, member.userId),
        eq(members.workspaceId, member.workspaceId),
        or(isNull(members.lastSeenAt), lt(members.lastSeenAt, minuteAgo)),
      ),
    );
}

/** A workspace knows an account that was made in it, and one whose person has used it. */
export const isKnownAccount = or(
  isNotNull(members.lastSeenAt),
  eq(users.homeWorkspaceId, members.workspaceId),
);

export async function findHomeWorkspace(db: Database, userId: string): Promise<string | null> {
  const [row] = await db.select({ id: users.homeWorkspaceId }).from(users).where(eq(users.id, userId));
  return row?.id ?? null;
}

export type NewAccountEvent = {
  email: string;
  action: string;
  data: Record<string, unknown>;
  /** False for what somebody did who did not show to be the person. */
  isByPerson: boolean;
  /** Events with the same key are one row, whose `data.count` grows. */
  repeatKey: string | null;
  at: Date;
};

/** Into the log of each workspace that knows the account; nowhere for an address without one. */
export async function insertAccountEvents(db: Database, event: NewAccountEvent): Promise<void> {
  const known = await db
    .select({ workspaceId: members.workspaceId, userId: users.id, email: users.email })
    .from(users)
    .innerJoin(members, eq(members.userId, users.id))
    .where(and(eq(users.email, event.email), isKnownAccount))
    .orderBy(asc(members.workspaceId));
  if (known.length === 0) return;
  await db
    .insert(auditEvents)
    .values(
      known.map(({ workspaceId, userId, email }) => ({
        workspaceId,
        actorKind: event.isByPerson ? ('user' as const) : ('system' as const),
        actorId: event.isByPerson ? userId : 'sign-in',
        actorLabel: event.isByPerson ? email : 'somebody',
        action: event.action,
        targetId: userId,
        data: event.isByPerson ? event.data : { email, ...event.data },
        repeatKey: event.repeatKey,
        at: event.at,
      })),
    )
    .onConflictDoUpdate({
      target: [auditEvents.workspaceId, auditEvents.repeatKey],
      set: {
        at: event.at,
        data: sql`jsonb_set(${auditEvents.data}, '{count}', to_jsonb((${auditEvents.data}->>'count')::int + 1))`,
      },
    });
}

/** What only tells that something happened, and no change, is kept for a time. */
export async function deleteOldAccountEvents(db: Database, before: Date): Promise<void> {
  await db
    .delete(auditEvents)
    .where(
      and(
        or(like(auditEvents.action, 'account.%'), like(auditEvents.action, 'recording.%')),
        lt(auditEvents.at, before),
      ),
    );
}
