import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { commonHours } from '#lib/calling-hours/common-hours.ts';
import type { CallingHours } from '#lib/calling-hours/calling-hours.ts';
import { findCallingHours } from '#lib/features/calls/admission/repository.ts';
import { findAgentNumber, findPromptFor } from '#lib/features/calls/admission/target.ts';
import type { Database } from '#db/client.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, validationError } from '#lib/errors.ts';
import { assertBase } from '#lib/features/base.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Campaign, CampaignDetail } from './contract.ts';
import type { CampaignTrigger } from './machine.ts';
import { cancelPending, confirmGuesses, setAllDue } from './people/repository.ts';
import type { CampaignPeople } from './people/service.ts';
import {
  type CampaignRow,
  countPeople,
  deleteCampaign,
  findCampaign,
  lockCampaign,
  insertCampaign,
  listCampaigns,
  moveCampaign,
  type NewCampaign,
  updateCampaign,
} from './repository.ts';
import { CAMPAIGN_LIMITS, wrongState } from './rules.ts';
import { campaignDetailView, campaignView } from './shown.ts';

/** The request that makes a campaign, where it can be told from others. */
type Keyed = { idempotencyKey: string; requestHash: string };

export type NewCampaignInput = {
  name: string;
  from: string;
  outboundPromptId?: string | undefined;
  callsPerMinute?: number | undefined;
  startAt?: string | null | undefined;
  callingHours?: CallingHours | null | undefined;
};
type SettingsInput = {
  name?: string | undefined;
  callsPerMinute?: number | undefined;
  startAt?: string | null | undefined;
  callingHours?: CallingHours | null | undefined;
};

export type CampaignsDeps = Pick<Dependencies, 'db' | 'clock' | 'ids'> & {
  people: CampaignPeople;
  calls: {
    endWaitingOfCampaign(workspaceId: WorkspaceId, campaignId: string): Promise<number>;
    resumeWaitingOfCampaign(workspaceId: WorkspaceId, campaignId: string): Promise<void>;
  };
};

export type CampaignsService = ReturnType<typeof createCampaignsService>;

/** A form tells the minute, and is sent within it. */
const PAST_MS = 60_000;

/** What a person or a system sets; the moment that a campaign has may be over. */
function assertToCome(clock: Clock, startAt: string | null | undefined, had: Date | null = null): void {
  if (!startAt || startAt === had?.toISOString()) return;
  if (Date.parse(startAt) <= clock.now().getTime() - PAST_MS)
    throw validationError([{ field: 'startAt', reason: 'must not be in the past' }]);
}

const NEVER_OPEN = "are never open together with the workspace's calling hours";

/** Makes a campaign without people. Throws what an outbound call with the number and the prompt would be refused with. */
export async function addDraft(
  { db, clock, ids }: Pick<Dependencies, 'db' | 'clock' | 'ids'>,
  actor: Actor,
  input: NewCampaignInput,
  own: { id?: string; columns?: NewCampaign['columns']; keyed?: Keyed | undefined } = {},
): Promise<CampaignRow> {
  const { workspaceId } = actor;
  const number = await findAgentNumber(db, workspaceId, { number: input.from, person: '' });
  const prompt = await findPromptFor(db, workspaceId, number.agentId, input.outboundPromptId);
  await assertHours(db, workspaceId, input.callingHours);
  assertToCome(clock, input.startAt);
  const now = clock.now();
  const row = {
    id: own.id ?? ids.next('cmp'),
    name: input.name,
    fromNumber: input.from,
    agentId: number.agentId,
    outboundPromptId: prompt.id,
    callsPerMinute: input.callsPerMinute ?? CAMPAIGN_LIMITS.defaultCallsPerMinute,
    startAt: input.startAt ? new Date(input.startAt) : null,
    callingHours: input.callingHours ?? null,
    columns: own.columns ?? null,
    ...own.keyed,
    createdBy: actor.label,
    createdAt: now,
    updatedAt: now,
  };
  return db.transaction(async (tx) => {
    const campaign = await insertCampaign(tx, workspaceId, row);
    const data = { name: row.name };
    await recordAudit(tx, clock, actor, { action: 'campaign.created', targetId: row.id, data });
    return campaign;
  });
}

