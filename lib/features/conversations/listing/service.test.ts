import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, queryRows } from '#db/client.ts';
import { campaigns } from '#db/schema/campaigns.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { DISPOSITIONS, SENTIMENTS } from '#lib/ports/call-kinds.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { callFilter, type CallFilter, conversationListItem } from '../contract.ts';

let runtime: TestRuntime;
let line: SeededLine;

/** More than the first look goes through, so that what only the oldest have is found in the other ways too. */
const COUNT = 2_600;
const FIRST = Date.UTC(2026, 0, 1);

type Row = { id: string; agent_id: string; tags: string[]; date_initiated: string } & Record<string, unknown>;
let rows: Row[];

beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'many');
  await seedLine(runtime.db, 'stranger');
  await addAgent(runtime.db, 'agent_old');
  await addCampaign(runtime.db, 'cmp_some');
  await addConversations(runtime.db);
  await addReviews(runtime.db);
  rows = await queryRows<Row>(
    runtime.db,
    sql`select calls.*, reviewed_at, assignee_id from calls left join call_reviews on call_id = id
      where calls.workspace_id = 'ws_many' order by calls.date_initiated desc, id desc`,
  );
});
afterAll(() => runtime.close());

async function addAgent(db: Database, id: string): Promise<void> {
  await db.execute(
    sql`insert into agents (id, workspace_id, name, created_at, updated_at) values (${id}, 'ws_many', ${id}, now(), now())`,
  );
}

async function addCampaign(db: Database, id: string): Promise<void> {
  const [createdAt, updatedAt] = [new Date(FIRST), new Date(FIRST)];
  await db.insert(campaigns).values({
    id,
    workspaceId: line.actor.workspaceId,
    name: 'Some',
    state: 'finished',
    fromNumber: '+15550000000',
    agentId: 'agent_many',
    outboundPromptId: 'prompt_some',
    callsPerMinute: 60,
    createdBy: 'test',
    createdAt,
    updatedAt,
  });
}

/** Three share each moment. Of the oldest hundred some have an agent, a tag and a word that no later one has. */
async function addConversations(db: Database): Promise<void> {
  await db.execute(sql`
    insert into calls (id, workspace_id, agent_id, direction, channel, carrier, agent_phone_number, human_phone_number,
      variables, is_test, status, status_rank, usage_month, date_initiated, duration_seconds, disposition, tags, sentiment,
      outbound_prompt_id, agent_version_id, campaign_id, results, summary, transcript, created_at, updated_at)
    select 'cnv_' || lpad(n::text, 5, '0'), case when n % 500 = 0 then 'ws_stranger' else 'ws_many' end,
      case when n % 500 = 0 then 'agent_stranger' when n < 100 and n % 3 = 0 then 'agent_old' else 'agent_many' end,
      case when n % 5 = 0 then 'INBOUND' else 'OUTBOUND' end, case when n % 50 = 1 then 'chat' else 'call' end,
      'simulated', '+15550000000', '+1555' || lpad(n::text, 7, '0'), jsonb_build_object('name', 'Person ' || n),
      n % 70 = 2, case when n % 300 = 7 then 'queued' else 'ended' end, case when n % 300 = 7 then 0 else 5 end, '2026-01',
      to_timestamp(${FIRST / 1_000}::int + n / 3 * 60), 12.5,
      case when n % 300 = 7 then null when n < 100 and n % 4 = 0 then 'TRANSFERRED' else 'COMPLETED' end,
      case when n % 300 = 7 then array[]::text[] when n < 60 and n % 2 = 0 then array['old_tag', 'a "tag"'] else array['usual'] end,
      case when n % 11 = 0 then null when n < 200 and n % 7 = 0 then 'NEGATIVE' else 'NEUTRAL' end,
      case when n % 13 = 0 then 'prompt_some' end,
      case when n % 9 = 0 then 'ver_some' when n < 40 then 'ver_old' end,
      case when n % 500 <> 0 and n % 17 = 0 then 'cmp_some' end,
      case when n % 4 = 1 then jsonb_build_array(
        jsonb_build_object('name', 'guests', 'type', 'number', 'value', nullif(n % 40, 5), 'quotes', '[]'::jsonb),
        jsonb_build_object('name', 'paid', 'type', 'yes_no', 'value', n % 3 = 0, 'quotes', '[]'::jsonb),
        jsonb_build_object('name', 'until', 'type', 'date', 'value', '2026-03-' || lpad((n % 28 + 1)::text, 2, '0'), 'quotes', '[]'::jsonb),
        jsonb_build_object('name', 'comment', 'type', 'text', 'value', 'Ünï ' || n % 5, 'quotes', '[]'::jsonb)) end,
      null, 'Agent: Hello.' || E'\n' || 'Human: Number ' || n || case when n < 50 and n % 7 = 1 then ' zebra' else '' end
        || case when n < 580 then ' fern' else '' end,
      now(), now()
    from generate_series(1, ${COUNT}::int) n`);
}

