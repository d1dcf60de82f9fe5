import { describe, expect, it } from 'vitest';
import { answerCall, inviteText, openTestLine, requestText, type TestLine } from './testing.ts';
import { INVALID } from './torture-invalid-testing.ts';
import type { TortureMessage } from './torture-testing.ts';
import { VALID } from './torture-valid-testing.ts';

async function judge(line: TestLine, { text, becomes, called, caller }: TortureMessage) {
  line.say(text);
  await line.clock.pass(1);
  const statuses = line.sent.map(({ message }) => (message.kind === 'response' ? message.status : 0));
  if (becomes === 'opens') {
    expect(statuses).toEqual([100, 180]);
    expect(line.incoming).toHaveLength(1);
    if (called !== undefined) expect(line.incoming[0]?.to).toBe(called);
    if (caller !== undefined) expect(line.incoming[0]?.from).toBe(caller);
    return;
  }
  expect(line.incoming).toEqual([]);
  if (becomes === 'ignored') expect(statuses).toEqual([]);
  else if (becomes === 'ignored or refused') expect(statuses.every((status) => status >= 400)).toBe(true);
  else expect([...new Set(statuses)].filter((status) => status > 100)).toEqual([becomes.answered]);
}

/** Whatever came before, the next call is taken. */
async function expectToLive(line: TestLine): Promise<void> {
  const before = line.incoming.length;
  line.say(
    inviteText((headers) => headers.replaceAll('call-1@', 'after@').replace('z9hG4bKinvite', 'z9hG4bKafter')),
  );
  await line.clock.pass(1);
  expect(line.incoming).toHaveLength(before + 1);
}

describe('a message that is right, however strange', () => {
  it.each(VALID)('$name', async (message) => {
    const line = await openTestLine();
    await judge(line, message);
    await expectToLive(line);
  });
});

describe('a message that is wrong opens nothing', () => {
  it.each(INVALID)('$name', async (message) => {
    const line = await openTestLine();
    await judge(line, message);
    await expectToLive(line);
  });

  it('and gets no answer of any kind where it comes from a stranger', async () => {
    const line = await openTestLine();
    for (const { text } of [...VALID, ...INVALID]) line.say(text, { address: '203.0.113.9', port: 5_060 });
    await line.clock.pass(1);
    expect(line.sent).toEqual([]);
    expect(line.incoming).toEqual([]);
  });
});

describe('within a call', () => {
  it('what is wrong ends nothing', async () => {
    const line = await openTestLine();
    const events: string[] = [];
    const { leg, to } = await answerCall(line);
    void (async () => {
      for await (const event of leg.events) events.push(event.type);
    })();
    const bye = requestText({ method: 'BYE', to, seq: 2 });
    for (const [right, wrong] of [
      ['2 BYE', '2 INVITE'],
      ['2 BYE', '99999999999 BYE'],
      ['2 BYE', '0 BYE'],
      ['Content-Length: 0', 'Content-Length: 7'],
      [`tag=${to}`, 'tag=another'],
      ['tag=peer', 'tag=another'],
      ['SIP/2.0\nVia', 'SIP/3.0\nVia'],
      ['From: <', 'From: "<'],
      ['Max-Forwards: 70', 'Max-Forwards: -1'],
    ] as const)
      line.say(
        bye.replace(right, wrong).replace('z9hG4bKBYE2', `z9hG4bK${wrong.length}${wrong.charCodeAt(0)}`),
      );
    await line.clock.pass(1);
    expect(events).toEqual(['answered']);
    line.say(bye);
    await line.clock.pass(1);
    expect(events).toEqual(['answered', 'hangup']);
  });
});
