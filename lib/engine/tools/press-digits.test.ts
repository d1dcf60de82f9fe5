import { expect, it } from 'vitest';
import { noKnowledge, noWorkspaceTool, planForTest, silentLog } from '#lib/engine/testing.ts';
import { createToolExecutor } from './tool-executor.ts';

function toolsOn(line: { sendDigits?: (digits: string) => Promise<void> }) {
  const plan = planForTest();
  const tools = createToolExecutor({
    plan,
    now: () => plan.startedAt,
    searchKnowledge: noKnowledge,
    useWorkspaceTool: noWorkspaceTool,
    outcome: { appointment: null, callback: null },
    ...line,
    elapsedMs: () => 0,
    store: () => undefined,
    log: silentLog,
  });
  return {
    has: tools.has('press_digits'),
    press: (digits: string) => tools.use('press_digits', { digits }, () => undefined),
  };
}

it('keys are pressed in their order, and only keys that a telephone has', async () => {
  const sent: string[] = [];
  const { has, press } = toolsOn({ sendDigits: async (digits) => void sent.push(digits) });
  expect(has).toBe(true);
  expect(await press('4711#')).toEqual({ ok: true, digits: '4711#' });
  expect(await press('one')).toMatchObject({
    ok: false,
    reason: expect.stringContaining('keys of a telephone'),
  });
  expect(sent).toEqual(['4711#']);
});

it('keys are not offered on a line that sends none, and a line that fails is told to the agent', async () => {
  expect(toolsOn({}).has).toBe(false);
  expect(await toolsOn({}).press('1')).toMatchObject({ ok: false });
  const broken = toolsOn({ sendDigits: () => Promise.reject(new Error('gone')) });
  expect(await broken.press('1')).toEqual({ ok: false, reason: 'the tool failed' });
});