async function assertHours(
  db: Database,
  workspaceId: WorkspaceId,
  own: CallingHours | null | undefined,
): Promise<void> {
  const workspace = await findCallingHours(db, workspaceId);
  if (own && workspace && commonHours(workspace.callingHours, own) === null)
    throw validationError([{ field: 'callingHours', reason: NEVER_OPEN }]);
}

/** A campaign with its progress. Throws 404 and 403. */
export async function readCampaign(
  { db }: Pick<Dependencies, 'db'>,
  { workspaceId }: Actor,
  campaignId: string,
): Promise<CampaignDetail> {
  const row = await findCampaign(db, workspaceId, campaignId);
  return campaignDetailView(row, await countPeople(db, workspaceId, campaignId));
}

/** Lists of people who are called one after another: made, listed, changed, and moved by people and by systems. */
export function createCampaignsService(deps: CampaignsDeps) {
  return { ...createReadsAndSettings(deps), ...createMoves(deps) };
}

function createReadsAndSettings(deps: CampaignsDeps) {
  const { db, clock } = deps;
  return {
    get: (actor: Actor, campaignId: string) => readCampaign(deps, actor, campaignId),

    /** One page, latest first. `nextCursor` is null on the last one. */
    async list(
      actor: Actor,
      page: { limit: number; cursor?: string | undefined },
    ): Promise<{ campaigns: Campaign[]; nextCursor: string | null }> {
      const [at, id = ''] = page.cursor?.split('.') ?? [];
      const after = at === undefined ? undefined : { createdAt: new Date(Number(at)), id };
      const rows = await listCampaigns(db, actor.workspaceId, { limit: page.limit + 1, after });
      const shown = rows.slice(0, page.limit);
      const last = rows.length > page.limit ? shown.at(-1) : undefined;
      return {
        campaigns: shown.map(campaignView),
        nextCursor: last ? `${last.createdAt.getTime()}.${last.id}` : null,
      };
    },

    /** Throws 404 and 403, 400 INVALID_STATE once it is over, and 400 for hours in which nobody can be called. */
    async update(actor: Actor, campaignId: string, input: SettingsInput): Promise<CampaignDetail> {
      const { workspaceId } = actor;
      const before = await findCampaign(db, workspaceId, campaignId);
      await assertHours(db, workspaceId, input.callingHours);
      assertToCome(clock, input.startAt, before.startAt);
      const { startAt, ...given } = input;
      const fields = {
        ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
        ...(startAt === undefined ? {} : { startAt: startAt === null ? null : new Date(startAt) }),
      };
      const changes = changesBetween(before, fields);
      if (Object.keys(changes).length > 0) {
        await db.transaction(async (tx) => {
          const locked = await lockCampaign(tx, workspaceId, campaignId);
          assertBase(actor, { ...locked, startAt: locked.startAt?.toISOString() ?? null });
          const row = await updateCampaign(tx, workspaceId, campaignId, {
            fields: { ...fields, updatedAt: clock.now() },
            states: ['draft', 'ready', 'running', 'paused'],
          });
          if (!row) throw wrongState(before.state);
          // Who waited for hours that are no longer those is looked at again.
          if (changes.callingHours) await setAllDue(tx, workspaceId, campaignId, clock.now());
          const data = { name: row.name, changes };
          await recordAudit(tx, clock, actor, { action: 'campaign.updated', targetId: campaignId, data });
        });
      }
      return readCampaign(deps, actor, campaignId);
    },

    /** Throws 404 and 403, and 400 INVALID_STATE while it runs or a call of it is not over. */
    async remove(actor: Actor, campaignId: string): Promise<null> {
      const { state, name } = await findCampaign(db, actor.workspaceId, campaignId);
      await db.transaction(async (tx) => {
        if (!(await deleteCampaign(tx, actor.workspaceId, campaignId)))
          throw state === 'finished' || state === 'cancelled'
            ? new AppError('INVALID_STATE', 'A call of the campaign is not over yet')
            : wrongState(state);
        const entry = { action: 'campaign.deleted', targetId: campaignId, data: { name } };
        await recordAudit(tx, clock, actor, entry);
      });
      return null;
    },
  };
}

