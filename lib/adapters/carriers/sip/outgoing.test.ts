import { describe, expect, it } from 'vitest';
import type { ControlEvent, NeverConnectedReason } from '#lib/ports/carrier.ts';
import { header } from './message.ts';
import { OFFER, openTestLine, PEER, responseText, type TestLine } from './testing.ts';

const REQUEST = { reference: 'dial_1', from: '+15550100001', to: '+15550199999' };
const ANSWER = { body: OFFER.replace('8 0 101', '0 101') };

async function dial(line: TestLine, reference = REQUEST.reference) {
  const leg = await line.carrier.dial({ ...REQUEST, reference });
  const events: ControlEvent[] = [];
  void (async () => {
    for await (const event of leg.events) events.push(event);
  })();
  await line.clock.pass(1);
  return { leg, events, invite: line.sentOf('INVITE').at(-1)!.message };
}

async function reply(line: TestLine, ...response: Parameters<typeof responseText>) {
  line.say(responseText(...response));
  await line.clock.pass(1);
}

const types = (events: ControlEvent[]) => events.map((event) => event.type);
/** Of requests that were sent, copies left out. */
const numbersOf = (line: TestLine, method: string) => [
  ...new Set(line.sentOf(method).map(({ message }) => header(message, 'cseq'))),
];

