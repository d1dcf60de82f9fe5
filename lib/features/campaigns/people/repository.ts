import { and, asc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { campaignPeople, campaigns } from '#db/schema/campaigns.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CheckedPerson } from './rules.ts';
import type { CampaignState } from '../rules.ts';
import type { PersonStatus } from './contract.ts';

export type PersonRow = typeof campaignPeople.$inferSelect;

/** In one statement for all. */
export async function insertPeople(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
  { people, dueAt }: { people: readonly CheckedPerson[]; dueAt: Date },
): Promise<void> {
  const rows = people.map((person) => ({
    line: person.line,
    given: person.givenNumber.toWellFormed(),
    number: person.number,
    variables: person.variables,
    state: person.state,
    fault: person.fault,
    fault_column: person.faultColumn,
  }));
  await db.execute(sql`
    insert into campaign_people
      (campaign_id, workspace_id, line, given_number, number, variables, state, fault, fault_column, due_at)
    select ${campaignId}, ${workspaceId}, line, given, number, variables, state, fault, fault_column, ${dueAt.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as person
      (line int, given text, number text, variables jsonb, state text, fault text, fault_column text)`);
}

export async function deletePeople(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
): Promise<void> {
  await db.delete(campaignPeople).where(ofCampaign(workspaceId, campaignId));
}

/**
 * Takes name and number out of the lines of people whose conversations are deleted, before these are: of those who have
 * no other one in the campaign. The line stays, with what became of it.
 */
export async function forgetPeopleOfCalls(
  tx: Database,
  workspaceId: WorkspaceId,
  callIds: readonly string[],
): Promise<void> {
  const ids = sql.param([...callIds]);
  await tx.execute(sql`
    update campaign_people person set given_number = '', number = null, variables = '{}'::jsonb
    from ${calls} deleted
    where deleted.workspace_id = ${workspaceId} and deleted.id = any(${ids})
      and person.workspace_id = ${workspaceId} and person.campaign_id = deleted.campaign_id and person.state = 'placed'
      and (person.call_id = deleted.id or person.number = deleted.human_phone_number)
      and not exists (select from ${calls} other where other.campaign_id = deleted.campaign_id
        and other.human_phone_number = deleted.human_phone_number and not other.id = any(${ids}))`);
}

const ofCampaign = (workspaceId: WorkspaceId, campaignId: string) =>
  and(eq(campaignPeople.campaignId, campaignId), eq(campaignPeople.workspaceId, workspaceId));

/** Those whose turn it is, the ones who wait longest first. */
export async function listDue(
  tx: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
  { now, limit }: { now: Date; limit: number },
) {
  return tx
    .select({ line: campaignPeople.line, number: campaignPeople.number, variables: campaignPeople.variables })
    .from(campaignPeople)
    .where(
      and(
        ofCampaign(workspaceId, campaignId),
        eq(campaignPeople.state, 'pending'),
        lte(campaignPeople.dueAt, now),
      ),
    )
    .orderBy(asc(campaignPeople.dueAt), asc(campaignPeople.line))
    .limit(limit);
}

/** Nobody looks at these lines before the moment: their hours are closed, or a process has them. */
export async function setDue(
  tx: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
  due: readonly { line: number; dueAt: Date }[],
): Promise<void> {
  if (due.length === 0) return;
  const rows = due.map(({ line, dueAt }) => ({ line, at: dueAt }));
  await tx.execute(sql`
    update campaign_people set due_at = planned.at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as planned (line int, at timestamptz)
    where campaign_people.campaign_id = ${campaignId} and campaign_people.workspace_id = ${workspaceId}
      and campaign_people.line = planned.line and campaign_people.state = 'pending'`);
}

/** Everybody who waits may be looked at again: what kept them waiting may have changed. */
export async function setAllDue(
  tx: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
  at: Date,
): Promise<void> {
  await tx
    .update(campaignPeople)
    .set({ dueAt: at })
    .where(
      and(
        ofCampaign(workspaceId, campaignId),
        eq(campaignPeople.state, 'pending'),
        gt(campaignPeople.dueAt, at),
      ),
    );
}

/**
 * Notes the call of a line, in the transaction that writes the call: false, and there is no call, where the campaign does
 * not run any more or the line has one already. The campaign's row is kept until then, so a pause waits for what was begun.
 */
export async function notePlaced(
  tx: Database,
  workspaceId: WorkspaceId,
  { campaignId, line, callId, at }: { campaignId: string; line: number; callId: string; at: Date },
): Promise<boolean> {
  const running = await tx
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.id, campaignId),
        eq(campaigns.workspaceId, workspaceId),
        eq(campaigns.state, 'running'),
      ),
    )
    .for('no key update');
  if (running.length === 0) return false;
  // A statement of its own, which sees what happened while the row was waited for.
  const rows = await queryRows(
    tx,
    sql`with placed as (
        update campaign_people set state = 'placed', call_id = ${callId}, placed_at = ${at.toISOString()}::timestamptz
        where campaign_id = ${campaignId} and line = ${line} and state = 'pending' returning line
      )
      update campaigns set placed_count = placed_count + 1
      where id = ${campaignId} and exists (select from placed) returning id`,
  );
  return rows.length > 0;
}

