import { expect, it } from 'vitest';
import { header } from './message.ts';
import { openTestLine, PEER, responseText, type TestLine } from './testing.ts';

const registers = (line: TestLine) => line.sentOf('REGISTER').map(({ message }) => message);

async function reply(line: TestLine, ...more: [number, string?]) {
  const [status, extra = ''] = more;
  line.say(responseText(registers(line).at(-1)!, status, { extra }));
  await line.clock.pass(1);
}

it('tells the trunk where we are, proves who we are, and tells it again before it forgets', async () => {
  const line = await openTestLine({ registers: true });
  await line.clock.pass(1);
  expect(header(registers(line)[0]!, 'to')).toBe(`<sip:alice@${PEER}>`);
  await reply(line, 401, 'WWW-Authenticate: Digest realm="trunk", nonce="n1", qop="auth"\n');
  expect(header(registers(line)[1]!, 'authorization')).toContain('username="alice"');
  await reply(line, 200, 'Expires: 100\n');
  await line.clock.pass(79_900);
  expect(registers(line)).toHaveLength(2);
  await line.clock.pass(200);
  expect(registers(line).map((message) => header(message, 'cseq'))).toEqual([
    '1 REGISTER',
    '2 REGISTER',
    '3 REGISTER',
  ]);
  expect(new Set(registers(line).map((message) => header(message, 'call-id'))).size).toBe(1);
});

it('goes on asking a trunk that refuses, later each time', async () => {
  const line = await openTestLine({ registers: true });
  await line.clock.pass(1);
  await reply(line, 403);
  await line.clock.pass(30_000);
  await reply(line, 403);
  await line.clock.pass(59_900);
  expect(registers(line)).toHaveLength(2);
  await line.clock.pass(200);
  expect(registers(line)).toHaveLength(3);
});

it('takes its word back when the service stops', async () => {
  const line = await openTestLine({ registers: true });
  await line.clock.pass(1);
  await reply(line, 200);
  const closed = line.carrier.close();
  await line.clock.pass(1);
  expect(header(registers(line).at(-1)!, 'expires')).toBe('0');
  await reply(line, 200);
  await closed;
});
