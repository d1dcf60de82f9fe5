/**
 * How long each filter of the API's and the dashboard's list takes over a million conversations on PostgreSQL: for each kind of
 * filter the worst of its values and combinations, in a workspace with nearly all of them and in one with a few.
 *
 *   node bench/million/filters.ts [--database=URL] [--count=1000000] [--times=7] [--only=result] [--slow]
 *
 * Medians; beside them the best of the times, which other work on the machine changes less, the processor time of this
 * process and its connection to the database, which other work changes little, and the floor, a page that is found at once.
 * `--slow` names every case above its bar, by the best of its times.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { queryRows } from '#db/client.ts';
import { parseEnv } from '#lib/env.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { systemActor } from '#lib/auth/mint.ts';
import type { CallFilter } from '#lib/features/conversations/contract.ts';
import { createConversationService } from '#lib/features/conversations/service.ts';
import { createSearchService } from '#lib/features/search/service.ts';
import { createRecordingService } from '#lib/features/recordings/service.ts';
import { createFileStorage } from '#lib/adapters/storage/file.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { CHANNELS, DISPOSITIONS, SENTIMENTS } from '#lib/ports/call-kinds.ts';
import { median } from '../median.ts';
import { processorMsOf } from '../processor-time.ts';
import {
  AGENTS,
  ASSIGNEE,
  LARGE,
  OLD_CAMPAIGN,
  OLD_GUESTS,
  OLD_PROMPT,
  OLD_TAG,
  PROMPT,
  RARE_GUESTS,
  RARE_PROMPT,
  RARE_TAG,
  RARE_WORD,
  SMALL,
} from './data.ts';
import { openMillion } from './open.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    count: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
    slow: { type: 'boolean', default: false },
  },
});
// One connection, so that it is known whose processor time counts.
const million = await openMillion({
  database: options.database,
  count: Number(options.count),
  connections: 1,
});
const { db } = million.database;
const [connection] = await queryRows<{ pid: number }>(db, sql`select pg_backend_pid() as pid`);
const env = parseEnv({});
const storage = createFileStorage(env.dataDir);
const recordings = createRecordingService({ db, env, storage, clock: systemClock, signingSecret: 'bench' });
const service = createConversationService({ db, recordings });
const search = createSearchService({ db });
const actors = [LARGE, SMALL].map(({ workspaceId }) => systemActor(workspaceId, 'bench'));

type Times = { medianMs: number; bestMs: number; processorMs: number };
type Case = { name: string; run: () => Promise<unknown> };

/** Of this process and of its connection's in the database; that one's only where it runs on the same machine, with Linux. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + processorMsOf(`${connection?.pid}`);
}

async function time({ run }: Case): Promise<Times> {
  const took: number[] = [];
  const worked: number[] = [];
  // Once more, as the first one also reads what no other request has read yet.
  for (let count = 0; count <= Number(options.times); count += 1) {
    const [startedAt, workedBefore] = [performance.now(), processorMs()];
    await run();
    if (count === 0) continue;
    took.push(performance.now() - startedAt);
    worked.push(processorMs() - workedBefore);
  }
  return { medianMs: median(took), bestMs: Math.min(...took), processorMs: Math.min(...worked) };
}

const agentIds = [...AGENTS.map((agent) => `agent_${agent}`), 'agent_none', undefined];
const DAY_MS = 86_400_000;
const now = Date.now();
const RANGES = [
  {},
  { dateStart: now - 3 * DAY_MS },
  { dateStart: now - 700 * DAY_MS, dateEnd: now - 650 * DAY_MS },
];

function* combinations(): Generator<CallFilter> {
  for (const agentId of agentIds)
    for (const direction of ['INBOUND', 'OUTBOUND', undefined] as const)
      for (const sentiment of [...SENTIMENTS, undefined])
        for (const range of RANGES) yield { agentId, direction, sentiment, ...range };
}

/** The agents are the large workspace's; the small one is refused them. */
function isOwn(actor: Actor, agentId: string | undefined): boolean {
  return agentId === undefined || actor.workspaceId === LARGE.workspaceId;
}

