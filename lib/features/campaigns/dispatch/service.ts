import { mintWorkspaceId, systemActor } from '#lib/auth/mint.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { plannedStart } from '#lib/calling-hours/calling-hours.ts';
import { commonHours } from '#lib/calling-hours/common-hours.ts';
import type { CallingHours } from '#lib/calling-hours/calling-hours.ts';
import { findCallingHours } from '#lib/features/calls/admission/repository.ts';
import type { createCallService } from '#lib/features/calls/service.ts';
import type { Database } from '#db/client.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { type AppError, isAppError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { describeError } from '#lib/log.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { deletePeople, listDue, notePlaced, noteRefused, setDue } from '../people/repository.ts';
import {
  type CampaignRow,
  countWaitingCalls,
  finishWhereDone,
  listBrokenChecks,
  listRunning,
  moveCampaign,
  takeRunning,
  updateCampaign,
} from '../repository.ts';
import { allowance, mostWaiting } from '../rules.ts';

/** Twice a second: at 6,000 calls a minute fifty each time. */
const RELEASE_EVERY_MS = 500;
const CHECKS_EVERY_MS = 30_000;
/** For so long a line belongs to the process that took it; nothing was placed for it when that one dies. */
const TAKEN_MS = 30_000;
/** Lines that are looked at in one go, and how many of them until somebody is found who may be called now. */
const LOOKED_AT = 200;
const MOST_LOOKS = 25;

/** A line that this process took, to place its call. */
type TakenLine = { line: number; number: string; variables: Record<string, string> };

export type CampaignDispatch = ReturnType<typeof createCampaignDispatch>;

/**
 * Places the calls of running campaigns, each at its rate, whichever processes work on them: what may be placed is taken
 * from the campaign's row, and a line and its call are written in one transaction. It dials nobody itself.
 */