describe('a call that is dialled', () => {
  it('shows the number of the workspace, rings, is answered, and ends', async () => {
    const line = await openTestLine();
    const { leg, events, invite } = await dial(line);
    expect(invite).toMatchObject({ uri: `sip:+15550199999@${PEER}:5060` });
    expect('media' in leg && leg.media.isTelephone).toBe(true);
    expect(header(invite, 'call-id')).toBe('dial_1');
    expect(header(invite, 'from')).toContain(`<sip:+15550100001@${PEER}>;tag=`);
    expect(header(invite, 'p-asserted-identity')).toBe(`<sip:+15550100001@${PEER}>`);
    await reply(line, invite, 100);
    await reply(line, invite, 180);
    await reply(line, invite, 180);
    await reply(line, invite, 200, ANSWER);
    const ack = line.sentOf('ACK')[0]?.message;
    expect(ack).toMatchObject({ uri: `sip:there@${PEER}:5060` });
    await line.clock.pass(100);
    expect(line.rtp.heard.length).toBeGreaterThanOrEqual(4);
    await leg.hangUp();
    await line.clock.pass(1);
    expect(numbersOf(line, 'BYE')).toEqual(['2 BYE']);
    expect(events).toMatchObject([
      { type: 'ringing' },
      { type: 'answered' },
      { type: 'hangup', by: 'agent' },
    ]);
    // The answer again: its ACK was lost.
    await reply(line, invite, 200, ANSWER);
    expect(line.sentOf('ACK')).toHaveLength(2);
  });

  it('goes by the way that proxies asked for', async () => {
    const line = await openTestLine();
    const { leg, invite } = await dial(line);
    const extra = 'Record-Route: <sip:192.0.2.31;lr>, <sip:192.0.2.32;lr>\n';
    await reply(line, invite, 200, { ...ANSWER, extra });
    await leg.hangUp();
    await line.clock.pass(1);
    const bye = line.sentOf('BYE')[0]!.message;
    expect(bye.headers.get('route')).toEqual(['<sip:192.0.2.32;lr>', '<sip:192.0.2.31;lr>']);
    expect(bye).toMatchObject({ uri: `sip:there@${PEER}:5060` });
  });

  it.each([
    [486, 'busy'],
    [600, 'busy'],
    [480, 'no_answer'],
    [408, 'no_answer'],
    [603, 'rejected'],
    [404, 'network_failure'],
    [503, 'network_failure'],
    [302, 'network_failure'],
  ] satisfies [number, NeverConnectedReason][])('that is refused with %d is %s', async (status, reason) => {
    const line = await openTestLine();
    const { events, invite } = await dial(line);
    await reply(line, invite, status);
    expect(events).toMatchObject([{ type: 'never_connected', reason }]);
    expect(line.sentOf('ACK')).toHaveLength(1);
    await reply(line, invite, status);
    expect(line.sentOf('ACK')).toHaveLength(2);
    expect(await line.carrier.lookup('dial_1')).toBe('ended');
  });

  it('is repeated while nobody says anything, and given up after 32 seconds', async () => {
    const line = await openTestLine();
    const { events } = await dial(line);
    await line.clock.pass(40_000);
    expect(line.sentOf('INVITE').map(({ atMs }) => Math.round(atMs / 100) / 10)).toEqual([
      0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5,
    ]);
    expect(new Set(line.sentOf('INVITE').map(({ text }) => text)).size).toBe(1);
    expect(events).toMatchObject([{ type: 'never_connected', reason: 'network_failure' }]);
  });

  it('that rings without end is given up, once', async () => {
    const line = await openTestLine();
    const { events, invite } = await dial(line);
    await reply(line, invite, 180);
    await line.clock.pass(61_000);
    expect(types(events)).toEqual(['ringing', 'never_connected']);
    expect(events.at(-1)).toMatchObject({ reason: 'no_answer' });
    const cancel = line.sentOf('CANCEL')[0]!.message;
    expect(header(cancel, 'via')).toBe(header(invite, 'via'));
    await reply(line, cancel, 200);
    await reply(line, invite, 487);
    expect(line.sentOf('ACK')).toHaveLength(1);
  });

  it('that is answered in the moment in which it is given up ends at once', async () => {
    const line = await openTestLine();
    const { leg, events, invite } = await dial(line);
    await leg.hangUp();
    // Nothing was heard of the INVITE: a CANCEL might overtake it.
    expect(line.sentOf('CANCEL')).toEqual([]);
    await reply(line, invite, 180);
    expect(numbersOf(line, 'CANCEL')).toEqual(['1 CANCEL']);
    await reply(line, invite, 200, ANSWER);
    expect(line.sentOf('ACK')).toHaveLength(1);
    expect(numbersOf(line, 'BYE')).toEqual(['2 BYE']);
    expect(types(events)).toEqual(['hangup']);
  });

  it('that two answer is kept with the first', async () => {
    const line = await openTestLine();
    const { events, invite } = await dial(line);
    await reply(line, invite, 180, { tag: 'one' });
    await reply(line, invite, 180, { tag: 'two' });
    await reply(line, invite, 200, { ...ANSWER, tag: 'two' });
    await reply(line, invite, 200, { ...ANSWER, tag: 'one' });
    expect(line.sentOf('ACK')).toHaveLength(2);
    expect(line.sentOf('BYE').map(({ message }) => header(message, 'to'))).toEqual([
      `<sip:+15550199999@${PEER}:5060>;tag=one`,
    ]);
    expect(types(events)).toEqual(['ringing', 'answered']);
  });

  it('acknowledges what is sent reliably before the answer, each once', async () => {
    const line = await openTestLine();
    const { invite } = await dial(line);
    const reliable = { ...ANSWER, extra: 'Require: 100rel\nRSeq: 42\n' };
    await reply(line, invite, 183, reliable);
    await reply(line, invite, 183, reliable);
    expect(line.sentOf('PRACK').map(({ message }) => header(message, 'rack'))).toEqual(['42 1 INVITE']);
  });

  it('is never sent twice for one reference', async () => {
    const line = await openTestLine();
    const { leg, invite } = await dial(line);
    expect(await line.carrier.dial(REQUEST)).toBe(leg);
    expect(await line.carrier.lookup('dial_1')).toBe('in_progress');
    await reply(line, invite, 486);
    const again = await line.carrier.dial(REQUEST);
    const events: ControlEvent[] = [];
    for await (const event of again.events) events.push(event);
    expect(types(events)).toEqual(['never_connected']);
    expect(line.sentOf('INVITE')).toHaveLength(1);
  });

  it('of a process that died is taken back while it rings, and never dialled again', async () => {
    const before = await openTestLine();
    const { invite } = await dial(before);
    const line = await openTestLine();
    const found = line.carrier.lookup('dial_1');
    await line.clock.pass(1);
    const cancels = line.sentOf('CANCEL').map(({ message }) => message);
    expect(cancels.map((cancel) => header(cancel, 'cseq'))).toEqual(['1 CANCEL', '2 CANCEL', '3 CANCEL']);
    for (const name of ['via', 'call-id']) expect(header(cancels[0]!, name)).toBe(header(invite, name));
    await reply(line, cancels[0]!, 200);
    await reply(line, cancels[1]!, 481);
    await reply(line, cancels[2]!, 481);
    expect(await found).toBe('ended');
    // Somebody answered in that moment.
    await reply(line, invite, 200, ANSWER);
    expect(line.sent.slice(-2).map(({ message }) => header(message, 'cseq'))).toEqual(['1 ACK', '2 BYE']);
    expect(line.sentOf('INVITE')).toEqual([]);
  });

  it('that was answered and whose process died is hung up on, by the way that its proxies asked for', async () => {
    const before = await openTestLine();
    const { leg, invite } = await dial(before);
    expect(leg.trace?.()).toBeUndefined();
    await reply(before, invite, 200, {
      ...ANSWER,
      extra: `Record-Route: <sip:one@${PEER};lr>, <sip:two@${PEER};lr>\n`,
    });
    const ack = before.sentOf('ACK')[0]!.message;
    const trace = leg.trace?.();
    const line = await openTestLine({ trunk: undefined });
    const found = line.carrier.lookup('dial_1', { from: '', to: '', at: new Date(0), trace });
    await line.clock.pass(1);
    const [bye, ...others] = line.sent.map(({ message }) => message);
    expect(others).toEqual([]);
    expect(bye).toMatchObject({ method: 'BYE', uri: `sip:there@${PEER}:5060` });
    for (const name of ['call-id', 'from', 'to', 'route'])
      expect(bye!.headers.get(name)).toEqual(ack.headers.get(name));
    expect(header(bye!, 'cseq')).toBe('1002 BYE');
    await reply(line, bye!, 200);
    expect(await found).toBe('ended');
  });

  it('of which the trunk knows nothing is unknown', async () => {
    const line = await openTestLine();
    const found = line.carrier.lookup('never heard of');
    await line.clock.pass(33_000);
    expect(await found).toBe('unknown');
  });
});