/** Cases of the dashboard's list by the filter that is seen there. */
function dashboardFilters(): Record<string, (CallFilter & { skip?: number })[]> {
  const whole = DISPOSITIONS.flatMap((disposition) =>
    agentIds.flatMap((agentId) =>
      [...SENTIMENTS, undefined].map((sentiment) => ({ disposition, agentId, sentiment })),
    ),
  );
  const results = [
    `number:equals:${RARE_GUESTS}`,
    `number:equals:${OLD_GUESTS}`,
    `number:greater:${RARE_GUESTS - 1}`,
    'number:greater:30',
    'number:less:1',
    'number:equals:-1',
    'number:empty',
    'number:filled',
    'text:empty',
  ].map((asked) => `guests:${asked}`);
  const comments = ['comment:text:equals:that works for me, please write it down.', 'comment:text:empty'];
  const asked = [...results, ...comments];
  const tags = [OLD_TAG, RARE_TAG, 'voicemail', 'nothing'];
  return {
    'the list, any status, calls in progress': [{}, { status: undefined }, { status: 'live' }],
    'outcome, with agent and sentiment': whole,
    'chats and tests': CHANNELS.flatMap((channel) =>
      (['without', 'only', undefined] as const).map((tests) => ({ channel, tests })),
    ),
    'result of an agent, with outcome': asked.flatMap((result) =>
      agentIds.flatMap((agentId) =>
        agentId === undefined
          ? []
          : [
              { result, agentId },
              { result, agentId, disposition: 'TRANSFERRED' as const },
              { result, agentId, skip: 500 },
            ],
      ),
    ),
    'version of an agent, with outcome and sentiment': AGENTS.flatMap((agent) =>
      ['first', 'second'].flatMap((which) =>
        [...DISPOSITIONS, undefined].flatMap((disposition) =>
          [...SENTIMENTS, undefined].map((sentiment) => ({
            versionId: `ver_${agent}_${which}`,
            tests: 'without' as const,
            disposition,
            sentiment,
          })),
        ),
      ),
    ),
    'result of any agent': asked.map((result) => ({ result })),
    'reviewed or not, assigned to somebody or nobody': reviewFilters(),
    'prompt, with outcome, sentiment and tag': [PROMPT, OLD_PROMPT, RARE_PROMPT, 'prompt_none'].flatMap(
      (promptId) => withOthers({ promptId }),
    ),
    'campaign, with outcome, sentiment and tag': [OLD_CAMPAIGN, 'cmp_none'].flatMap((campaignId) =>
      withOthers({ campaignId }),
    ),
    'tag, with agent and outcome': tags.flatMap((tag) =>
      agentIds.flatMap((agentId) => [
        { tag, agentId },
        { tag, agentId, disposition: 'FAILED' as const },
      ]),
    ),
  };
}

function reviewFilters(): CallFilter[] {
  const asked: CallFilter[] = [
    { review: 'done' },
    { review: 'open' },
    { assignee: ASSIGNEE },
    { assignee: 'none' },
    { review: 'done', assignee: ASSIGNEE },
    { review: 'open', assignee: 'none' },
  ];
  const besides: CallFilter[] = [
    {},
    ...agentIds.map((agentId) => ({ agentId })),
    ...agentIds.map((agentId) => ({
      agentId,
      disposition: 'TRANSFERRED' as const,
      sentiment: 'NEGATIVE' as const,
    })),
    ...DISPOSITIONS.map((disposition) => ({ disposition })),
    ...SENTIMENTS.map((sentiment) => ({ sentiment })),
    { disposition: 'FAILED', sentiment: 'NEGATIVE' },
    { channel: 'chat' },
    { tag: RARE_TAG },
    { tag: OLD_TAG },
    { result: `guests:number:equals:${OLD_GUESTS}` },
    { dateStart: RANGES[2]?.dateStart, dateEnd: RANGES[2]?.dateEnd },
  ];
  return asked.flatMap((review) => besides.map((beside) => ({ ...review, ...beside })));
}

/** What has an index of its own, with all that can be asked beside it. */
function withOthers(own: CallFilter): CallFilter[] {
  const besides: CallFilter[] = [
    {},
    ...DISPOSITIONS.map((disposition) => ({ disposition })),
    ...SENTIMENTS.map((sentiment) => ({ sentiment })),
    { disposition: 'FAILED', sentiment: 'NEGATIVE' },
    ...[OLD_TAG, RARE_TAG, 'voicemail', 'nothing'].map((tag) => ({ tag })),
    { tag: OLD_TAG, disposition: 'TRANSFERRED' },
    { review: 'open' },
    { review: 'open', assignee: 'none' },
    { review: 'open', tag: OLD_TAG },
    { review: 'done' },
    { assignee: ASSIGNEE },
    { result: `guests:number:equals:${OLD_GUESTS}` },
  ];
  return besides.map((beside) => ({ ...own, ...beside }));
}