export function createCampaignDispatch(
  deps: Pick<Dependencies, 'db' | 'clock' | 'log' | 'queue'> & {
    calls: Pick<ReturnType<typeof createCallService>, 'queueForCampaign' | 'announceWaiting'>;
  },
) {
  const { db, clock, log } = deps;
  let isStopped = false;

  async function releaseAll(): Promise<void> {
    for (const { id, workspaceId } of await listRunning(db)) {
      if (isStopped) return;
      await release(mintWorkspaceId(workspaceId), id).catch((error: unknown) =>
        log.error({ event: 'campaign_failed', campaignId: id, error: describeError(error) }),
      );
    }
  }

  /** Places what a campaign may place now. */
  async function release(workspaceId: WorkspaceId, campaignId: string): Promise<void> {
    const taken = await db.transaction((tx) => takeLines(tx, workspaceId, campaignId));
    if (taken === undefined) return;
    try {
      for (const line of taken.lines) {
        const goesOn = !isStopped && (await place(workspaceId, taken.campaign, line));
        if (!goesOn) return;
      }
    } finally {
      // Once for all of them: a message for each would cost a sixth of what the call does (docs/decisions/0345).
      if (taken.lines.length > 0) deps.calls.announceWaiting(workspaceId);
    }
    if (taken.lines.length === 0 && (await finishWhereDone(db, workspaceId, campaignId, clock.now())))
      log.info({ event: 'campaign_finished', campaignId, workspaceId });
  }

  /** Takes the lines whose turn it is, as many as rate and waiting calls allow; undefined where there is nothing to do. */
  async function takeLines(tx: Database, workspaceId: WorkspaceId, campaignId: string) {
    const campaign = await takeRunning(tx, workspaceId, campaignId);
    const now = clock.now();
    if (!campaign || (campaign.startAt !== null && campaign.startAt > now)) return undefined;
    const { count, after } = allowance(campaign, now);
    if (count === 0) return undefined;
    const waiting = await countWaitingCalls(tx, workspaceId, campaignId, now);
    const most = Math.min(count, mostWaiting(campaign.callsPerMinute) - waiting);
    if (most <= 0) return undefined;
    const lines = await findCallable(tx, workspaceId, campaign, { most, now });
    if (lines === undefined) {
      await pauseBy(tx, workspaceId, campaign, NEVER_OPEN);
      return undefined;
    }
    if (lines.length > 0)
      await updateCampaign(tx, workspaceId, campaignId, {
        fields: { nextReleaseAt: after(lines.length) },
        states: ['running'],
      });
    return { campaign, lines };
  }

  /** Lines whose person may be called now; the others are put off until their hours open. Undefined: they never do. */
  async function findCallable(
    tx: Database,
    workspaceId: WorkspaceId,
    campaign: CampaignRow,
    { most, now }: { most: number; now: Date },
  ): Promise<TakenLine[] | undefined> {
    const workspace = await findCallingHours(tx, workspaceId);
    const hours = workspace && commonHours(workspace.callingHours, campaign.callingHours);
    if (!workspace || !hours) return undefined;
    const found: TakenLine[] = [];
    const takenUntil = new Date(now.getTime() + TAKEN_MS);
    for (let looks = 0; looks < MOST_LOOKS && found.length < most; looks += 1) {
      const limit = looks === 0 ? most : LOOKED_AT;
      const due = await listDue(tx, workspaceId, campaign.id, { now, limit });
      const { open, closed } = sortByHours(due, { hours, workspaceZone: workspace.workspaceZone, now });
      const taken = open.slice(0, most - found.length);
      found.push(...taken);
      const put = [...closed, ...taken.map(({ line }) => ({ line, dueAt: takenUntil }))];
      await setDue(tx, workspaceId, campaign.id, put);
      if (due.length < limit) break;
    }
    return found;
  }

  /** Places one call. False where no further call can be placed now. */
  async function place(
    workspaceId: WorkspaceId,
    campaign: CampaignRow,
    { line, number, variables }: TakenLine,
  ): Promise<boolean> {
    const actor = systemActor(workspaceId, 'campaign');
    const { id: campaignId, outboundPromptId, fromNumber: from } = campaign;
    const body = { from, to: parsePhoneNumber(number), outboundPromptId, variables };
    try {
      const placed = await deps.calls.queueForCampaign(actor, body, {
        campaignId,
        agree: (tx, callId) => notePlaced(tx, workspaceId, { campaignId, line, callId, at: clock.now() }),
      });
      return placed !== undefined;
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.code === 'OPTED_OUT' || error.code === 'VALIDATION_ERROR') {
        const state = error.code === 'OPTED_OUT' ? 'opted_out' : 'refused';
        await noteRefused(db, workspaceId, { campaignId, line, state, fault: asSentence(error) });
        return true;
      }
      await pauseBy(db, workspaceId, campaign, asSentence(error));
      return false;
    }
  }

  /** No further call can be placed, and a person has to mend that. */
  async function pauseBy(
    tx: Database,
    workspaceId: WorkspaceId,
    { id: campaignId, name }: CampaignRow,
    pauseReason: string,
  ): Promise<void> {
    const move = { campaignId, trigger: 'pause', at: clock.now(), fields: { pauseReason } } as const;
    if (!(await moveCampaign(tx, workspaceId, move))) return;
    const data = { name, reason: pauseReason };
    const entry = { action: 'campaign.pause', targetId: campaignId, data };
    await recordAudit(tx, clock, systemActor(workspaceId, 'campaign'), entry);
  }

  /** Checks whose process died: the list has to be sent again. */
  async function endBrokenChecks(): Promise<void> {
    const at = clock.now();
    for (const { id, workspaceId: workspace } of await listBrokenChecks(db, at)) {
      const workspaceId = mintWorkspaceId(workspace);
      const fields = { checkingUntil: null, pauseReason: CHECK_BROKEN };
      const move = { campaignId: id, trigger: 'break_off', at, fields } as const;
      if (await moveCampaign(db, workspaceId, move)) await deletePeople(db, workspaceId, id);
    }
  }

  return {
    releaseAll,
    endBrokenChecks,

    async start(): Promise<void> {
      // Each looks for itself: turns would be written twice a second, and a campaign's row is theirs one at a time anyway.
      await deps.queue.every('campaigns.release', RELEASE_EVERY_MS, releaseAll, { on: 'each' });
      await deps.queue.every('campaigns.checks', CHECKS_EVERY_MS, endBrokenChecks);
    },
    /** Places nothing more; what it is placing is placed. */
    stop(): void {
      isStopped = true;
    },
  };
}

const NEVER_OPEN = "Its calling hours are never open together with the workspace's.";
const CHECK_BROKEN = 'The check of its list was interrupted. Choose the file again.';

/** Those who may be called now, and when the hours of the others open. */
function sortByHours(
  due: readonly { line: number; number: string | null; variables: Record<string, string> }[],
  { hours, workspaceZone, now }: { hours: readonly CallingHours[]; workspaceZone: string; now: Date },
) {
  const open: TakenLine[] = [];
  const closed: { line: number; dueAt: Date }[] = [];
  for (const { line, number, variables } of due) {
    if (number === null) continue;
    const { notBefore } = plannedStart({ number, hours, workspaceZone, dueAt: now, now });
    if (notBefore === null) open.push({ line, number, variables });
    else closed.push({ line, dueAt: notBefore });
  }
  return { open, closed };
}

function asSentence({ message }: AppError): string {
  return `${message.replace(/\.$/, '')}.`;
}
