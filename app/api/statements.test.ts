import { AsyncLocalStorage } from 'node:async_hooks';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '#db/testing.ts';
import { addKey, addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import type { RouteHandler } from '#lib/http/route.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

/*
 * How many statements each operation sends to the database. Every one is a journey there and back, so a number that grows
 * should have a reason: then it is changed here, and a reader sees it.
 */

type Call = Parameters<typeof callRoute>[1];
/** The operation, the statements that it sends, its module, and what it is asked. */
type Row = [name: string, statements: number, load: () => Promise<{ GET: RouteHandler }>, call?: Call];

const AGENT = { agentId: 'agent_counted' };
const CALL = { callId: 'cnv_counted_2' };
const PAGE = { limit: '2' };

/** With an API key that this process knows already. */
const PUBLIC: Row[] = [
  ['GET /health', 0, () => import('./health/route.ts')],
  ['GET /tags', 0, () => import('./tags/route.ts')],
  ['GET /conversations', 1, () => import('./conversations/route.ts'), { query: PAGE }],
  ['GET /conversations, the last page', 2, () => import('./conversations/route.ts')],
  [
    'GET /conversations, of an agent',
    2,
    () => import('./conversations/route.ts'),
    { query: { ...PAGE, agent_id: AGENT.agentId } },
  ],
  [
    'GET /conversation/{id}',
    1,
    () => import('./conversation/[id]/route.ts'),
    { params: { id: CALL.callId } },
  ],
  ['GET /agents/{agentId}', 3, () => import('./agents/[agentId]/route.ts'), { params: AGENT }],
  [
    'GET /agents/{agentId}/outbound-prompts',
    3,
    () => import('./agents/[agentId]/outbound-prompts/route.ts'),
    { params: AGENT },
  ],
  [
    'GET /agents/{agentId}/knowledge-bases',
    2,
    () => import('./agents/[agentId]/knowledge-bases/route.ts'),
    { params: AGENT },
  ],
  ['GET /knowledge-bases', 2, () => import('./knowledge-bases/route.ts')],
];

/** As a member of the workspace: three of them find out who that is. */
const DASHBOARD: Row[] = [
  [
    'the list of conversations',
    6,
    () => import('./dashboard/calls/route.ts'),
    { query: { ...PAGE, status: 'ended' } },
  ],
  [
    // What is listed and counted, each from the first to the last conversation and in the one window of time they share.
    'a search of conversations',
    9,
    () => import('./dashboard/calls/route.ts'),
    { query: { ...PAGE, search: 'hello' } },
  ],
  ['one conversation', 9, () => import('./dashboard/calls/[callId]/route.ts'), { params: CALL }],
  [
    'its neighbours',
    9,
    () => import('./dashboard/calls/[callId]/neighbours/route.ts'),
    { params: CALL, query: { status: 'ended' } },
  ],
  ['the search from anywhere', 8, () => import('./dashboard/search/route.ts'), { query: { q: 'ann' } }],
  ['the list of agents', 8, () => import('./dashboard/agents/route.ts')],
  ['an agent', 8, () => import('./dashboard/agents/[agentId]/route.ts'), { params: AGENT }],
  ['the audit log', 4, () => import('./dashboard/audit/route.ts')],
  ['sent webhooks', 4, () => import('./dashboard/webhooks/deliveries/route.ts')],
  ['usage', 5, () => import('./dashboard/workspace/usage/route.ts')],
];

const counting = new AsyncLocalStorage<{ count: number }>();

/** Counts what is sent within `counting.run`, and nothing that jobs send meanwhile. */
function countStatements(pglite: PGlite): void {
  const count = () => {
    const counted = counting.getStore();
    if (counted) counted.count += 1;
  };
  const { query, transaction } = pglite;
  Object.assign(pglite, {
    query: (...given: Parameters<PGlite['query']>) => {
      count();
      return query.apply(pglite, given);
    },
    transaction: (work: Parameters<PGlite['transaction']>[0]) =>
      transaction.call(pglite, (tx) => {
        count();
        const inner = tx.query;
        return work(
          Object.assign(tx, {
            query: (...given: Parameters<PGlite['query']>) => {
              count();
              return inner.apply(tx, given);
            },
          }),
        );
      }),
  });
}

async function statementsOf(load: Row[2], call: Call): Promise<number> {
  const { GET } = await load();
  const counted = { count: 0 };
  const answer = await counting.run(counted, () => callRoute(GET, call));
  expect(answer.error).toBeUndefined();
  return counted.count;
}

describe.skipIf(hasPostgres)('an operation sends no more statements than is written here', () => {
  let runtime: TestRuntime;
  let member: SignedInMember;
  const headers = { 'x-api-key': 'cw_test_counted' };

  beforeAll(async () => {
    runtime = await startTestRuntime();
    const line = await seedLine(runtime.db, 'counted');
    const { workspaceId } = line.actor;
    await addKey(runtime, workspaceId, headers['x-api-key']);
    member = await addSignedInMember(runtime, workspaceId, 'owner');
    for (const number of [1, 2, 3])
      await addEndedCall(runtime.db, {
        id: `cnv_counted_${number}`,
        workspaceId,
        agentId: line.agentId,
        transcript: 'Agent: Hello.',
      });
    if (runtime.database.pglite) countStatements(runtime.database.pglite);
    await callRoute((await import('./conversations/route.ts')).GET, { headers });
    await callRoute((await import('./dashboard/agents/route.ts')).GET, { as: member });
  });
  afterAll(() => runtime.close());

  it.each(PUBLIC)('%s: %i', async (_name, statements, load, call = {}) => {
    // A process knows a key for three seconds, and loading a route may take longer.
    await load();
    await callRoute((await import('./tags/route.ts')).GET, { headers });
    expect(await statementsOf(load, { ...call, headers })).toBe(statements);
  });

  it.each(DASHBOARD)('the dashboard for %s: %i', async (_name, statements, load, call = {}) => {
    expect(await statementsOf(load, { ...call, as: member })).toBe(statements);
  });
});
