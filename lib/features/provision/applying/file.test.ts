import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outboundPrompts } from '#db/schema/agents.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import { systemActor } from '#lib/auth/mint.ts';
import { createLogger } from '#lib/log.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { parseProvisionFile } from '../service.ts';
import { applyProvisionFile } from './file.ts';

let runtime: TestRuntime;
const actor = systemActor('ws_manners', 'a person');
const RETRY = { isOn: true, attempts: 3, delayMinutes: 60, on: ['busy'] };
const HOURS = {
  isOn: true,
  days: ['fri', 'sat'],
  from: '22:00',
  to: '02:00',
  perDay: { sat: { from: '10:00', to: '14:00' } },
};
const WORKSPACE = {
  id: 'ws_manners',
  name: 'Manners',
  country: 'AT',
  callingHours: HOURS,
  hasRecordingAnnouncement: true,
  recordingAnnouncement: 'We record this call.',
  optOuts: [{ number: '15550109911', note: 'By letter' }, { number: '+15550109912' }],
  agents: [
    {
      id: 'agent_manners',
      name: 'Desk',
      outboundPrompts: [{ id: 'prompt_manners', title: 'One', instructions: 'Remind.', retry: RETRY }],
    },
  ],
};

const apply = (change: object = {}) =>
  applyProvisionFile(runtime, parseProvisionFile({ workspaces: [{ ...WORKSPACE, ...change }] }, 'file'));
const listed = async () =>
  (await runtime.optOuts.list(actor, { limit: 100 })).optOuts.map(({ number }) => number).sort();

beforeAll(async () => {
  runtime = await startTestRuntime();
});
afterAll(() => runtime.close());

it('sets what a workspace owes the people it calls, and a second start changes nothing', async () => {
  await apply();
  const [first] = await runtime.db.select().from(workspaces).where(eq(workspaces.id, 'ws_manners'));
  expect(first).toMatchObject({
    callingHours: HOURS,
    hasRecordingAnnouncement: true,
    recordingAnnouncement: 'We record this call.',
  });
  const [prompt] = await runtime.db.select().from(outboundPrompts);
  expect(prompt?.retry).toEqual(RETRY);
  expect(await listed()).toEqual(['+15550109911', '+15550109912']);
  const { events } = await runtime.audit.list(actor, { limit: 100 });
  await apply();
  expect(await runtime.db.select().from(workspaces).where(eq(workspaces.id, 'ws_manners'))).toEqual([first]);
  expect((await runtime.audit.list(actor, { limit: 100 })).events).toEqual(events);
});

it('leaves an opt-out off the list that somebody took from it, until it is reset', async () => {
  await runtime.optOuts.remove(actor, parsePhoneNumber('+15550109912'));
  await apply();
  expect(await listed()).toEqual(['+15550109911']);
  await apply({ optOuts: [{ number: '+15550109912', reset: true }] });
  expect(await listed()).toEqual(['+15550109911', '+15550109912']);
});

it('sets the country, and takes numbers of any', async () => {
  await apply({ phoneNumbers: [{ number: '+436641234500' }], optOuts: [{ number: '+43 (0)664 1234501' }] });
  expect((await runtime.numbers.list(actor)).map(({ number }) => number)).toEqual(['+436641234500']);
  expect(await listed()).toContain('+436641234501');
  expect((await runtime.workspaces.get(actor)).country).toBe('AT');
});

it('says which field is wrong', () => {
  const wrong = { callingHours: { ...HOURS, to: '22:00' }, optOuts: [{ number: 'nobody' }] };
  expect(() => parseProvisionFile({ workspaces: [{ ...WORKSPACE, ...wrong }] }, 'file')).toThrow(
    /callingHours\.to: must be another time[\s\S]*optOuts\.0\.number|optOuts\.0\.number[\s\S]*callingHours\.to/,
  );
});

it('warns of a key that could be guessed, without telling it', async () => {
  const lines: string[] = [];
  const log = createLogger('warn', { write: (line) => lines.push(line) });
  const apiKeys = [
    { name: 'short', key: 'cw_test_guess' },
    { name: 'long', key: 'cw_test_of_more_than_24_characters' },
  ];
  const file = parseProvisionFile({ workspaces: [{ ...WORKSPACE, apiKeys }] }, 'file');
  await applyProvisionFile({ ...runtime, log }, file);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('short_api_key');
  expect(lines[0]).not.toContain('guess');
});
