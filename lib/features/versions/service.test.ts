/** @module-tag postgres */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { agentVersions } from '#db/schema/versions.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addWorkspace } from '#lib/auth/testing.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { loadHeldParts } from '#lib/features/calls/execution/plan.ts';
import { provisionAtStart } from '#lib/features/provision/service.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { currentVersionId, getVersion } from './service.ts';

let runtime: TestRuntime;
let alpha: Actor;
let beta: Actor;

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true });
  alpha = await addWorkspace(runtime, 'ws_versions');
  beta = await addWorkspace(runtime, 'ws_versions_beta');
});
afterAll(() => runtime.close());

const user = (): Actor => ({ ...alpha, kind: 'user', id: 'user_1', label: 'mia@alpha.test' });
const newAgent = (actor = alpha) =>
  runtime.agents.create(actor, { name: 'Front desk', inboundPrompt: 'Be kind.' });
const versionsOf = (agentId: string) =>
  runtime.db
    .select()
    .from(agentVersions)
    .where(eq(agentVersions.agentId, agentId))
    .orderBy(asc(agentVersions.number));
async function currentOf(agentId: string): Promise<string | null | undefined> {
  const [row] = await runtime.db.select({ is: agents.versionId }).from(agents).where(eq(agents.id, agentId));
  return row?.is;
}

describe('a saved change', () => {
  it('is a version with its author, its time and what it changed', async () => {
    const { id } = await newAgent();
    await runtime.agents.setChatPrompt(user(), id, { chatPrompt: 'Write briefly.' });
    const [first, second, ...more] = await versionsOf(id);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ number: 1, authorKind: 'system', changes: [] });
    expect(second).toMatchObject({
      number: 2,
      authorKind: 'user',
      authorId: 'user_1',
      authorLabel: 'mia@alpha.test',
      changes: [{ promptId: null, title: null, kind: 'changed', fields: ['chatPrompt'] }],
    });
    expect(second?.content.agent).toMatchObject({ inboundPrompt: 'Be kind.', chatPrompt: 'Write briefly.' });
    expect(await currentOf(id)).toBe(second?.id);
  });

  it('of an outbound prompt is one of its agent', async () => {
    const { id } = await newAgent();
    const prompt = await runtime.prompts.create(alpha, id, {
      title: 'Reminder',
      instructions: 'Remind them.',
    });
    const place = { agentId: id, promptId: prompt.id };
    await runtime.prompts.update(alpha, place, { title: 'Recall' });
    await runtime.prompts.remove(alpha, place);
    const versions = await versionsOf(id);
    expect(versions.map(({ changes }) => changes)).toEqual([
      [],
      [{ promptId: prompt.id, title: 'Reminder', kind: 'added', fields: [] }],
      [{ promptId: prompt.id, title: 'Recall', kind: 'changed', fields: ['title'] }],
      [{ promptId: prompt.id, title: 'Recall', kind: 'removed', fields: [] }],
    ]);
    expect(await currentOf(id)).toBe(versions.at(-1)?.id);
  });

  it('that writes what is there already is none', async () => {
    const { id } = await newAgent();
    await runtime.agents.setInboundPrompt(alpha, id, { inboundPrompt: 'Be kind.' });
    await runtime.agents.updateSettings(alpha, id, { hasBargeIn: true });
    expect(await versionsOf(id)).toHaveLength(1);
  });

  it('counts from one in a copy, which is a version with its prompts', async () => {
    const { id } = await newAgent();
    await runtime.prompts.create(alpha, id, { title: 'Reminder', instructions: 'Remind them.' });
    const copy = await runtime.agents.duplicate(alpha, id);
    const versions = await versionsOf(copy.id);
    expect(versions.map(({ number, content }) => [number, content.outboundPrompts.length])).toEqual([[1, 1]]);
  });

  it('of a provision file has the file as its author, once for the agent and its prompts together', async () => {
    const file = (inboundPrompt: string) => ({
      id: 'ws_versions_file',
      name: 'Filed',
      agents: [
        {
          id: 'agent_versions_file',
          name: 'Desk',
          inboundPrompt,
          outboundPrompts: [
            { id: 'prompt_versions_file', title: 'Call', instructions: `Say: ${inboundPrompt}` },
          ],
        },
      ],
    });
    for (const text of ['One.', 'One.', 'Two.']) await provision(file(text));
    const versions = await versionsOf('agent_versions_file');
    expect(versions.map(({ number, authorLabel }) => [number, authorLabel])).toEqual([
      [1, 'provision file'],
      [2, 'provision file'],
    ]);
    expect(versions[1]?.changes.map(({ promptId }) => promptId)).toEqual([null, 'prompt_versions_file']);
  });

  it('beside others at the same time gets a number of its own', async () => {
    const { id } = await newAgent();
    const titles = ['One', 'Two', 'Three', 'Four'];
    await Promise.all(
      titles.map((title) => runtime.prompts.create(alpha, id, { title, instructions: `Say ${title}.` })),
    );
    const versions = await versionsOf(id);
    expect(versions.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    expect(versions.at(-1)?.content.outboundPrompts).toHaveLength(4);
  });
});

