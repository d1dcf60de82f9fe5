import { expect, it } from 'vitest';
import { parseEnv, usualProcesses } from './env.ts';

it('reads calls per second by carrier, and has no limit without them', () => {
  expect(parseEnv({}).callsPerSecond).toEqual({});
  expect(parseEnv({ CALLS_PER_SECOND: 'twilio:1, sip:0.5' }).callsPerSecond).toEqual({ twilio: 1, sip: 0.5 });
});

it.each(['twilio', 'twilio:0', 'twilio:-1', 'twilio:many', 'twillio:1', 'sip:5000'])(
  'refuses %s as calls per second, and names the variable',
  (value) =>
    expect(() => parseEnv({ CALLS_PER_SECOND: value })).toThrow(/CALLS_PER_SECOND: '.*' is not a carrier/),
);

it('runs conversations in one process for each core but one, and in as many as it is told', () => {
  expect([1, 2, 4, 32].map(usualProcesses)).toEqual([1, 1, 3, 8]);
  expect(parseEnv({ CONVERSATION_PROCESSES: '0' }).conversationProcesses).toBe(0);
  expect(() => parseEnv({ CONVERSATION_PROCESSES: '-1' })).toThrow(/CONVERSATION_PROCESSES/);
});
