/** @module-tag postgres */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outboundPrompts } from '#db/schema/agents.ts';
import { campaigns } from '#db/schema/campaigns.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { uploadRequest } from '#lib/features/knowledge/testing.ts';
import { NO_RETRY } from '#lib/features/prompts/retry/rules.ts';
import { webhookWaiting } from '#lib/features/webhooks/jobs.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { newCampaign } from './contract.ts';
import { callsOf, campaignProcess, endedCalls, peopleOf } from './testing.ts';

let runtime: TestRuntime;
let alpha: SeededLine;
let beta: SeededLine;

beforeAll(async () => {
  runtime = await startTestRuntime();
  await runtime.queue.ensure(webhookWaiting);
  alpha = await seedLine(runtime.db, 'alpha', { workspace: { country: 'US' } });
  beta = await seedLine(runtime.db, 'beta');
});
afterAll(() => runtime.close());

const FAST = 6_000;
const linesOf = async (line: SeededLine, campaignId: string) =>
  (await runtime.campaigns.people.list(line.actor, campaignId, { after: 0, limit: 500 })).people;

async function started(
  line: SeededLine,
  people: ReturnType<typeof peopleOf>,
  settings: Partial<Parameters<typeof runtime.campaigns.intake.create>[1]> = {},
) {
  const input = {
    name: 'Check-ups',
    from: line.number,
    callsPerMinute: FAST,
    ...settings,
    people,
    start: true,
  };
  return runtime.campaigns.intake.create(line.actor, input);
}