describe('over TLS', () => {
  const KEY = 'PS1uQCVeeCFCanVmcjkpPywjNWhcYD0mXXtxaVBR';
  const secured = OFFER.replace('RTP/AVP 8 0 101', 'RTP/SAVP 0 101').replace(
    'a=rtpmap',
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}\na=rtpmap`,
  );

  it('encrypted sound is offered, and what comes back is encrypted', async () => {
    const line = await openTestLine({ isSecure: true });
    const { events, invite } = await dial(line);
    expect(invite.body).toMatch(
      /RTP\/SAVP 0 8 101\r\n(.*\r\n)*a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\S{40}/,
    );
    await reply(line, invite, 200, { body: secured });
    await line.clock.pass(100);
    expect(types(events)).toEqual(['answered']);
    // Ten bytes more than a packet in the clear.
    expect(new Set(line.rtp.heard.map(({ bytes }) => bytes.length))).toEqual(new Set([182]));
  });

  it('sound in the clear is offered to whoever refuses it, before anything rang, and never after', async () => {
    const line = await openTestLine({ isSecure: true });
    const { events, invite } = await dial(line);
    await reply(line, invite, 488);
    const second = line.sentOf('INVITE').at(-1)!.message;
    expect(numbersOf(line, 'INVITE')).toEqual(['1 INVITE', '2 INVITE']);
    expect(header(second, 'call-id')).toBe('dial_1');
    expect(second.body).toContain('RTP/AVP 0 8 101');
    expect(second.body).not.toContain('crypto');
    await reply(line, second, 200, ANSWER);
    await line.clock.pass(100);
    expect(new Set(line.rtp.heard.map(({ bytes }) => bytes.length))).toEqual(new Set([172]));
    expect(types(events)).toEqual(['answered']);

    const other = await dial(line, 'dial_2');
    await reply(line, other.invite, 180);
    await reply(line, other.invite, 488);
    expect(types(other.events)).toEqual(['ringing', 'never_connected']);
  });

  it('an answer in the clear to an encrypted offer is not talked on', async () => {
    const line = await openTestLine({ isSecure: true });
    const { events, invite } = await dial(line);
    await reply(line, invite, 200, ANSWER);
    expect(types(events)).toEqual(['never_connected']);
    expect(line.sentOf('BYE')).toHaveLength(1);
    expect(line.rtp.heard).toEqual([]);
  });
});

describe('a trunk that asks who calls', () => {
  const challenge = (name: string, more = '') =>
    `${name}: Digest realm="trunk", nonce="n1", qop="auth", opaque="o"${more}\n`;

  it.each([
    [401, 'WWW-Authenticate', 'authorization'],
    [407, 'Proxy-Authenticate', 'proxy-authorization'],
  ])('with %d is told, with the next number of the same call', async (status, name, answer) => {
    const line = await openTestLine();
    const { events, invite } = await dial(line);
    await reply(line, invite, status, { extra: challenge(name) });
    const second = line.sentOf('INVITE').at(-1)!.message;
    expect(numbersOf(line, 'INVITE')).toEqual(['1 INVITE', '2 INVITE']);
    expect(header(second, 'call-id')).toBe('dial_1');
    expect(header(second, 'from')).toBe(header(invite, 'from'));
    expect(header(second, answer)).toMatch(
      /^Digest username="alice", realm="trunk", nonce="n1".*qop=auth, nc=00000001/,
    );
    await reply(line, second, 200, ANSWER);
    expect(header(line.sentOf('ACK').at(-1)!.message, 'cseq')).toBe('2 ACK');
    expect(types(events)).toEqual(['answered']);
  });

  it('is not asked again where it does not believe it, and is where the question had grown old', async () => {
    const line = await openTestLine();
    const { events, invite } = await dial(line);
    await reply(line, invite, 401, { extra: challenge('WWW-Authenticate') });
    const second = line.sentOf('INVITE').at(-1)!.message;
    const stale = challenge('WWW-Authenticate', ', stale=true').replace('n1', 'n2');
    await reply(line, second, 401, { extra: stale });
    const third = line.sentOf('INVITE').at(-1)!.message;
    expect(header(third, 'cseq')).toBe('3 INVITE');
    await reply(line, third, 401, { extra: challenge('WWW-Authenticate').replace('n1', 'n3') });
    expect(numbersOf(line, 'INVITE')).toHaveLength(3);
    expect(events).toMatchObject([{ type: 'never_connected', reason: 'network_failure' }]);
  });

  it('is not answered for another realm than its own, which a callee behind it would name', async () => {
    const line = await openTestLine();
    const { invite } = await dial(line);
    await reply(line, invite, 407, { extra: challenge('Proxy-Authenticate') });
    const second = line.sentOf('INVITE').at(-1)!.message;
    const foreign = challenge('WWW-Authenticate').replace('"trunk"', '"callee"');
    await reply(line, second, 401, { extra: foreign });
    expect(numbersOf(line, 'INVITE')).toEqual(['1 INVITE', '2 INVITE']);
  });

  it('is answered for the realms alone that the operator names', async () => {
    const line = await openTestLine({ realms: ['other', 'trunk'] });
    const { invite } = await dial(line);
    await reply(line, invite, 401, { extra: challenge('WWW-Authenticate') });
    expect(numbersOf(line, 'INVITE')).toHaveLength(2);
    const strict = await openTestLine({ realms: ['other'] });
    const refused = await dial(strict);
    await reply(strict, refused.invite, 401, { extra: challenge('WWW-Authenticate') });
    expect(numbersOf(strict, 'INVITE')).toHaveLength(1);
  });

  it('may ask again within the call, and the person behind it may not', async () => {
    const line = await openTestLine();
    const { leg, invite } = await dial(line);
    await reply(line, invite, 401, { extra: challenge('WWW-Authenticate') });
    await reply(line, line.sentOf('INVITE').at(-1)!.message, 200, ANSWER);
    await leg.hangUp();
    await line.clock.pass(1);
    const bye = line.sentOf('BYE').at(-1)!.message;
    await reply(line, bye, 401, { extra: challenge('WWW-Authenticate').replace('n1', 'n2') });
    expect(header(line.sentOf('BYE').at(-1)!.message, 'authorization')).toContain('nonce="n2"');

    const direct = await openTestLine();
    const other = await dial(direct);
    await reply(direct, other.invite, 401, { extra: challenge('WWW-Authenticate') });
    // The callee is reached past the trunk from now on.
    const text = responseText(direct.sentOf('INVITE').at(-1)!.message, 200, ANSWER);
    direct.say(text.replace(`<sip:there@${PEER}:5060>`, '<sip:there@192.0.2.99:5060>'));
    await direct.clock.pass(1);
    await other.leg.hangUp();
    await direct.clock.pass(1);
    await reply(direct, direct.sentOf('BYE').at(-1)!.message, 401, { extra: challenge('WWW-Authenticate') });
    expect(numbersOf(direct, 'BYE')).toEqual(['3 BYE']);
  });
});