/** A line whose call cannot be placed, with the reason. */
export async function noteRefused(
  db: Database,
  workspaceId: WorkspaceId,
  refused: { campaignId: string; line: number; state: 'refused' | 'opted_out'; fault: string },
): Promise<void> {
  const { campaignId, line, state, fault } = refused;
  await queryRows(
    db,
    // The campaign first, as everybody locks them: in another order two would wait for one another.
    sql`with own as (
        select id from campaigns where id = ${campaignId} and workspace_id = ${workspaceId} for no key update
      ), noted as (
        update campaign_people set state = ${state}, fault = ${fault}
        where campaign_id = ${campaignId} and line = ${line} and state = 'pending' and exists (select from own)
        returning line
      )
      update campaigns set refused_count = refused_count + 1
      where id = ${campaignId} and exists (select from noted) returning id`,
  );
}

export async function cancelPending(
  tx: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
): Promise<void> {
  await tx
    .update(campaignPeople)
    .set({ state: 'cancelled' })
    .where(and(ofCampaign(workspaceId, campaignId), eq(campaignPeople.state, 'pending')));
}

/**
 * Lets the guessed numbers of a campaign be called as they were read, each once, and counts them as callable. Gives how
 * many; undefined where the campaign is in none of the states.
 */
export async function confirmGuesses(
  tx: Database,
  workspaceId: WorkspaceId,
  { campaignId, states, at }: { campaignId: string; states: readonly CampaignState[]; at: Date },
): Promise<number | undefined> {
  const [row] = await queryRows<{ confirmed: number }>(
    tx,
    // The campaign first, as everybody locks them.
    sql`with own as (
        select id from campaigns where id = ${campaignId} and workspace_id = ${workspaceId}
          and state in ${states} for no key update
      ), guesses as (
        select guess.line, min(other.line) as first_line
        from campaign_people guess
        left join campaign_people other on other.campaign_id = guess.campaign_id and other.number = guess.number
          and (other.state in ('pending', 'placed') or (other.state = 'guess' and other.line < guess.line))
        where guess.campaign_id = ${campaignId} and guess.state = 'guess' and exists (select from own)
        group by guess.line
      ), decided as (
        update campaign_people set
          state = case when first_line is null then 'pending' else 'duplicate' end,
          fault = 'The same number stands in line ' || first_line || '.',
          fault_column = null
        from guesses where campaign_people.campaign_id = ${campaignId} and campaign_people.line = guesses.line
          and campaign_people.state = 'guess'
        returning campaign_people.state
      ), counted as (
        select count(*) filter (where state = 'pending')::int as confirmed from decided
      )
      update campaigns set callable_count = callable_count + confirmed, updated_at = ${at.toISOString()}::timestamptz
      from own, counted where campaigns.id = own.id returning confirmed`,
  );
  return row?.confirmed;
}

/** The last call to a person, whichever attempt it was. */
const LAST_CALL = {
  id: sql<string | null>`last.id`,
  status: sql<string | null>`last.status`,
  attempt: sql<number | null>`last.attempt`,
  disposition: sql<string | null>`last.disposition`,
  endReason: sql<string | null>`last.end_reason`,
  durationSeconds: sql<number | null>`last.duration_seconds`,
  cost: sql<number | null>`last.cost`,
  tags: sql<string[] | null>`last.tags`,
  summary: sql<string | null>`last.summary`,
};

const lastCall = sql`lateral (
    select c.* from ((select * from ${calls} where ${calls.id} = ${campaignPeople.callId})
      union all (select * from ${calls} where ${calls.retryOf} = ${campaignPeople.callId})) c
    order by c.attempt desc limit 1) last`;

const STATUS_CONDITIONS: Record<PersonStatus, SQL | undefined> = {
  pending: eq(campaignPeople.state, 'pending'),
  calling: sql`${campaignPeople.state} = 'placed' and last.status is distinct from 'ended'`,
  called: sql`${campaignPeople.state} = 'placed' and last.status = 'ended'`,
  refused: eq(campaignPeople.state, 'refused'),
  cancelled: eq(campaignPeople.state, 'cancelled'),
  faulty: eq(campaignPeople.state, 'faulty'),
  duplicate: eq(campaignPeople.state, 'duplicate'),
  guess: eq(campaignPeople.state, 'guess'),
  opted_out: eq(campaignPeople.state, 'opted_out'),
  left_out: inArray(campaignPeople.state, ['faulty', 'duplicate', 'guess', 'opted_out']),
};

export type PeopleFilter = {
  status?: PersonStatus | undefined;
  disposition?: string | undefined;
  afterLine: number;
  limit: number;
};

/** People by their line, each with the last call to them. */
export async function listPeople(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
  filter: PeopleFilter,
) {
  return db
    .select({ person: campaignPeople, call: LAST_CALL })
    .from(campaignPeople)
    .leftJoin(lastCall, sql`true`)
    .where(
      and(
        ofCampaign(workspaceId, campaignId),
        gt(campaignPeople.line, filter.afterLine),
        filter.status && STATUS_CONDITIONS[filter.status],
        filter.disposition === undefined
          ? undefined
          : sql`last.status = 'ended' and last.disposition = ${filter.disposition}`,
      ),
    )
    .orderBy(asc(campaignPeople.line))
    .limit(filter.limit);
}

/** Keeps a check alive; false where it is no longer this one's. */
export async function extendCheck(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
  until: { from: Date; to: Date },
): Promise<boolean> {
  const rows = await db
    .update(campaigns)
    .set({ checkingUntil: until.to })
    .where(
      and(
        eq(campaigns.id, campaignId),
        eq(campaigns.workspaceId, workspaceId),
        eq(campaigns.state, 'checking'),
        eq(campaigns.checkingUntil, until.from),
      ),
    )
    .returning({ id: campaigns.id });
  return rows.length > 0;
}