const SEARCHES = [
  RARE_WORD,
  OLD_TAG,
  'appointment',
  'insurance card',
  'qwxyzk',
  `${RARE_WORD} insurance`,
  '0188',
  'voicemail',
  RARE_TAG,
  'thering',
  'q9',
];
const NAMES = ['Person c4ca42', 'person', 'qwxyzk', '2000007919', '555', 'zz'];

function* groups(): Generator<{ group: string; barMs: number; cases: Case[] }> {
  const given = { limit: 50, skip: 0, include_tests: false, include_chats: false } as const;
  const lists = (filters: Iterable<CallFilter & { skip?: number }>, limit: number): Case[] =>
    actors.flatMap((actor) =>
      [...filters]
        .filter(({ agentId }) => isOwn(actor, agentId))
        .map((filter) => ({
          name: JSON.stringify({ ...filter, workspace: actor.workspaceId }),
          run: () => service.listCalls(actor, { status: 'ended', ...filter, limit, skip: filter.skip ?? 0 }),
        })),
    );
  const api = actors.flatMap((actor) =>
    [...combinations()].flatMap(({ sentiment, agentId, dateStart, dateEnd, direction }) =>
      sentiment === 'N_A' || !isOwn(actor, agentId)
        ? []
        : {
            name: JSON.stringify({
              agentId,
              direction,
              sentiment,
              dateStart,
              dateEnd,
              workspace: actor.workspaceId,
            }),
            run: () =>
              service.list(actor, {
                ...given,
                agent_id: agentId,
                direction,
                sentiment,
                datetime_start: dateStart,
                datetime_end: dateEnd,
              }),
          },
    ),
  );
  const skipped = actors.map((actor) => ({
    name: actor.workspaceId,
    run: () => service.list(actor, { ...given, skip: Math.floor(Number(options.count) * 0.9) }),
  }));
  yield { group: 'API: skip over nine of ten', barMs: 200, cases: skipped };
  yield { group: 'API: agent, direction, sentiment, dates', barMs: 60, cases: api };
  for (const [name, filters] of Object.entries(dashboardFilters()))
    yield { group: `dashboard: ${name}`, barMs: 60, cases: lists(filters, 25) };
  const found = SEARCHES.map((words) => ({ search: words }));
  yield { group: 'dashboard: search of transcripts', barMs: 500, cases: lists(found, 25) };
  const names = NAMES.map((name) => ({
    name,
    run: () => search.find(actors[0] ?? systemActor('', ''), name),
  }));
  yield { group: 'dashboard: Ctrl-K', barMs: 60, cases: names };
}

function say({ medianMs, bestMs, processorMs: workedMs }: Times): string {
  return `${medianMs.toFixed(1)} ms (best ${bestMs.toFixed(1)}, processor ${workedMs.toFixed(1)})`;
}

const floor = await time({
  name: 'floor',
  run: () =>
    service.list(actors[1] ?? systemActor('', ''), {
      limit: 1,
      skip: 0,
      include_tests: true,
      include_chats: true,
    }),
});
console.log(`floor: one conversation of a small workspace: ${floor.medianMs.toFixed(1)} ms`);
for (const { group, barMs, cases } of groups()) {
  if (!group.includes(options.only)) continue;
  const timed: (Times & { name: string })[] = [];
  for (const one of cases) timed.push({ name: one.name, ...(await time(one)) });
  const above = (of: (times: Times) => number) => timed.filter((times) => of(times) > barMs);
  const worst = timed.reduce((most, times) => (times.bestMs > most.bestMs ? times : most));
  const slow = above(({ bestMs }) => bestMs);
  console.log(
    `${group}: worst of ${cases.length} ${say(worst)}, ${(worst.medianMs / floor.medianMs).toFixed(0)} times the floor: ` +
      `${worst.name}; above ${barMs} ms: ${above(({ medianMs }) => medianMs).length} by the median, ${slow.length} by the best, ` +
      `${above((times) => times.processorMs).length} by processor time`,
  );
  if (options.slow) for (const times of slow) console.log(`  ${say(times)}: ${times.name}`);
}
console.log(`load average ${(loadavg()[0] ?? 0).toFixed(1)}`);
await million.close();