/** Of the oldest some, and of the newest a good deal more than the first look goes through. */
async function addReviews(db: Database): Promise<void> {
  await db.execute(sql`
    insert into call_reviews (call_id, workspace_id, agent_id, facet, date_initiated, assignee_id, reviewed_at)
    select id, workspace_id, agent_id, call_facet(is_test, channel, direction, sentiment, disposition), date_initiated,
      case when id like '%3' then 'usr_ann' when id like '%4' then 'test' end,
      case when id like '%3' or id > 'cnv_00400' then now() end
    from calls where status = 'ended' and (id > 'cnv_00400' or id like '%3' or id like '%4')`);
}

function yields(row: Row, filter: string): boolean {
  const [name, type, is, wanted = ''] = filter.split(':');
  const results = (row.results ?? []) as {
    name: string;
    type: string;
    value: string | number | boolean | null;
  }[];
  const found = results.find((result) => result.name === name && result.type === type);
  if (found === undefined || row.status !== 'ended') return false;
  const shown = found.value === true ? 'yes' : found.value === false ? 'no' : found.value;
  if (is === 'empty' || is === 'filled') return (shown === null) === (is === 'empty');
  if (is === 'equals') return shown !== null && String(shown).toLowerCase() === wanted.toLowerCase();
  if (is === 'contains') return shown !== null && String(shown).toLowerCase().includes(wanted.toLowerCase());
  const [one, other] = type === 'number' ? [Number(shown), Number(wanted)] : [String(shown), wanted];
  return shown !== null && (is === 'greater' ? one > other : one < other);
}

/** The filter read plainly, one conversation at a time. */
function matches(row: Row, filter: CallFilter): boolean {
  const at = new Date(row.date_initiated).getTime();
  const text = `${String(row.transcript)}\n${row.tags.join('\n')}\n${String(row.human_phone_number)}`;
  const isTest = row.is_test === true;
  return [
    filter.status === undefined ||
      (filter.status === 'live' ? row.status !== 'ended' : row.status === filter.status),
    filter.promptId === undefined || row.outbound_prompt_id === filter.promptId,
    filter.campaignId === undefined || row.campaign_id === filter.campaignId,
    filter.versionId === undefined || row.agent_version_id === filter.versionId,
    filter.agentId === undefined || row.agent_id === filter.agentId,
    filter.channel === undefined || row.channel === filter.channel,
    filter.direction === undefined || row.direction === filter.direction,
    filter.sentiment === undefined || row.sentiment === filter.sentiment,
    filter.disposition === undefined || row.disposition === filter.disposition,
    filter.tests === undefined || isTest === (filter.tests === 'only'),
    filter.tag === undefined || row.tags.includes(filter.tag),
    filter.review === undefined || (filter.review === 'done') === (row.reviewed_at !== null),
    filter.assignee === undefined || matchesAssignee(row, filter.assignee),
    filter.result === undefined || yields(row, filter.result),
    filter.dateStart === undefined || at >= filter.dateStart,
    filter.dateEnd === undefined || at <= filter.dateEnd,
    (filter.search ?? '').split(/\s+/).every((word) => text.toLowerCase().includes(word.toLowerCase())),
  ].every(Boolean);
}

/** `test` is the id of who asks. */
function matchesAssignee({ assignee_id: id }: Row, assignee: string): boolean {
  if (assignee === 'none') return id === null;
  return id === (assignee === 'me' ? 'test' : assignee);
}

