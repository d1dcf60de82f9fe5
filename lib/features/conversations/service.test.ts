import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { CallFilter } from './contract.ts';
import { excerptOf } from './rules.ts';

let runtime: TestRuntime;
let line: SeededLine;

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 9, minute));

beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'list');
  const other = await seedLine(runtime.db, 'others');
  const ours = { workspaceId: line.actor.workspaceId, agentId: line.agentId };
  const theirs = { workspaceId: other.actor.workspaceId, agentId: other.agentId };
  const transcript = 'Agent: How can I help?\nHuman: Please send the invoice.';
  // Two of one moment: their ids decide the order, as in the list.
  await addEndedCall(runtime.db, { ...ours, id: 'cnv_1', dateInitiated: at(1), transcript });
  await addEndedCall(runtime.db, { ...ours, id: 'cnv_2a', dateInitiated: at(2), disposition: 'VOICEMAIL' });
  await addEndedCall(runtime.db, { ...ours, id: 'cnv_2b', dateInitiated: at(2), transcript });
  await addEndedCall(runtime.db, { ...ours, id: 'cnv_3', dateInitiated: at(3), transcript });
  await addEndedCall(runtime.db, { ...theirs, id: 'cnv_foreign', dateInitiated: at(2), transcript });
});
afterAll(() => runtime.close());

describe('the neighbours of a conversation', () => {
  const neighbours = (callId: string, filter: CallFilter = { status: 'ended' }) =>
    runtime.conversations.neighbours(line.actor, callId, filter);

  it('walk the list in its order, from end to end, and no list of others', async () => {
    const { calls } = await runtime.conversations.listCalls(line.actor, {
      status: 'ended',
      limit: 50,
      skip: 0,
    });
    const walked: string[] = [];
    for (let id = calls[0]?.id ?? null; id !== null; id = (await neighbours(id)).next) walked.push(id);
    expect(walked).toEqual(['cnv_3', 'cnv_2b', 'cnv_2a', 'cnv_1']);
    expect(walked).toEqual(calls.map((call) => call.id));
    expect(await neighbours('cnv_2a')).toEqual({
      previous: 'cnv_2b',
      next: 'cnv_1',
      position: 3,
      totalCount: 4,
      isTotalExact: true,
    });
    expect((await neighbours('cnv_3')).previous).toBeNull();
  });

  it('are those that the filter leaves, around a call that it leaves out as well', async () => {
    const filter: CallFilter = { status: 'ended', search: 'INVOICE' };
    expect(await neighbours('cnv_2b', filter)).toMatchObject({ next: 'cnv_1', position: 2, totalCount: 3 });
    expect(await neighbours('cnv_2a', filter)).toEqual({
      previous: 'cnv_2b',
      next: 'cnv_1',
      position: null,
      totalCount: 3,
      isTotalExact: true,
    });
  });

  it("are refused for another workspace's call, and for one that nobody has", async () => {
    await expect(neighbours('cnv_foreign')).rejects.toMatchObject({ status: 403 });
    await expect(neighbours('cnv_none')).rejects.toMatchObject({ status: 404 });
  });
});

describe('the excerpt of a search', () => {
  it('is not of who speaks: a label is nothing that anybody said', async () => {
    const list = async (search: string) => {
      const { calls } = await runtime.conversations.listCalls(line.actor, { search, limit: 9, skip: 0 });
      return calls.map(({ id }) => id);
    };
    expect(await list('human')).toEqual([]);
    expect(await list('Agent:')).toEqual([]);
    expect(await list('please')).toEqual(['cnv_3', 'cnv_2b', 'cnv_1']);
    expect(excerptOf('Agent: Hello.\nHuman: A human, please.', ['human'])).toBe('Human: A human, please.');
    expect(excerptOf('Human: Hello.', ['human'])).toBeNull();
  });

  it('comes with the list, for calls whose transcript has a word', async () => {
    const list = (search: string) =>
      runtime.conversations.listCalls(line.actor, { search, limit: 1, skip: 0 });
    expect((await list('invoice')).calls[0]?.excerpt).toBe('Human: Please send the invoice.');
    expect((await list('0100100')).calls[0]?.excerpt).toBeNull();
  });

  it('is the line with the most of the words', () => {
    const transcript = 'Agent: Your invoice?\nHuman: The invoice of March.\nAgent: March it is.';
    expect(excerptOf(transcript, ['march', 'Invoice'])).toBe('Human: The invoice of March.');
  });

  it('begins shortly before the word in a long line', () => {
    const excerpt = excerptOf(
      `Agent: ${'Well then. '.repeat(40)}The invoice is sent. ${'Well. '.repeat(80)}`,
      ['invoice'],
    );
    expect(excerpt).toMatch(/^… /);
    expect(excerpt?.indexOf('invoice')).toBeLessThan(60);
    expect(excerpt?.length).toBeLessThan(220);
    expect(excerpt).toMatch(/…$/);
  });

  it('is nothing where no word occurs', () => {
    expect(excerptOf('Agent: Hello.', ['invoice'])).toBeNull();
    expect(excerptOf('Agent: Hello.', [])).toBeNull();
  });
});
