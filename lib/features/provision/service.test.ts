import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asc, eq, getTableName } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { accounts, users } from '#db/schema/auth.ts';
import { integrations } from '#db/schema/integrations.ts';
import { apiKeys } from '#db/schema/keys.ts';
import { agentKnowledgeBases, knowledgeBases } from '#db/schema/knowledge.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import { customTags, members, workspaces } from '#db/schema/workspaces.ts';
import { systemActor } from '#lib/auth/mint.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { provisionAtStart } from './service.ts';

let runtime: TestRuntime;
const person = systemActor('ws_file', 'a person');

beforeAll(async () => {
  runtime = await startTestRuntime();
});
afterAll(() => runtime.close());

const FILE = {
  id: 'ws_file',
  name: 'Alpha Dental',
  users: [
    { email: 'owner@file.test', name: 'Owner', password: 'the first password', role: 'owner' },
    { email: 'second@file.test', name: 'Second', password: 'the first password', role: 'owner' },
    { email: 'gone@file.test', name: 'Gone', password: 'the first password', role: 'admin' },
  ],
  apiKeys: [{ name: 'ci', key: 'cw_test_of_the_file' }],
  webhook: { url: 'https://example.com/hook', secret: 'whsec_of_the_file' },
  customTags: [
    { name: 'kept', description: 'Stays.' },
    { name: 'dropped', description: 'Is deleted by hand.' },
  ],
  integrations: [
    {
      id: 'int_shop',
      name: 'Shop',
      kind: 'mcp',
      address: 'https://shop.example.com/mcp',
      tools: [
        {
          name: 'find_book',
          serverName: 'find.book',
          description: 'Finds a book.',
          parameters: { type: 'object' },
        },
      ],
    },
    {
      id: 'int_calendar',
      name: 'Practice',
      kind: 'calendar',
      address: 'https://cloud.example.com/dav',
      userName: 'desk',
      password: 'of-the-file',
      calendarUrl: 'https://cloud.example.com/dav/calendars/desk/work/',
      settings: { slotMinutes: 20, exceptions: [{ date: '2026-12-25', spans: [] }] },
    },
    {
      id: 'int_orders',
      name: 'Orders',
      kind: 'http',
      address: 'https://orders.example.com/v1',
      headers: [{ name: 'X-Key', value: 'of-the-file', isSecret: true }],
      tools: [
        {
          name: 'look_up_order',
          description: 'Looks up an order.',
          method: 'GET',
          path: '/orders/{{id}}',
          parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
          answer: null,
          timeoutMs: 8000,
          meanwhile: null,
        },
      ],
    },
  ],
  agents: [
    {
      id: 'agent_desk',
      name: 'Desk',
      inboundPrompt: 'You are Mia from Alpha Dental.',
      outboundPrompts: [
        { id: 'prompt_one', title: 'One', instructions: 'Remind them.' },
        { title: 'Two', instructions: 'Invite them.' },
      ],
    },
    { name: 'Without an id', outboundPrompts: [] },
  ],
  phoneNumbers: [
    { number: '+15550177001', agentId: 'agent_desk' },
    { number: '+15550177002', agentId: 'agent_desk' },
  ],
  knowledgeBases: [
    { id: 'kb_file', name: 'Handbook', description: 'Prices', agentIds: ['agent_desk'] },
    { name: 'Old', description: 'Is deleted by hand', agentIds: ['agent_desk'] },
  ],
};
type File = typeof FILE;

async function start(workspace: object): Promise<void> {
  const path = join(runtime.dataDir, 'provision.json');
  await writeFile(path, JSON.stringify({ workspaces: [workspace] }));
  await provisionAtStart({ ...runtime, env: { ...runtime.env, provisionFile: path } });
}

/** Every row that a provision file can touch. */
async function stored(): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of [
    integrations,
    workspaces,
    users,
    accounts,
    apiKeys,
    agents,
    outboundPrompts,
    phoneNumbers,
    knowledgeBases,
  ])
    rows[getTableName(table)] = await runtime.db.select().from(table).orderBy(asc(table.id));
  rows.members = await runtime.db.select().from(members).orderBy(asc(members.userId));
  rows.tags = await runtime.db.select().from(customTags).orderBy(asc(customTags.name));
  rows.attached = await runtime.db
    .select()
    .from(agentKnowledgeBases)
    .orderBy(asc(agentKnowledgeBases.agentId));
  return rows;
}

async function userId(email: string): Promise<string> {
  const user = await runtime.auth.findUserByEmail(email);
  if (!user) throw new Error(`${email} has no account`);
  return user.id;
}

