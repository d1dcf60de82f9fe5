import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { type CallingHours, plannedStart } from '#lib/calling-hours/calling-hours.ts';
import { keepCallingHours, listWaiting, updateWaiting } from './repository.ts';

/** When a workspace calls people. */
export type WhenToCall = {
  /** Several: all of them have to be open. */
  callingHours: CallingHours | readonly CallingHours[];
  workspaceZone: string;
};
/** What the row of a call keeps of when it may be dialled. */
export type PlannedRow = { notBefore: Date | null; notBeforeZone: string | null };

/** `dueAt`: the moment it was asked for, where that is not now. */
export function plannedRow(
  { callingHours, workspaceZone }: WhenToCall,
  { to, dueAt, now }: { to: string; dueAt: Date | null; now: Date },
): PlannedRow {
  const call = { number: to, hours: [callingHours].flat(), workspaceZone, dueAt: dueAt ?? now, now };
  const { notBefore, timeZone } = plannedStart(call);
  return { notBefore, notBeforeZone: timeZone };
}

/**
 * Plans the calls that wait by the hours as they are now: all of a workspace, or the one given. Whoever changes the hours
 * waits until it is written, so that no plan of hours that are gone is written after the plan of those that hold.
 */
export async function replanWaiting(
  db: Database,
  workspaceId: WorkspaceId,
  { now, callId }: { now: Date; callId?: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const calling = await keepCallingHours(tx, workspaceId);
    if (!calling) return;
    const changed = (await listWaiting(tx, workspaceId, callId)).flatMap((call) => {
      const planned = plannedRow(calling, { to: call.humanPhoneNumber, dueAt: call.dueAt, now });
      const isSame =
        planned.notBefore?.getTime() === call.notBefore?.getTime() &&
        planned.notBeforeZone === call.notBeforeZone;
      // What is due is due, whether it waited before or not.
      const isDue = planned.notBefore === null && (call.notBefore === null || call.notBefore <= now);
      return isSame || isDue ? [] : [{ id: call.id, ...planned }];
    });
    if (changed.length > 0) await updateWaiting(tx, workspaceId, changed);
  });
}