it('checks every line before anybody is called, and says what is wrong with which', async () => {
  await runtime.optOuts.add(alpha.actor, { number: parsePhoneNumber('+15550109903') });
  const created = await runtime.campaigns.intake.create(alpha.actor, {
    name: 'Check-ups',
    from: alpha.number,
    people: [
      { number: '(555) 010-9900', variables: { name: '=HYPERLINK("x")' } },
      { number: 'unknown', variables: { name: 'Bob' } },
      { number: '+15550109900', variables: { name: 'Ann again' } },
      { number: '+15550109903', variables: { name: 'Cy' } },
    ],
  });
  expect(created).toMatchObject({
    state: 'ready',
    counts: { people: 4, callable: 1, placed: 0, refused: 0 },
    progress: { pending: 1, faulty: 1, duplicate: 1, optedOut: 1 },
  });
  const people = await linesOf(alpha, created.id);
  expect(people.map(({ line, status, fault, faultColumn }) => [line, status, fault, faultColumn])).toEqual([
    [1, 'pending', null, null],
    [2, 'faulty', 'It has letters, so it is no phone number.', 'number'],
    [3, 'duplicate', 'The same number stands in line 1.', null],
    [4, 'opted_out', 'The person asked not to be called again.', null],
  ]);
  expect(await callsOf(runtime, alpha)).toEqual([]);

  const csv = await (await runtime.campaigns.people.export(alpha.actor, created.id, undefined)).text();
  expect(csv.split('\r\n')[0]).toMatch(/^line,number,givenNumber,status,fault,.*,variables\.name$/);
  expect(csv).toContain("'=HYPERLINK");
  expect(csv).not.toMatch(/(^|,)"?(?:[=@]|[+](?!\d+,))/m);
});

it('begins at any moment that is written with its zone, and at none that is over', async () => {
  const input = { name: 'Later', from: alpha.number, people: peopleOf(1) };
  const parsed = (startAt: string) => newCampaign.safeParse({ name: 'x', from: alpha.number, startAt });
  for (const startAt of [
    '2093-11-16T10:30:00.000Z',
    '2093-11-16T10:30Z',
    '2093-11-16T11:30:00+01:00',
    '2093-11-16T11:30:00.123456+0100',
    '2093-11-16T05:30:00-05',
  ])
    expect(parsed(startAt).data?.startAt?.slice(0, 16), startAt).toBe('2093-11-16T10:30');
  for (const startAt of ['2093-11-16T10:30:00', '2093-11-16', '2093-02-30T10:00:00Z', 'tomorrow', ''])
    expect(parsed(startAt).success, startAt).toBe(false);

  const past = new Date(Date.now() - 3_600_000).toISOString();
  const refused = {
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('startAt: must not be in the past'),
  };
  const { intake } = runtime.campaigns;
  await expect(intake.create(alpha.actor, { ...input, startAt: past })).rejects.toMatchObject(refused);
  const { id } = await intake.create(alpha.actor, input);
  await expect(runtime.campaigns.update(alpha.actor, id, { startAt: past })).rejects.toMatchObject(refused);
  // What it has may be over: a form sends it again beside what is changed.
  await runtime.db
    .update(campaigns)
    .set({ startAt: new Date(past) })
    .where(eq(campaigns.id, id));
  const changed = await runtime.campaigns.update(alpha.actor, id, { startAt: past, name: 'Renamed' });
  expect(changed).toMatchObject({ name: 'Renamed', startAt: past });
});

it('calls a number that is only a guess after a yes, as it was read, and each once', async () => {
  const line = await seedLine(runtime.db, 'guesses', {
    workspace: { country: 'AT', maxConcurrentCalls: 50 },
  });
  const given = [
    '0664 1234501',
    '12345',
    '+43 1 2345',
    '6641234502',
    '436641234502',
    '+5550109900',
    '6641234503',
  ];
  await runtime.optOuts.add(line.actor, { number: '0664 1234503' });
  const people = given.map((number) => ({ number, variables: { name: 'Ann' } }));
  const { id } = await started(line, people);
  expect(await runtime.campaigns.get(line.actor, id)).toMatchObject({
    counts: { people: 7, callable: 2 },
    progress: { pending: 2, guessed: 4, optedOut: 1 },
  });
  const host = campaignProcess(runtime);
  await host.campaigns.dispatch.releaseAll();
  host.pass(2);
  await host.campaigns.dispatch.releaseAll();
  const called = async () => (await callsOf(runtime, line)).map((row) => row.humanPhoneNumber).toSorted();
  expect(await called()).toEqual(['+4312345', '+436641234501']);

  await Promise.all([1, 2].map(() => runtime.campaigns.confirmGuesses(line.actor, id)));
  expect(await runtime.campaigns.get(line.actor, id)).toMatchObject({
    counts: { callable: 4 },
    progress: { guessed: 0, duplicate: 2 },
  });
  expect((await linesOf(line, id)).map(({ status, fault }) => [status, fault])).toEqual([
    ['calling', null],
    ['duplicate', 'The same number stands in line 3.'],
    ['calling', null],
    ['pending', null],
    ['duplicate', 'The same number stands in line 4.'],
    ['pending', null],
    ['opted_out', 'The person asked not to be called again.'],
  ]);
  for (let looks = 0; looks < 3; looks += 1) {
    host.pass(2);
    await host.campaigns.dispatch.releaseAll();
  }
  expect(await called()).toEqual(['+4312345', '+436641234501', '+436641234502', '+5550109900']);
  const { events } = await runtime.audit.list(line.actor, { limit: 20, targetId: id });
  expect(events.filter((event) => event.action === 'campaign.guesses_confirmed')).toMatchObject([
    { data: { count: 2 } },
  ]);
});

it('reads numbers without a country code as of the number that calls, as a guess, until the country is set', async () => {
  const line = await seedLine(runtime.db, 'unset');
  const { id } = await started(line, [{ number: '(212) 555-0123', variables: { name: 'Ann' } }]);
  expect(await runtime.campaigns.get(line.actor, id)).toMatchObject({
    state: 'ready',
    progress: { guessed: 1, pending: 0 },
  });
  await expect(runtime.campaigns.start(line.actor, id)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  const sure = await started(line, [{ number: '(212) 555-0124', variables: { name: 'Ann' } }], {
    confirmGuesses: true,
  });
  expect(sure).toMatchObject({ state: 'running', progress: { guessed: 0, pending: 1 } });
  await runtime.campaigns.cancel(line.actor, sure.id);
  await expect(runtime.campaigns.confirmGuesses(line.actor, sure.id)).rejects.toMatchObject({
    code: 'INVALID_STATE',
  });
});

it("answers another workspace's campaign with 403 and an unknown one with 404", async () => {
  const { id } = await runtime.campaigns.intake.create(alpha.actor, {
    name: 'Ours',
    from: alpha.number,
    people: peopleOf(1),
  });
  const asBeta = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await asBeta(runtime.campaigns.get(beta.actor, id));
  await asBeta(runtime.campaigns.people.list(beta.actor, id, { after: 0, limit: 10 }));
  await asBeta(runtime.campaigns.people.export(beta.actor, id, undefined));
  await asBeta(runtime.campaigns.start(beta.actor, id));
  await asBeta(runtime.campaigns.remove(beta.actor, id));
  await expect(runtime.campaigns.get(beta.actor, 'cmp_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await runtime.campaigns.list(beta.actor, { limit: 10 })).campaigns).toEqual([]);
});

it('answers a repeated request with the first campaign, also where the first one died before it was started', async () => {
  const line = await seedLine(runtime.db, 'keyed');
  const input = { name: 'Once', from: line.number, people: peopleOf(2), start: true };
  const first = await runtime.campaigns.intake.create(line.actor, input, 'key-1');
  await runtime.db.update(campaigns).set({ state: 'ready' }).where(eq(campaigns.id, first.id));
  const second = await runtime.campaigns.intake.create(line.actor, input, 'key-1');
  expect(second).toMatchObject({ id: first.id, state: 'running' });
  const other = { ...input, name: 'Another' };
  await expect(runtime.campaigns.intake.create(line.actor, other, 'key-1')).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});

it('places each person once and at its rate, however many processes work on it', async () => {
  const line = await seedLine(runtime.db, 'rate');
  const { id } = await started(line, peopleOf(12), { callsPerMinute: 60 });
  const one = campaignProcess(runtime);
  const two = campaignProcess(runtime, { startsAt: one.now() });
  for (let second = 1; second <= 4; second += 1) {
    for (let look = 0; look < 3; look += 1)
      await Promise.all([one, two].map(({ campaigns: work }) => work.dispatch.releaseAll()));
    expect(await callsOf(runtime, line)).toHaveLength(second);
    one.pass(1);
    two.pass(1);
  }
  // Nobody looked for a while: what was not placed is not made up for all at once.
  one.pass(600);
  await one.campaigns.dispatch.releaseAll();
  expect((await callsOf(runtime, line)).length).toBeLessThanOrEqual(7);
  for (let second = 0; second < 12; second += 1) {
    one.pass(1);
    await one.dispatcher.fill(line.actor.workspaceId);
    await endedCalls(runtime, line, (await callsOf(runtime, line)).length);
    await one.campaigns.dispatch.releaseAll();
  }
  await one.dispatcher.fill(line.actor.workspaceId);
  const rows = await endedCalls(runtime, line, 12);
  expect(new Set(rows.map((row) => row.humanPhoneNumber)).size).toBe(12);
  expect(one.carrier.dialled).toHaveLength(12);
  one.pass(1);
  await one.campaigns.dispatch.releaseAll();
  expect(await runtime.campaigns.get(line.actor, id)).toMatchObject({
    state: 'finished',
    progress: { pending: 0, calling: 0, called: 12 },
  });
  const page = { limit: 100, skip: 0 };
  const listed = (filter: object) => runtime.conversations.listCalls(line.actor, { ...filter, ...page });
  for (const filter of [{}, { status: 'ended' }, { status: 'ended', search: 'Ann' }])
    expect((await listed({ ...filter, campaignId: id })).calls).toHaveLength(12);
  expect((await listed({ campaignId: 'cmp_none' })).calls).toEqual([]);
});

it('calls nobody twice and forgets nobody where a process dies before, in or after the placing of a call', async () => {
  const line = await seedLine(runtime.db, 'deaths', { workspace: { maxConcurrentCalls: 100 } });
  const { id } = await started(line, peopleOf(10));
  const host = campaignProcess(runtime);
  let asked = 0;
  const dying = host.withCalls({
    async queueForCampaign(actor, body, { campaignId, agree }) {
      asked += 1;
      if (asked % 4 === 1) throw new Error('killed before');
      const placed = await host.calls.queueForCampaign(actor, body, {
        campaignId,
        agree: async (tx, callId) => {
          const isAgreed = await agree(tx, callId);
          if (asked % 4 === 2) throw new Error('killed in the transaction');
          return isAgreed;
        },
      });
      if (asked % 4 === 3) throw new Error('killed after the commit');
      return placed;
    },
  });
  for (let tries = 0; tries < 60; tries += 1) {
    await dying.dispatch.releaseAll();
    host.pass(31);
    if ((await runtime.campaigns.get(line.actor, id)).progress.pending === 0) break;
  }
  await host.dispatcher.fill(line.actor.workspaceId);
  const rows = await endedCalls(runtime, line, 10);
  expect(rows).toHaveLength(10);
  expect(new Set(rows.map((row) => row.humanPhoneNumber)).size).toBe(10);
  const detail = await runtime.campaigns.get(line.actor, id);
  expect(detail).toMatchObject({ counts: { placed: 10 }, progress: { called: 10 } });
});

it('dials nobody while it is paused, and goes on where it was', async () => {
  const line = await seedLine(runtime.db, 'paused');
  const { id } = await started(line, peopleOf(8));
  const host = campaignProcess(runtime);
  const pausing = host.withCalls({
    async queueForCampaign(...given) {
      if ((await callsOf(runtime, line)).length === 3) await runtime.campaigns.pause(line.actor, id);
      return host.calls.queueForCampaign(...given);
    },
  });
  await pausing.dispatch.releaseAll();
  host.pass(2);
  await pausing.dispatch.releaseAll();
  host.pass(2);
  await pausing.dispatch.releaseAll();
  expect(await runtime.campaigns.get(line.actor, id)).toMatchObject({
    state: 'paused',
    counts: { placed: 3 },
    progress: { pending: 5, calling: 3 },
  });
  // What waits for a line is not dialled either.
  await host.dispatcher.fill(line.actor.workspaceId);
  await expect
    .poll(async () =>
      (await callsOf(runtime, line)).every((row) => row.notBefore !== null && row.leaseOwner === null),
    )
    .toBe(true);
  expect(host.carrier.dialled).toEqual([]);

  await host.campaigns.resume(line.actor, id);
  host.pass(1);
  await host.campaigns.dispatch.releaseAll();
  host.pass(2);
  await host.campaigns.dispatch.releaseAll();
  await host.dispatcher.fill(line.actor.workspaceId);
  await endedCalls(runtime, line, 8);
  expect(new Set(host.carrier.dialled).size).toBe(8);
});

it('ends the calls that wait when it is cancelled, and tries nobody again', async () => {
  const line = await seedLine(runtime.db, 'cancelled', { workspace: { maxConcurrentCalls: 1 } });
  const { id } = await started(line, peopleOf(6));
  const host = campaignProcess(runtime);
  await host.campaigns.dispatch.releaseAll();
  host.pass(2);
  await host.campaigns.dispatch.releaseAll();
  const placed = (await callsOf(runtime, line)).length;
  expect(placed).toBeGreaterThan(1);
  const cancelled = await host.campaigns.cancel(line.actor, id);
  expect(cancelled).toMatchObject({ state: 'cancelled', progress: { pending: 0, called: placed } });
  for (const call of await callsOf(runtime, line))
    expect(call).toMatchObject({
      status: 'ended',
      disposition: 'FAILED',
      endReason: 'The campaign was cancelled before anybody was dialled.',
    });
  await host.campaigns.dispatch.releaseAll();
  await host.dispatcher.fill(line.actor.workspaceId);
  expect(host.carrier.dialled).toEqual([]);
  await expect(host.campaigns.resume(line.actor, id)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  await host.campaigns.remove(line.actor, id);
  expect((await callsOf(runtime, line))[0]).toMatchObject({ campaignId: null });
});

it('tries again as the prompt wants it, and is over when the last attempt is', async () => {
  const line = await seedLine(runtime.db, 'retries');
  const retry = { ...NO_RETRY, isOn: true, attempts: 2, delayMinutes: 10 };
  await runtime.db.update(outboundPrompts).set({ retry }).where(eq(outboundPrompts.id, line.promptId));
  const { id } = await started(line, peopleOf(1));
  const busy = { ...neverConnected('busy', 'The line was busy.'), recording: null };
  const host = campaignProcess(runtime, { run: async () => busy });
  await host.campaigns.dispatch.releaseAll();
  await host.dispatcher.fill(line.actor.workspaceId);
  await endedCalls(runtime, line, 1);
  host.pass(2);
  await host.campaigns.dispatch.releaseAll();
  expect(await runtime.campaigns.get(line.actor, id)).toMatchObject({
    state: 'running',
    progress: { calling: 1 },
  });
  host.pass(601);
  await host.dispatcher.fill(line.actor.workspaceId);
  const rows = await endedCalls(runtime, line, 2);
  expect(rows.map((row) => row.campaignId)).toEqual([id, id]);
  await host.campaigns.dispatch.releaseAll();
  const [person] = await linesOf(line, id);
  expect(person).toMatchObject({
    status: 'called',
    attempts: 2,
    disposition: 'FAILED',
    conversationId: rows[1]?.id,
  });
  expect((await runtime.campaigns.get(line.actor, id)).state).toBe('finished');
});

it('calls people within the hours of the campaign by their own clocks, and not before its time', async () => {
  const line = await seedLine(runtime.db, 'hours');
  const people = [{ number: '+12125550100' }, { number: '+4930901820' }].map((person) => ({
    ...person,
    variables: { name: 'Ann' },
  }));
  const { id } = await started(line, people, {
    callingHours: { isOn: true, days: ['mon'], from: '09:00', to: '18:00' },
    startAt: '2093-11-16T10:30:00.000Z',
  });
  // A Monday: five in the morning in New York, eleven in Berlin.
  const host = campaignProcess(runtime, { startsAt: new Date('2093-11-16T10:00:00.000Z') });
  await host.campaigns.resume(line.actor, id).catch(() => undefined);
  await host.campaigns.dispatch.releaseAll();
  expect(await callsOf(runtime, line)).toEqual([]);
  const numbers = async () => (await callsOf(runtime, line)).map((row) => row.humanPhoneNumber);
  // The list was checked by the real clock, so its lines are looked at anew.
  await host.campaigns.pause(line.actor, id);
  await host.campaigns.resume(line.actor, id);
  host.pass(3600);
  await host.campaigns.dispatch.releaseAll();
  expect(await numbers()).toEqual(['+4930901820']);
  host.pass(3 * 3600);
  await host.campaigns.dispatch.releaseAll();
  expect(await numbers()).toEqual(['+4930901820', '+12125550100']);
});

it('leaves out who opted out since the check, and pauses by itself where no call can be placed', async () => {
  const line = await seedLine(runtime.db, 'limits', { workspace: { monthlyUsageLimitMinutes: 1 } });
  const { id } = await started(line, peopleOf(3));
  const first = parsePhoneNumber(peopleOf(1)[0]?.number ?? '');
  await runtime.optOuts.add(line.actor, { number: first });
  const host = campaignProcess(runtime);
  for (let looks = 0; looks < 4; looks += 1) {
    await host.campaigns.dispatch.releaseAll();
    host.pass(2);
  }
  expect(await runtime.campaigns.get(line.actor, id)).toMatchObject({
    state: 'paused',
    pauseReason: expect.stringMatching(/reached its monthly usage limit: .* until an admin raises it .*\.$/),
    counts: { placed: 1, refused: 1 },
    progress: { pending: 1, optedOut: 1 },
  });
});

it('reads a file in place of an earlier one, names lines and columns, and is a draft again where that fails', async () => {
  const { files } = await prepareFile();
  const campaign = await runtime.campaigns.intake.draft(alpha.actor, {
    name: 'From a file',
    from: alpha.number,
    columns: { hasHeader: true, numberColumn: 1, variables: [{ column: 0, name: 'name' }] },
  });
  expect(campaign.state).toBe('draft');
  await expect(runtime.campaigns.start(alpha.actor, campaign.id)).rejects.toMatchObject({
    code: 'INVALID_STATE',
  });
  const upload = async (text: string) =>
    runtime.campaigns.intake.upload(
      alpha.actor,
      campaign.id,
      await uploadRequest({ name: 'people.csv', bytes: text }),
    );
  expect(await upload(files.good)).toMatchObject({ state: 'ready', counts: { people: 3, callable: 2 } });
  const people = await linesOf(alpha, campaign.id);
  expect(people.map(({ line, fault, faultColumn }) => [line, fault, faultColumn])).toEqual([
    [2, null, null],
    [4, 'It has too few or too many digits for a phone number.', 'Handy'],
    [5, null, null],
  ]);
  await expect(upload(files.unclosed)).rejects.toThrow('has a quotation mark in line 2 that is never closed');
  await expect(upload('Name;Handy\r\n')).rejects.toThrow('has no people');
  expect(await upload(files.shorter)).toMatchObject({ state: 'ready', counts: { people: 1, callable: 1 } });

  // A process that dies while it checks leaves a draft.
  await runtime.db
    .update(campaigns)
    .set({ state: 'checking', checkingUntil: new Date(0) })
    .where(eq(campaigns.id, campaign.id));
  await runtime.campaigns.dispatch.endBrokenChecks();
  expect(await runtime.campaigns.get(alpha.actor, campaign.id)).toMatchObject({
    state: 'draft',
    progress: { pending: 0 },
    pauseReason: 'The check of its list was interrupted. Choose the file again.',
  });
});

async function prepareFile() {
  const good = 'Name;Handy\r\n"Ann\r\nLee";555 010 9910\r\nBob;12\r\nCy;+1 (555) 010-9911\r\n';
  const inspected = await runtime.campaigns.intake.inspect(
    alpha.actor,
    await uploadRequest({ name: 'people.csv', bytes: good }),
    { from: alpha.number, hasHeader: undefined },
  );
  expect(inspected).toMatchObject({
    delimiter: ';',
    rowCount: 3,
    hasHeader: true,
    suggested: { numberColumn: 1, variables: [{ column: 0, name: 'name' }] },
  });
  return {
    files: {
      good,
      unclosed: 'Name;Handy\r\n"Ann;555 010 9910\r\n',
      shorter: 'Name;Handy\r\nAnn;555 010 9910\r\n',
    },
  };
}