async function auditedSince(count: number) {
  const { events } = await runtime.audit.list(person, { limit: 100 });
  return events.slice(0, events.length - count).map((event) => `${event.actorLabel}: ${event.action}`);
}

/** What people do between two starts: a password, a role, removals, a revoked key, a new secret, another agent. */
async function decide(): Promise<void> {
  await runtime.auth.setPassword(await userId('owner@file.test'), 'a password of my own');
  await runtime.members.changeRole(person, await userId('second@file.test'), 'viewer');
  await runtime.members.remove(person, await userId('gone@file.test'));
  await runtime.webhooks.regenerateSecret(person);
  const headers = [{ name: 'X-Key', value: 'entered by a person', isSecret: true }];
  await runtime.integrations.update(person, 'int_orders', { headers });
  const [key] = await runtime.keys.list(person);
  await runtime.keys.revoke(person, key?.id ?? '');
  await runtime.tags.remove(person, 'dropped');
  const prompts = await runtime.prompts.list(person, 'agent_desk');
  for (const prompt of prompts.filter((each) => each.title === 'Two'))
    await runtime.prompts.remove(person, { agentId: 'agent_desk', promptId: prompt.id });
  await runtime.knowledge.bases.setOfAgent(person, 'agent_desk', []);
  const bases = await runtime.db.select().from(knowledgeBases).where(eq(knowledgeBases.name, 'Old'));
  await runtime.knowledge.bases.remove(person, bases[0]?.id ?? '');
  const [first, second] = await runtime.numbers.list(person);
  const own = await runtime.agents.create(person, { name: 'Made by hand' });
  await runtime.numbers.update(person, first?.id ?? '', { agentId: own.id });
  await runtime.numbers.remove(person, second?.id ?? '');
}

