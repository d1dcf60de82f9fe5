/**
 * Fills a database with conversations of the past two years: nearly all of them of one workspace, a few of a small one.
 *
 *   DATABASE_URL=… node bench/million/data.ts [--count=1000000]
 */
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { type Database, openDatabase, queryRows } from '#db/client.ts';
import { campaigns } from '#db/schema/campaigns.ts';
import { apiKeys } from '#db/schema/keys.ts';
import { hashKey } from '#lib/auth/key-ring.ts';
import { seedLine } from '#lib/features/calls/testing.ts';

/** The agents of the large workspace. `retired` had none of the newest half, `quiet` has one conversation in 10,000. */
export const AGENTS = ['desk', 'sales', 'night', 'retired', 'quiet'] as const;
export const LARGE = { workspaceId: 'ws_large', key: 'cw_test_bench_large' };
export const SMALL = { workspaceId: 'ws_small', key: 'cw_test_bench_small', count: 20 };
/** In the transcript of one conversation in 100,000, the newest of them far back. */
export const RARE_WORD = 'zebrafish';
/** A tag of one conversation in 50,000, and one that none of the newest half has. */
export const RARE_TAG = 'legal_review';
export const OLD_TAG = 'spring_campaign';

/** The field of one conversation in ten; one in 50,000 has this value, and none of the newest half the other. */
export const RARE_GUESTS = 1_000;
export const OLD_GUESTS = 77;

/** The outbound prompts of one conversation in five, and of one in 10,000; and of one in five of the older half. */
export const PROMPT = 'prompt_usual';
export const RARE_PROMPT = 'prompt_rare';
export const OLD_PROMPT = 'prompt_old';
/** The campaign of one conversation in five of the older half. */
export const OLD_CAMPAIGN = 'cmp_old';
/** Whom one conversation in 200 is assigned to. Of the older half nine in ten are reviewed, of the newer one in a hundred. */
export const ASSIGNEE = 'usr_ann';

/** Every so many milliseconds one, the newest now. */
const EVERY_MS = 63_000;

const SENTENCES = [
  'Good morning, this is Mia from the dental practice.',
  'I am calling about your check-up, which is due this month.',
  'Would Tuesday at ten in the morning suit you?',
  'I am sorry, I cannot come in the morning at all.',
  'Then I can offer Wednesday afternoon at half past three.',
  'That works for me, please write it down.',
  'Could you spell your last name for me?',
  'Do I have to bring my insurance card along?',
  'Yes, please, and the letter of your last dentist if you have it.',
  'How long does the treatment take, and what will it cost?',
  'It takes about forty minutes and is covered by your insurance.',
  'Please call again tomorrow, I am driving right now.',
  'Of course, I will call you again tomorrow at the same time.',
  'Is there anything else that I can do for you?',
  'No, thank you very much, that was everything.',
  'Thank you for your time, and have a pleasant day.',
];

/** Writes them in one statement, and lets the database look at what it has, as its own upkeep would. */
export async function addConversations(db: Database, count: number): Promise<void> {
  await withoutIndexes(db, (tx) => insertConversations(tx, count));
  for (const table of ['calls', 'call_tags', 'call_results', 'call_reviews'])
    await db.execute(sql`vacuum (analyze) ${sql.identifier(table)}`);
}