const LATE = FIRST + 700 * 60_000;
const EARLY = FIRST + 20 * 60_000;
const FILTERS: CallFilter[] = [
  {},
  { status: 'ended' },
  { status: 'live' },
  { status: 'queued', direction: 'OUTBOUND' },
  { agentId: 'agent_old' },
  { agentId: 'agent_none', status: 'ended' },
  { status: 'ended', agentId: 'agent_old' },
  { status: 'ended', agentId: 'agent_old', sentiment: 'NEGATIVE' },
  { status: 'ended', sentiment: 'NEGATIVE' },
  { status: 'ended', sentiment: 'NEGATIVE', dateStart: EARLY },
  { status: 'ended', sentiment: 'N_A' },
  { status: 'ended', disposition: 'TRANSFERRED', direction: 'INBOUND' },
  { status: 'ended', disposition: 'TRANSFERRED', dateEnd: EARLY },
  { disposition: 'TRANSFERRED' },
  { status: 'ended', channel: 'chat', tests: 'without' },
  { status: 'ended', channel: 'call', tests: 'only' },
  { status: 'ended', dateStart: EARLY, dateEnd: LATE },
  { status: 'ended', promptId: 'prompt_some', tests: 'without', sentiment: 'NEUTRAL' },
  { promptId: 'prompt_some', tag: 'usual', search: 'number' },
  { promptId: 'prompt_some', tag: 'usual', tests: 'without' },
  { promptId: 'prompt_some', tag: 'usual', review: 'open', dateEnd: LATE },
  { tag: 'usual', review: 'done', direction: 'INBOUND' },
  { tag: 'usual', promptId: 'prompt_some', result: 'guests:number:less:30', review: 'done' },
  { campaignId: 'cmp_some' },
  { status: 'ended', campaignId: 'cmp_some', tests: 'without', sentiment: 'NEUTRAL' },
  { status: 'ended', campaignId: 'cmp_some', tag: 'usual', direction: 'OUTBOUND' },
  { campaignId: 'cmp_some', review: 'done', result: 'guests:number:less:30' },
  { status: 'ended', campaignId: 'cmp_some', review: 'open' },
  { campaignId: 'cmp_some', search: 'number' },
  { versionId: 'ver_old' },
  { status: 'ended', versionId: 'ver_some', tests: 'without', sentiment: 'NEUTRAL' },
  { status: 'ended', versionId: 'ver_some', promptId: 'prompt_some' },
  { versionId: 'ver_old', result: 'paid:yes_no:equals:yes' },
  { versionId: 'ver_none', status: 'ended' },
  { versionId: 'ver_some', tag: 'usual', tests: 'without' },
  { versionId: 'ver_some', promptId: 'prompt_some', review: 'done' },
  { status: 'ended', tag: 'old_tag' },
  { tag: 'a "tag"', direction: 'INBOUND', agentId: 'agent_many' },
  { status: 'ended', tag: 'none' },
  { status: 'ended', result: 'guests:number:greater:20' },
  { result: 'guests:number:less:3.5', direction: 'INBOUND', agentId: 'agent_many' },
  { status: 'ended', result: 'guests:number:equals:9', dateEnd: LATE },
  { status: 'ended', result: 'guests:number:empty' },
  { result: 'guests:number:filled', tag: 'usual', search: 'number' },
  { result: 'guests:number:less:30', review: 'done' },
  { result: 'guests:text:filled' },
  { status: 'ended', result: 'paid:yes_no:equals:no', agentId: 'agent_old' },
  { status: 'ended', result: 'until:date:greater:2026-03-20', promptId: 'prompt_some' },
  { status: 'ended', result: 'comment:text:equals:üNÏ 3', tests: 'without' },
  { status: 'ended', result: 'comment:text:equals:ünï 3', tag: 'old_tag' },
  { status: 'ended', result: 'comment:text:contains:NÏ' },
  { status: 'ended', result: 'comment:text:contains: 3', agentId: 'agent_many' },
  { status: 'ended', result: 'comment:text:contains:%_' },
  { status: 'ended', search: 'zebra' },
  // What more have than are put in order, and none of the newest.
  { status: 'ended', search: 'fern' },
  { search: 'fern', tag: 'old_tag' },
  { search: 'fern', direction: 'INBOUND' },
  { promptId: 'prompt_some', search: 'fern' },
  { search: 'ZEBRA' },
  { status: 'ended', search: 'zebra number', agentId: 'agent_many' },
  { status: 'ended', search: 'old_tag' },
  { status: 'ended', search: '0000012' },
  { status: 'ended', search: 'nothing' },
  { status: 'ended', search: 'usual', disposition: 'TRANSFERRED' },
  { review: 'done', agentId: 'agent_many' },
  { status: 'ended', review: 'open' },
  { status: 'ended', review: 'open', sentiment: 'NEGATIVE' },
  { status: 'ended', review: 'open', tag: 'usual', assignee: 'none' },
  { status: 'ended', assignee: 'none', direction: 'INBOUND' },
  { assignee: 'me', review: 'open' },
  { status: 'ended', assignee: 'usr_ann', sentiment: 'NEUTRAL', dateStart: EARLY },
  { status: 'ended', assignee: 'me', search: 'number' },
  { status: 'ended', review: 'done', promptId: 'prompt_some' },
  // Fewer combinations of values than a list that PostgreSQL makes a hash of.
  { review: 'done', tests: 'without', disposition: 'COMPLETED', sentiment: 'NEUTRAL' },
  { status: 'ended', promptId: 'prompt_some', review: 'open' },
  { status: 'ended', promptId: 'prompt_some', review: 'open', assignee: 'none', dateStart: EARLY },
  { status: 'ended', versionId: 'ver_old', review: 'open', sentiment: 'NEUTRAL' },
  { status: 'ended', versionId: 'ver_some', campaignId: 'cmp_some', review: 'open', direction: 'OUTBOUND' },
  { status: 'ended', campaignId: 'cmp_some', review: 'done', direction: 'OUTBOUND' },
  { status: 'ended', tag: 'usual', result: 'guests:number:less:30', review: 'open' },
  { tag: 'usual', promptId: 'prompt_some', assignee: 'none' },
];

