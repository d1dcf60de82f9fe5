import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { users } from '#db/schema/auth.ts';
import { members } from '#db/schema/workspaces.ts';
import type { Role, WorkspaceId } from '#lib/auth/actor.ts';
import { isKnownAccount } from '#lib/auth/repository.ts';

export type MemberRow = {
  userId: string;
  /** null where the workspace does not know the account yet. */
  name: string | null;
  email: string;
  role: Role;
  joinedAt: Date;
  lastSeenAt: Date | null;
};

function selectMembers(db: Database, workspaceId: WorkspaceId, userId?: string) {
  return db
    .select({
      userId: users.id,
      name: sql<string | null>`case when ${isKnownAccount} then ${users.name} end`,
      email: users.email,
      role: members.role,
      joinedAt: members.createdAt,
      lastSeenAt: members.lastSeenAt,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        eq(members.workspaceId, workspaceId),
        userId === undefined ? undefined : eq(members.userId, userId),
      ),
    )
    .orderBy(asc(users.email));
}

export async function listMembers(db: Database, workspaceId: WorkspaceId): Promise<MemberRow[]> {
  return selectMembers(db, workspaceId);
}

export async function findMember(
  db: Database,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<MemberRow | undefined> {
  const [row] = await selectMembers(db, workspaceId, userId);
  return row;
}

export async function countOwners(db: Database, workspaceId: WorkspaceId): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(members)
    .where(and(eq(members.workspaceId, workspaceId), eq(members.role, 'owner')));
  return row?.count ?? 0;
}

export async function insertMember(
  db: Database,
  workspaceId: WorkspaceId,
  member: { userId: string; role: Role; now: Date },
): Promise<void> {
  await db
    .insert(members)
    .values({ workspaceId, userId: member.userId, role: member.role, createdAt: member.now });
}

const one = (workspaceId: WorkspaceId, userId: string) =>
  and(eq(members.workspaceId, workspaceId), eq(members.userId, userId));

export async function updateMemberRole(
  db: Database,
  workspaceId: WorkspaceId,
  userId: string,
  role: Role,
): Promise<void> {
  await db.update(members).set({ role }).where(one(workspaceId, userId));
}

export async function deleteMember(db: Database, workspaceId: WorkspaceId, userId: string): Promise<void> {
  await db.delete(members).where(one(workspaceId, userId));
}