describe('an agent that nobody wrote a version of', () => {
  it('gets its first one when it is asked for, with an unknown author and the time of its last change', async () => {
    const line = await seedLine(runtime.db, 'versions_before');
    expect(await currentOf(line.agentId)).toBeNull();
    const { workspaceId } = line.actor;
    const id = await currentVersionId(runtime.db, runtime.ids, workspaceId, line.agentId);
    const [version] = await versionsOf(line.agentId);
    expect(version).toMatchObject({ id, number: 1, authorKind: 'unknown', authorLabel: null });
    expect(version?.createdAt).toEqual(new Date('2026-03-02T09:00:00.000Z'));
    expect(await currentVersionId(runtime.db, runtime.ids, workspaceId, line.agentId)).toBe(id);
  });

  it('does so again after a process of an older release changed it or one of its prompts', async () => {
    const line = await seedLine(runtime.db, 'versions_older');
    const { workspaceId } = line.actor;
    const current = () => currentVersionId(runtime.db, runtime.ids, workspaceId, line.agentId);
    const first = await current();
    await runtime.db
      .update(outboundPrompts)
      .set({ instructions: 'Changed by the release before.' })
      .where(eq(outboundPrompts.id, line.promptId));
    expect(await currentOf(line.agentId)).toBeNull();
    const second = await current();
    expect(second).not.toBe(first);
    await runtime.db.update(agents).set({ name: 'Renamed' }).where(eq(agents.id, line.agentId));
    await runtime.db.update(agents).set({ name: 'Agent versions_older' }).where(eq(agents.id, line.agentId));
    expect(await current()).toBe(second);
    expect(await versionsOf(line.agentId)).toHaveLength(2);
  });
});

describe('a conversation', () => {
  it('keeps the version it was held with, whatever is changed after it', async () => {
    const line = await seedLine(runtime.db, 'versions_held');
    const { workspaceId } = line.actor;
    const { conversationId } = await runtime.calls.queueOutbound(line.actor, {
      from: line.number,
      to: parsePhoneNumber('+15550199910'),
      variables: { name: 'Alex' },
    });
    await expect
      .poll(() => callOf(conversationId).then((call) => call?.status), { timeout: 30_000 })
      .toBe('ended');
    const held = await callOf(conversationId);
    await runtime.agents.setInboundPrompt(line.actor, line.agentId, { inboundPrompt: 'Changed since.' });
    const place = { agentId: line.agentId, versionId: held?.agentVersionId ?? '' };
    const { agent, prompts, number } = await getVersion(
      runtime.db,
      workspaceId,
      place,
      await liveOf(line.agentId),
    );
    expect(number).toBe(1);
    expect(agent.inboundPrompt).toBe('You answer the phone for a dentist.');
    expect(prompts.map(({ opening }) => opening)).toEqual(['Hello {{name}}, this is the dentist.']);
  });

  it('in writing keeps it too', async () => {
    const { id } = await newAgent();
    await runtime.agents.setChatPrompt(alpha, id, {
      chatPrompt: 'You answer questions about opening hours.',
    });
    const chat = await runtime.chats.create(alpha, id, {});
    expect((await callOf(chat.conversationId))?.agentVersionId).toBe(await currentOf(id));
  });

  it('that names a version is planned with it, for an agent that was changed since', async () => {
    const line = await seedLine(runtime.db, 'versions_named');
    const { workspaceId } = line.actor;
    const first = await currentVersionId(runtime.db, runtime.ids, workspaceId, line.agentId);
    const place = { agentId: line.agentId, promptId: line.promptId };
    await runtime.prompts.update(line.actor, place, { opening: 'Good day.' });
    const call = { agentId: line.agentId, outboundPromptId: line.promptId };
    const held = (agentVersionId: string | null) =>
      loadHeldParts(runtime.db, runtime.ids, workspaceId, { ...call, agentVersionId });
    expect((await held(null))?.prompt?.opening).toBe('Good day.');
    expect((await held(first ?? null))?.prompt?.opening).toBe('Hello {{name}}, this is the dentist.');
  });
});

describe('a version', () => {
  it('is not found by another workspace, nor under another agent', async () => {
    const { id } = await newAgent();
    const other = await newAgent();
    const versionId = (await currentOf(id)) ?? '';
    const live = await liveOf(id);
    await expect(
      getVersion(runtime.db, beta.workspaceId, { agentId: id, versionId }, live),
    ).rejects.toMatchObject({ status: 403 });
    await expect(
      getVersion(runtime.db, alpha.workspaceId, { agentId: other.id, versionId }, live),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('from before a column came has that column as the migration filled it', async () => {
    const { id } = await newAgent();
    const versionId = (await currentOf(id)) ?? '';
    await runtime.db
      .update(agentVersions)
      .set({ content: sql`${agentVersions.content} #- '{agent,hasBargeIn}'` })
      .where(eq(agentVersions.id, versionId));
    const { agent } = await getVersion(
      runtime.db,
      alpha.workspaceId,
      { agentId: id, versionId },
      await liveOf(id),
    );
    expect(agent.hasBargeIn).toBe(true);
    await runtime.agents.updateSettings(alpha, id, { hasHints: true });
    const [, second] = await versionsOf(id);
    expect(second?.changes).toMatchObject([{ fields: ['hasHints'] }]);
  });
});

async function callOf(id: string) {
  const [row] = await runtime.db
    .select({ status: calls.status, agentVersionId: calls.agentVersionId })
    .from(calls)
    .where(eq(calls.id, id));
  return row;
}

async function liveOf(agentId: string) {
  const [row] = await runtime.db.select().from(agents).where(eq(agents.id, agentId));
  if (!row) throw new Error('no such agent');
  return row;
}

async function provision(workspace: object): Promise<void> {
  const path = join(runtime.dataDir, 'provision.json');
  await writeFile(path, JSON.stringify({ workspaces: [workspace] }));
  await provisionAtStart({ ...runtime, env: { ...runtime.env, provisionFile: path } });
}