/** Indexes that are built afterwards: row by row, the one of words alone would take the better part of an hour. */
async function withoutIndexes(db: Database, work: (tx: Database) => Promise<void>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local maintenance_work_mem = '1GB'`);
    const indexes = await queryRows<{ name: string; definition: string }>(
      tx,
      sql`select indexname as name, indexdef as definition from pg_indexes
        where tablename in ('calls', 'call_tags', 'call_results', 'call_reviews') and indexdef not like '%UNIQUE%'`,
    );
    for (const { name } of indexes) await tx.execute(sql`drop index ${sql.identifier(name)}`);
    await work(tx);
    for (const { definition } of indexes) await tx.execute(sql.raw(definition));
  });
}

async function insertConversations(db: Database, count: number): Promise<void> {
  for (const agent of AGENTS) await seedAgent(db, agent, agent === AGENTS[0]);
  await addKey(db, LARGE);
  await addCampaign(db);
  await seedLine(db, 'small');
  await addKey(db, SMALL);
  const sentences = sql`array[${sql.join(
    SENTENCES.map((sentence) => sql`${sentence}`),
    sql`, `,
  )}]::text[]`;
  await db.execute(sql`
    insert into calls (id, workspace_id, agent_id, direction, channel, carrier, agent_phone_number, human_phone_number,
      variables, is_test, status, status_rank, usage_month, date_initiated, answered_at, ended_at, duration_seconds,
      disposition, end_reason, tags, sentiment, outbound_prompt_id, results, summary, transcript, cost, cost_breakdown, outcome,
      recording_key, agent_version_id, campaign_id, created_at, updated_at)
    select 'cnv_' || lpad(n::text, 12, '0') || substr(md5(n::text), 1, 12),
      case when n % ${Math.ceil(count / SMALL.count)}::int = 7 then ${SMALL.workspaceId} else ${LARGE.workspaceId} end,
      case when n % ${Math.ceil(count / SMALL.count)}::int = 7 then 'agent_small' else 'agent_' || agent end,
      direction, case when n % 100 = 1 then 'chat' else 'call' end,
      case when n % 100 = 1 then 'browser' else 'simulated' end,
      '+15550000000', '+1' || (2000000000 + (n::bigint * 7919) % 799999999)::text,
      jsonb_build_object('name', 'Person ' || substr(md5((n % 50000)::text), 1, 6), 'date', to_char(at, 'YYYY-MM-DD')),
      n % 97 = 3, 'ended', 5, to_char(at, 'YYYY-MM'), at, at + interval '4 seconds', at + interval '64 seconds', 60 + n % 120,
      disposition, 'The person said goodbye.',
      case when n % 50000 = 11 then array[${RARE_TAG}]
        when n < ${count}::int / 2 and n % 4 = 0 then array[${OLD_TAG}, 'action_needed']
        when disposition = 'VOICEMAIL' then array['voicemail']
        when disposition = 'APPOINTMENT_BOOKED' then array['appointment_booked'] else array[]::text[] end,
      sentiment,
      case when n % 10000 = 1 then ${RARE_PROMPT} when n % 5 = 1 then ${PROMPT}
        when n % 5 = 2 and n < ${count}::int / 2 then ${OLD_PROMPT} end,
      case when n % 10 = 3 then jsonb_build_array(
        jsonb_build_object('name', 'guests', 'type', 'number', 'quotes', '[]'::jsonb, 'value',
          case when n % 50000 = 13 then ${RARE_GUESTS}::int when n < ${count}::int / 2 and n % 40 = 3 then ${OLD_GUESTS}::int
            when n % 3 = 0 then null else n % 60 end),
        jsonb_build_object('name', 'comment', 'type', 'text', 'quotes', '[]'::jsonb, 'value', (${sentences})[1 + n % 16])) end,
      case when disposition = 'FAILED' then null else 'The person was called about the check-up. ' || (${sentences})[1 + n % 16] end,
      case when disposition = 'FAILED' then '' else
        (select string_agg(case when k % 2 = 0 then 'Agent: ' else 'Human: ' end || (${sentences})[1 + ((n * 31 + k * (7 + n % 5)) % 16)::int], E'\n' order by k)
          from generate_series(0, 10 + n % 7) k)
        || E'\nHuman: My number is ' || substr(md5('w' || n), 1, 8) || '.'
        || case when n % 100000 = 17 then ${` The ${RARE_WORD} is fine.`} else '' end end,
      (n % 50)::float8, '{"carrierCents":1,"languageCents":1,"speechCents":1}',
      ${JSON.stringify({ connected: true, neverConnectedReason: null, answeredBy: 'human', durationMs: 60_000, voicemail: null, transferredTo: null, appointment: null, callback: null, endedBy: 'human', endReason: 'The person said goodbye.', usage: { inputTokens: 0, outputTokens: 0, spokenMs: 6_000 } })}::jsonb,
      null, 'ver_' || agent || case when n % 5 = 0 then '_second' else '_first' end,
      case when n % 5 = 3 and n < ${count}::int / 2 then ${OLD_CAMPAIGN} end, at, at
    from (
      select n, now() - (${count}::int - n) * ${EVERY_MS}::float8 * interval '1 millisecond' as at,
        case when n % 10000 = 5 then 'quiet' when n < ${count}::int / 2 and n % 3 = 0 then 'retired'
          else (array['desk', 'desk', 'sales', 'night'])[1 + n % 4] end as agent,
        case when n % 5 = 0 then 'INBOUND' else 'OUTBOUND' end as direction,
        (array['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED', 'VOICEMAIL', 'APPOINTMENT_BOOKED', 'ABANDONED', 'FAILED', 'TRANSFERRED', 'SCHEDULED_CALLBACK'])[1 + (n / 7) % 10] as disposition,
        case when (n / 7) % 10 = 7 then 'N_A' when (n / 7) % 10 = 5 then 'POSITIVE'
          else (array['NEUTRAL', 'POSITIVE', 'NEUTRAL', 'NEGATIVE'])[1 + (n / 3) % 4] end as sentiment
      from generate_series(1, ${count}::int) n
    ) made`);
  await db.execute(sql`
    insert into call_reviews (call_id, workspace_id, agent_id, facet, date_initiated, assignee_id, assignee, reviewed_at)
    select id, workspace_id, agent_id, call_facet(is_test, channel, direction, sentiment, disposition), date_initiated,
      case when is_assigned then ${ASSIGNEE} end, case when is_assigned then 'ann@example.com' end,
      case when is_reviewed then date_initiated end
    from (
      select *, place % 200 = 9 as is_assigned,
        case when place < ${count}::int / 2 then place % 10 <> 0 else place % 100 = 5 end as is_reviewed
      from calls, lateral (select substr(id, 5, 12)::int as place) placed
    ) made where is_assigned or is_reviewed`);
}

async function seedAgent(db: Database, agent: string, isFirst: boolean): Promise<void> {
  if (isFirst) {
    await seedLine(db, 'large');
  }
  await db.execute(sql`
    insert into agents (id, workspace_id, name, created_at, updated_at)
    values (${`agent_${agent}`}, ${LARGE.workspaceId}, ${`Agent ${agent}`}, now(), now())`);
}

async function addCampaign(db: Database): Promise<void> {
  await db.insert(campaigns).values({
    id: OLD_CAMPAIGN,
    workspaceId: LARGE.workspaceId,
    name: 'Campaign',
    state: 'finished',
    fromNumber: '+15550000000',
    agentId: `agent_${AGENTS[0]}`,
    outboundPromptId: OLD_PROMPT,
    callsPerMinute: 60,
    createdBy: 'bench',
    createdAt: new Date(),
    updatedAt: new Date(),
  });
}

async function addKey(
  db: Database,
  { workspaceId, key }: { workspaceId: string; key: string },
): Promise<void> {
  await db.insert(apiKeys).values({
    id: `key_${workspaceId}`,
    workspaceId,
    name: 'Bench',
    hash: hashKey(key),
    lastFour: key.slice(-4),
    createdBy: 'bench',
    createdAt: new Date(),
  });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { count: { type: 'string', default: '1000000' } } });
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl) throw new Error('DATABASE_URL names the database to fill');
  const database = await openDatabase({ databaseUrl });
  await database.migrate();
  const startedAt = performance.now();
  await addConversations(database.db, Number(values.count));
  console.log(`${values.count} conversations in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  await database.close();
}