describe('a provision file at every start', () => {
  it('makes what is missing once, says so in the audit log, and changes nothing the second time', async () => {
    await start(FILE);
    const first = await stored();
    expect(first.members).toHaveLength(3);
    const made = (await auditedSince(0)).map((line) => line.replace('provision file: ', ''));
    expect(made).toEqual(
      expect.arrayContaining([
        'workspace.created',
        'member.added',
        'key.created',
        'tag.created',
        'integration.created',
        'agent.created',
        'outbound_prompt.created',
        'number.created',
        'knowledge_base.created',
        'knowledge_base.agents_changed',
      ]),
    );
    await start(FILE);
    expect(await stored()).toEqual(first);
    expect(await auditedSince(made.length)).toEqual([]);
  });

  it('undoes nothing that people decided in between', async () => {
    await decide();
    const decided = await stored();
    const { length } = await auditedSince(0);
    await start(FILE);
    expect(await stored()).toEqual(decided);
    expect(await auditedSince(length)).toEqual([]);
    expect(await runtime.auth.keyRing.find('cw_test_of_the_file')).toBeUndefined();
  });

  it('goes on describing: a field that differs is set again, and what is new in the file is made', async () => {
    await runtime.agents.update(person, 'agent_desk', { name: 'Renamed by hand' });
    const [unnamed] = await runtime.db.select().from(agents).where(eq(agents.name, 'Without an id'));
    await runtime.agents.update(person, unnamed?.id ?? '', { name: 'Renamed as well' });
    const before = (await stored()).agents?.length ?? 0;
    const customTags = [...FILE.customTags, { name: 'new', description: 'Is new in the file.' }];
    const { length } = await auditedSince(0);
    await start({ ...FILE, customTags });
    expect(await runtime.agents.get(person, 'agent_desk')).toMatchObject({ name: 'Desk' });
    expect(await runtime.agents.get(person, unnamed?.id ?? '')).toMatchObject({ name: 'Without an id' });
    expect((await stored()).agents).toHaveLength(before);
    expect((await auditedSince(length)).toSorted()).toEqual([
      'provision file: agent.updated',
      'provision file: agent.updated',
      'provision file: tag.created',
    ]);
  });

  it('sets up the website widget of an agent once, with the id that stands in its pages', async () => {
    const chatWidget = { id: 'wgt_of_the_file', isEnabled: true, allowedOrigins: ['https://Alpha.example/'] };
    const file = {
      id: 'ws_file',
      name: 'Alpha Dental',
      agents: [{ id: 'agent_desk', name: 'Desk', chatWidget }],
    };
    const changes = async () =>
      (await runtime.audit.list(person, { limit: 50, action: 'agent.widget.updated' })).events;
    await start(file);
    expect(await runtime.chatWidgets.get(person, 'agent_desk')).toMatchObject({
      widgetId: 'wgt_of_the_file',
      isEnabled: true,
      allowedOrigins: ['https://alpha.example'],
    });
    const once = await changes();
    await start(file);
    expect(await changes()).toEqual(once);
  });

  it('ends the chats of a website widget that the file switches off, as the dashboard does', async () => {
    const file = (isEnabled: boolean) => ({
      id: 'ws_file',
      name: 'Alpha Dental',
      agents: [
        {
          id: 'agent_off',
          name: 'Off',
          reset: true,
          chatWidget: { isEnabled, allowedOrigins: ['https://alpha.example'] },
        },
      ],
    });
    await start(file(true));
    const { widgetId } = await runtime.chatWidgets.get(person, 'agent_off');
    const visitor = new Headers({ origin: 'https://alpha.example', 'x-client-address': '203.0.113.9' });
    const { chat } = await runtime.chatWidgets.start(widgetId ?? '', visitor);
    await start(file(false));
    expect((await runtime.chats.get(person, chat.conversationId)).status).toBe('ended');
  });

  it('undoes what people decided where the file says reset, and the audit log tells it', async () => {
    const withReset = <Item>(items: Item[]) => items.map((item) => ({ ...item, reset: true }));
    const { length } = await auditedSince(0);
    await start({
      ...FILE,
      users: withReset(FILE.users),
      apiKeys: withReset(FILE.apiKeys),
      webhook: { ...FILE.webhook, reset: true },
      customTags: withReset(FILE.customTags),
      agents: FILE.agents.map((agent) => ({
        ...agent,
        outboundPrompts: withReset<File['agents'][number]['outboundPrompts'][number]>(agent.outboundPrompts),
      })),
      phoneNumbers: withReset(FILE.phoneNumbers),
      knowledgeBases: withReset(FILE.knowledgeBases),
    });
    const owner = await userId('owner@file.test');
    expect(await runtime.auth.passwordMatches(owner, 'the first password')).toBe(true);
    const people = await runtime.members.list(person);
    expect(people.map(({ email, role }) => [email, role])).toEqual([
      ['gone@file.test', 'admin'],
      ['owner@file.test', 'owner'],
      ['second@file.test', 'owner'],
    ]);
    expect((await runtime.webhooks.getSecret(person)).secret).toBe('whsec_of_the_file');
    expect((await runtime.keys.list(person))[0]).toMatchObject({ name: 'ci', revokedAt: null });
    expect((await runtime.prompts.list(person, 'agent_desk')).map((prompt) => prompt.title)).toContain('Two');
    expect((await runtime.numbers.list(person)).map((number) => number.agent?.id)).toEqual([
      'agent_desk',
      'agent_desk',
    ]);
    expect(await runtime.knowledge.bases.listOfAgent(person, 'agent_desk')).toHaveLength(2);
    const told = await auditedSince(length);
    for (const action of [
      'member.added',
      'member.role.updated',
      'member.password.reset',
      'webhook.secret.replaced',
      'key.restored',
      'tag.created',
      'outbound_prompt.created',
      'number.updated',
      'number.created',
    ])
      expect(told).toContain(`provision file: ${action}`);
  });

  it('leaves a deleted agent deleted, goes on without it, and brings it back on reset', async () => {
    await runtime.agents.remove(person, 'agent_desk');
    const deleted = await stored();
    await start(FILE);
    expect(await stored()).toEqual(deleted);
    await start({ ...FILE, agents: FILE.agents.map((agent) => ({ ...agent, reset: true })) });
    expect(await runtime.agents.get(person, 'agent_desk')).toMatchObject({ name: 'Desk' });
    expect(await runtime.prompts.list(person, 'agent_desk')).toHaveLength(2);
  });

  it('does not make a second workspace of one that was renamed', async () => {
    const file = { name: 'Known by its name', apiKeys: [{ name: 'k', key: 'cw_test_by_name' }] };
    await start(file);
    const [made] = await runtime.db.select().from(workspaces).where(eq(workspaces.name, file.name));
    const actor = systemActor(made?.id ?? '', 'a person');
    await runtime.workspaces.update(actor, { name: 'Another name' });
    await start(file);
    expect(await runtime.workspaces.get(actor)).toMatchObject({ name: file.name });
  });

  it('refuses a word that is not known', async () => {
    await expect(start({ ...FILE, users: [{ email: 'a@b.test', resett: true }] })).rejects.toThrow(
      'workspaces.0.users.0.resett: is not a known field',
    );
  });
});
