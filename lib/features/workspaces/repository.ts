import type { CallingHours } from '#lib/calling-hours/calling-hours.ts';
import type { RateCard } from './rules.ts';
import { eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { notFound } from '#lib/errors.ts';

const columns = {
  id: workspaces.id,
  name: workspaces.name,
  timeZone: workspaces.timeZone,
  country: workspaces.country,
  monthlyUsageLimitMinutes: workspaces.monthlyUsageLimitMinutes,
  refusesIncomingAtLimit: workspaces.refusesIncomingAtLimit,
  maxConcurrentCalls: workspaces.maxConcurrentCalls,
  rateCard: workspaces.rateCard,
  callingHours: workspaces.callingHours,
  hasRecordingAnnouncement: workspaces.hasRecordingAnnouncement,
  recordingAnnouncement: workspaces.recordingAnnouncement,
  conversationRetentionDays: workspaces.conversationRetentionDays,
  recordingRetentionDays: workspaces.recordingRetentionDays,
  createdAt: workspaces.createdAt,
  updatedAt: workspaces.updatedAt,
};

export type WorkspaceSettings = {
  name?: string | undefined;
  timeZone?: string | undefined;
  country?: string | null | undefined;
  monthlyUsageLimitMinutes?: number | null | undefined;
  refusesIncomingAtLimit?: boolean | undefined;
  maxConcurrentCalls?: number | undefined;
  rateCard?: RateCard | undefined;
  callingHours?: CallingHours | undefined;
  hasRecordingAnnouncement?: boolean | undefined;
  recordingAnnouncement?: string | null | undefined;
  conversationRetentionDays?: number | null | undefined;
  recordingRetentionDays?: number | null | undefined;
};

export async function findWorkspace(db: Database, workspaceId: WorkspaceId) {
  const [row] = await db.select(columns).from(workspaces).where(eq(workspaces.id, workspaceId));
  return row;
}

/** For an update: the row stays locked until the transaction ends, so that the audit log's "before" is true. */
export async function lockWorkspace(db: Database, workspaceId: WorkspaceId) {
  const [row] = await db
    .select(columns)
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
    .for('no key update');
  return row;
}

export async function updateWorkspace(
  db: Database,
  workspaceId: WorkspaceId,
  settings: WorkspaceSettings,
  now: Date,
) {
  const [row] = await db
    .update(workspaces)
    .set({ ...settings, updatedAt: now })
    .where(eq(workspaces.id, workspaceId))
    .returning(columns);
  return row;
}

/** The workspace's own webhook URL, and the secret that every webhook is signed with. */
export async function findWorkspaceWebhook(db: Database, workspaceId: WorkspaceId) {
  const [row] = await db
    .select({
      url: workspaces.webhookUrl,
      secret: workspaces.webhookSecret,
      secretChangedAt: workspaces.webhookSecretChangedAt,
    })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  if (!row) throw notFound('Workspace');
  return row;
}

export async function updateWorkspaceWebhook(
  db: Database,
  workspaceId: WorkspaceId,
  change: {
    webhookUrl?: string | null;
    webhookSecret?: string;
    webhookSecretChangedAt?: Date;
    updatedAt: Date;
  },
): Promise<void> {
  await db.update(workspaces).set(change).where(eq(workspaces.id, workspaceId));
}
