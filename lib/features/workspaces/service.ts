import type { Database } from '#db/client.ts';
import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { notFound } from '#lib/errors.ts';
import { assertBase } from '#lib/features/base.ts';
import { assertConfirmed, type Effect } from '#lib/features/confirmation.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import { findUsage } from '#lib/features/usage/repository.ts';
import { usageMonthOf } from '#lib/features/usage/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Usage, Workspace } from './contract.ts';
import { findWorkspace, lockWorkspace, updateWorkspace, type WorkspaceSettings } from './repository.ts';
import { monthAfter, shorterRetention } from './rules.ts';

export type WorkspacesService = ReturnType<typeof createWorkspacesService>;

/** The workspace's own settings: limits, time zone and the rate card that calls are priced with. */
export function createWorkspacesService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'sealer'> & {
    /** Plans the calls that wait anew, with the change of hours or time zone. */
    replanWaiting: (tx: Database, workspaceId: WorkspaceId) => Promise<void>;
    /** The same after the change, for what was accepted meanwhile; starts what may start now. */
    startReplanned: (workspaceId: WorkspaceId) => Promise<void>;
    /** What keeping for so many days deletes. */
    retentionEffect: (
      tx: Database,
      workspaceId: WorkspaceId,
      days: { conversationDays: number | null; recordingDays: number | null },
    ) => Promise<Effect>;
  },
) {
  async function get(actor: Actor): Promise<Workspace> {
    const row = await findWorkspace(deps.db, actor.workspaceId);
    if (!row) throw notFound('Workspace');
    return shown(row);
  }

  return {
    get,

    /** Fields left out stay. A lower limit applies to the next call; calls that run are not cut. */
    async update(actor: Actor, settings: WorkspaceSettings): Promise<Workspace> {
      const isReplanned = settings.callingHours !== undefined || settings.timeZone !== undefined;
      const saved = await deps.db.transaction(async (tx) => {
        const before = await lockWorkspace(tx, actor.workspaceId);
        if (!before) throw notFound('Workspace');
        assertBase(actor, before);
        const changes = changesBetween<WorkspaceSettings>(before, settings);
        if (Object.keys(changes).length === 0) return shown(before);
        const days = shorterRetention(before, settings);
        if (days) assertConfirmed(deps, actor, await deps.retentionEffect(tx, actor.workspaceId, days));
        const row = await updateWorkspace(tx, actor.workspaceId, settings, deps.clock.now());
        if (!row) throw notFound('Workspace');
        const entry = { action: 'workspace.settings.updated', targetId: row.id, data: changes };
        await recordAudit(tx, deps.clock, actor, entry);
        if (isReplanned) await deps.replanWaiting(tx, actor.workspaceId);
        return shown(row);
      });
      if (isReplanned) await deps.startReplanned(actor.workspaceId);
      return saved;
    },

    /** This month's minutes (contract, Limits: monthly usage limit). */
    async usage(actor: Actor): Promise<Usage> {
      const month = usageMonthOf(deps.clock.now());
      const [workspace, seconds] = [await get(actor), await findUsage(deps.db, actor.workspaceId, month)];
      const limitMinutes = workspace.monthlyUsageLimitMinutes;
      const [usedMinutes, reservedMinutes] = [minutes(seconds.usedSeconds), minutes(seconds.reservedSeconds)];
      const reservedSeconds = seconds.usedSeconds + seconds.reservedSeconds;
      return {
        month,
        resetsAt: monthAfter(month).toISOString(),
        usedMinutes,
        reservedMinutes,
        limitMinutes,
        refusesIncomingAtLimit: workspace.refusesIncomingAtLimit,
        remainingMinutes:
          limitMinutes === null ? null : minutes(Math.max(0, limitMinutes * 60 - reservedSeconds)),
      };
    },
  };
}

/** To a hundredth of a minute. */
function minutes(seconds: number): number {
  return Math.round((seconds / 60) * 100) / 100;
}

function shown(row: NonNullable<Awaited<ReturnType<typeof findWorkspace>>>): Workspace {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}
