import { and, desc, eq, inArray, lt, ne, or, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { campaignPeople, campaigns } from '#db/schema/campaigns.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import { type CampaignTrigger, nextState, statesThatTake } from './machine.ts';
import type { CampaignState, PersonState } from './rules.ts';

export type CampaignRow = typeof campaigns.$inferSelect;
export type NewCampaign = Omit<typeof campaigns.$inferInsert, 'workspaceId' | 'state'>;

export async function insertCampaign(
  db: Database,
  workspaceId: WorkspaceId,
  campaign: NewCampaign,
): Promise<CampaignRow> {
  const [row] = await db
    .insert(campaigns)
    .values({ ...campaign, workspaceId, state: 'draft' })
    .returning();
  if (!row) throw new Error('the campaign was not written');
  return row;
}

/** Throws 404 and 403. */
export async function findCampaign(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
): Promise<CampaignRow> {
  const [row] = await db.select().from(campaigns).where(eq(campaigns.id, campaignId));
  return ownedOrThrow(row, workspaceId, 'Campaign');
}

/** The same, locked until the transaction ends. */
export async function lockCampaign(
  tx: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
): Promise<CampaignRow> {
  const [row] = await tx.select().from(campaigns).where(eq(campaigns.id, campaignId)).for('no key update');
  return ownedOrThrow(row, workspaceId, 'Campaign');
}

/** The latest first, from behind `after` on. */
export async function listCampaigns(
  db: Database,
  workspaceId: WorkspaceId,
  { limit, after }: { limit: number; after: { createdAt: Date; id: string } | undefined },
): Promise<CampaignRow[]> {
  return db
    .select()
    .from(campaigns)
    .where(
      and(
        eq(campaigns.workspaceId, workspaceId),
        after &&
          sql`(${campaigns.createdAt}, ${campaigns.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(desc(campaigns.createdAt), desc(campaigns.id))
    .limit(limit);
}

export type CampaignMove = {
  campaignId: string;
  trigger: CampaignTrigger;
  at: Date;
  fields?: Partial<typeof campaigns.$inferInsert>;
};

/** Moves a campaign by its state machine; undefined where its state does not take that. */
export async function moveCampaign(
  db: Database,
  workspaceId: WorkspaceId,
  { campaignId, trigger, at, fields = {} }: CampaignMove,
): Promise<CampaignRow | undefined> {
  const from = statesThatTake(trigger);
  const [first] = from;
  const state = first && nextState(first, trigger);
  if (state === undefined) throw new Error(`no state takes ${trigger}`);
  const [row] = await db
    .update(campaigns)
    .set({ ...fields, state, updatedAt: at })
    .where(and(own(workspaceId, campaignId), inArray(campaigns.state, from)))
    .returning();
  return row;
}

/** Writes settings; undefined where the campaign is in none of the states. */
export async function updateCampaign(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
  { fields, states }: { fields: Partial<typeof campaigns.$inferInsert>; states: CampaignState[] },
): Promise<CampaignRow | undefined> {
  const [row] = await db
    .update(campaigns)
    .set(fields)
    .where(and(own(workspaceId, campaignId), inArray(campaigns.state, states)))
    .returning();
  return row;
}

/** Deletes a campaign with its people. False where a call of it is not over. */
export async function deleteCampaign(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
): Promise<boolean> {
  const states: CampaignState[] = ['draft', 'ready', 'finished', 'cancelled'];
  const rows = await db
    .delete(campaigns)
    .where(
      and(
        own(workspaceId, campaignId),
        inArray(campaigns.state, states),
        sql`not exists (${openCalls(db, campaignId)})`,
      ),
    )
    .returning({ id: campaigns.id });
  return rows.length > 0;
}

const own = (workspaceId: WorkspaceId, campaignId: string) =>
  and(eq(campaigns.id, campaignId), eq(campaigns.workspaceId, workspaceId));

const openCalls = (db: Database, campaignId: string) =>
  db
    .select({ one: sql`1` })
    .from(calls)
    .where(and(eq(calls.campaignId, campaignId), ne(calls.status, 'ended')));

/** Of every workspace: those that a process has to look at. */
export async function listRunning(db: Database) {
  return db
    .select({ id: campaigns.id, workspaceId: campaigns.workspaceId })
    .from(campaigns)
    .where(eq(campaigns.state, 'running'))
    .orderBy(campaigns.id);
}

/** Of every workspace: checks whose process died. */
export async function listBrokenChecks(db: Database, now: Date) {
  return db
    .select({ id: campaigns.id, workspaceId: campaigns.workspaceId })
    .from(campaigns)
    .where(and(eq(campaigns.state, 'checking'), lt(campaigns.checkingUntil, now)));
}

/** Keeps a campaign for this transaction; undefined where another process has it, or where it does not run. */
export async function takeRunning(
  tx: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
): Promise<CampaignRow | undefined> {
  const [row] = await tx
    .select()
    .from(campaigns)
    .where(and(own(workspaceId, campaignId), eq(campaigns.state, 'running')))
    .for('no key update', { skipLocked: true });
  return row;
}

/** Calls of a campaign that could be dialled now if a line were free. */
export async function countWaitingCalls(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
  now: Date,
): Promise<number> {
  return db.$count(
    calls,
    and(
      eq(calls.workspaceId, workspaceId),
      eq(calls.campaignId, campaignId),
      eq(calls.status, 'queued'),
      or(sql`${calls.notBefore} is null`, sql`${calls.notBefore} <= ${now.toISOString()}::timestamptz`),
    ),
  );
}

/** Ends a campaign in which nobody is left to call and every call is over. False where that is not so. */
export async function finishWhereDone(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
  at: Date,
): Promise<boolean> {
  const pending = db
    .select({ one: sql`1` })
    .from(campaignPeople)
    .where(and(eq(campaignPeople.campaignId, campaignId), eq(campaignPeople.state, 'pending')));
  const state = nextState('running', 'complete');
  const rows = await db
    .update(campaigns)
    .set({ ...(state ? { state } : {}), endedAt: at, updatedAt: at })
    .where(
      and(
        own(workspaceId, campaignId),
        eq(campaigns.state, 'running'),
        sql`not exists (${pending})`,
        sql`not exists (${openCalls(db, campaignId)})`,
      ),
    )
    .returning({ id: campaigns.id });
  return rows.length > 0;
}

export type CampaignCounts = {
  people: Partial<Record<PersonState, number>>;
  /** Of people with a call: how many are being called, and how the last call of the others ended. */
  calling: number;
  outcomes: Record<string, number>;
};

/** People by their state, and those who were called by how the last call to each ended. */
export async function countPeople(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
): Promise<CampaignCounts> {
  const people = await db
    .select({ state: campaignPeople.state, count: sql<number>`count(*)::int` })
    .from(campaignPeople)
    .where(and(eq(campaignPeople.campaignId, campaignId), eq(campaignPeople.workspaceId, workspaceId)))
    .groupBy(campaignPeople.state);
  const outcomes = await queryRows<{ outcome: string | null; count: number }>(
    db,
    sql`select outcome, count(*)::int as count from (
        select distinct on (coalesce(c.retry_of, c.id))
          case when c.status = 'ended' then c.disposition end as outcome
        from calls c where c.campaign_id = ${campaignId} and c.workspace_id = ${workspaceId}
        order by coalesce(c.retry_of, c.id), c.attempt desc
      ) last group by outcome`,
  );
  return {
    people: Object.fromEntries(people.map(({ state, count }) => [state, count])),
    calling: outcomes.find(({ outcome }) => outcome === null)?.count ?? 0,
    outcomes: Object.fromEntries(
      outcomes.flatMap(({ outcome, count }) => (outcome === null ? [] : [[outcome, count]])),
    ),
  };
}

/** The campaign that was made by a request with this key. */
export async function findByKey(
  db: Database,
  workspaceId: WorkspaceId,
  idempotencyKey: string,
): Promise<CampaignRow | undefined> {
  const [row] = await db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.idempotencyKey, idempotencyKey)));
  return row;
}