function createMoves(deps: CampaignsDeps) {
  const { db, clock, calls } = deps;

  /** Moves a campaign, with what belongs to it in one transaction. Throws 404, 403 and 400 INVALID_STATE. */
  async function move(
    actor: Actor,
    campaignId: string,
    trigger: CampaignTrigger,
    also: { fields?: Partial<NewCampaign>; within?: (tx: Database) => Promise<void> } = {},
  ): Promise<void> {
    const { workspaceId } = actor;
    const { state } = await findCampaign(db, workspaceId, campaignId);
    await db.transaction(async (tx) => {
      const at = clock.now();
      const row = await moveCampaign(tx, workspaceId, { campaignId, trigger, at, fields: also.fields ?? {} });
      if (!row) throw wrongState(state);
      await also.within?.(tx);
      const data = { name: row.name };
      await recordAudit(tx, clock, actor, { action: `campaign.${trigger}`, targetId: campaignId, data });
    });
  }

  return {
    /**
     * Lets the people be called whose number is a guess, as it was read. Throws 404 and 403, and 400 INVALID_STATE where
     * the list was not checked or the campaign is over.
     */
    async confirmGuesses(actor: Actor, campaignId: string): Promise<CampaignDetail> {
      const { workspaceId } = actor;
      const { name, state } = await findCampaign(db, workspaceId, campaignId);
      await db.transaction(async (tx) => {
        const states = ['ready', 'running', 'paused'] as const;
        const count = await confirmGuesses(tx, workspaceId, { campaignId, states, at: clock.now() });
        if (count === undefined) throw wrongState(state);
        if (count === 0) return;
        const entry = { action: 'campaign.guesses_confirmed', targetId: campaignId, data: { name, count } };
        await recordAudit(tx, clock, actor, entry);
      });
      return readCampaign(deps, actor, campaignId);
    },

    /** Begins to call. Throws 404 and 403, and 400 INVALID_STATE where its list was not checked or it was started before. */
    async start(actor: Actor, campaignId: string): Promise<CampaignDetail> {
      const now = clock.now();
      const { callableCount } = await findCampaign(db, actor.workspaceId, campaignId);
      await move(actor, campaignId, 'start', {
        fields: { startedAt: now, nextReleaseAt: null },
        within: async () => {
          if (callableCount === 0)
            throw new AppError(
              'INVALID_STATE',
              'Nobody on the list can be called, so there is nothing to start',
            );
        },
      });
      return readCampaign(deps, actor, campaignId);
    },

    /** Nobody else is dialled. Throws as `start` does. */
    async pause(actor: Actor, campaignId: string): Promise<CampaignDetail> {
      await move(actor, campaignId, 'pause', { fields: { pauseReason: null } });
      return readCampaign(deps, actor, campaignId);
    },

    /** Throws as `start` does. */
    async resume(actor: Actor, campaignId: string): Promise<CampaignDetail> {
      await move(actor, campaignId, 'resume', {
        fields: { pauseReason: null, nextReleaseAt: null },
        within: (tx) => setAllDue(tx, actor.workspaceId, campaignId, clock.now()),
      });
      await calls.resumeWaitingOfCampaign(actor.workspaceId, campaignId);
      return readCampaign(deps, actor, campaignId);
    },

    /** For good: who waits is not called, calls that wait end undialled. Throws as `start` does. */
    async cancel(actor: Actor, campaignId: string): Promise<CampaignDetail> {
      await move(actor, campaignId, 'cancel', {
        fields: { endedAt: clock.now(), pauseReason: null },
        within: (tx) => cancelPending(tx, actor.workspaceId, campaignId),
      });
      await calls.endWaitingOfCampaign(actor.workspaceId, campaignId);
      return readCampaign(deps, actor, campaignId);
    },
  };
}