describe('the list', () => {
  it.each(FILTERS.map((filter) => ({ filter, name: JSON.stringify(filter) })))(
    'of $name has what matches, in its order, on all of its pages',
    async ({ filter }) => {
      const expected = rows.filter((row) => matches(row, filter)).map((row) => row.id);
      for (const [skip, limit] of [
        [0, 10],
        [3, 7],
        [Math.max(0, expected.length - 4), 10],
        [1_200, 25],
      ] as const) {
        const found = await runtime.conversations.listCalls(line.actor, { ...filter, skip, limit });
        expect(found.calls.map((call) => call.id)).toEqual(expected.slice(skip, skip + limit));
        if (found.isTotalExact) expect(found.totalCount).toBe(expected.length);
        else expect(found.totalCount).toBeLessThan(expected.length);
      }
    },
  );

  const walked = FILTERS.filter((_filter, index) => index % 3 === 1);
  it.each(walked.map((filter) => ({ filter, name: JSON.stringify(filter) })))(
    'of $name is walked from neighbour to neighbour',
    async ({ filter }) => {
      const expected = rows.filter((row) => matches(row, filter)).map((row) => row.id);
      for (const at of [0, expected.length - 2]) {
        const id = expected[at];
        if (id === undefined) continue;
        const place = await runtime.conversations.neighbours(line.actor, id, filter);
        expect(place).toMatchObject({ previous: expected[at - 1] ?? null, next: expected[at + 1] ?? null });
        if (place.position !== null) expect(place.position).toBe(at + 1);
      }
    },
  );

  it('finds words that are too short for an index among the newest', async () => {
    const { calls } = await runtime.conversations.listCalls(line.actor, { search: 'he', limit: 5, skip: 0 });
    expect(calls).toHaveLength(5);
  });

  it('follows what is changed on a conversation that has ended', async () => {
    const id = rows.find((row) => row.status === 'ended')?.id;
    const tagged = async (tag: string) =>
      (await runtime.conversations.listCalls(line.actor, { tag, limit: 5, skip: 0 })).calls.map(
        (call) => call.id,
      );
    await runtime.db.execute(sql`update calls set tags = array['new_tag'] where id = ${id}`);
    expect(await tagged('new_tag')).toEqual([id]);
    await runtime.db.execute(sql`update calls set tags = array['usual'] where id = ${id}`);
    expect(await tagged('new_tag')).toEqual([]);
  });

  it('keeps every value of a filter apart', async () => {
    const values = [
      ...DISPOSITIONS.map((disposition) => ({ disposition })),
      ...SENTIMENTS.map((sentiment) => ({ sentiment })),
    ];
    for (const value of values) {
      const filter = callFilter.parse({ status: 'ended', ...value });
      const found = await runtime.conversations.listCalls(line.actor, { ...filter, limit: 100, skip: 0 });
      const expected = rows.filter((row) => matches(row, filter)).map((row) => row.id);
      expect(found.calls.map((call) => call.id)).toEqual(expected.slice(0, 100));
    }
  });
});

describe('a conversation that the database writes as JSON', () => {
  it('has the form that the contract gives it, whatever stands in its texts', async () => {
    const transcript = 'Agent: "Hi"\\\nHuman: \u2028 ünï 😀 \u0001 </script>\t';
    await runtime.db.execute(
      sql`update calls set transcript = ${transcript}, cost = 0.1 where id = 'cnv_02599'`,
    );
    const page = { limit: 100, skip: 0, include_tests: true, include_chats: true } as const;
    const listed = (await runtime.conversations.list(line.actor, page)).parse();
    for (const item of listed) expect(conversationListItem.strict().parse(item)).toEqual(item);
    const own = listed.find((item) => item.id === 'cnv_02599');
    expect(own).toMatchObject({
      transcript,
      cost: 0.1,
      durationSeconds: 12.5,
      tags: ['usual'],
      summary: null,
    });
    expect((await runtime.conversations.get(line.actor, 'cnv_02599')).parse()).toEqual(own);
    expect(listed.filter((item) => item.channel === 'chat').length).toBeGreaterThan(0);
  });
});
