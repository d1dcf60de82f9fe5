import { describe, expect, it } from 'vitest';
import type { ControlEvent, IncomingAnswer, MediaLeg } from '#lib/ports/carrier.ts';
import { tagOf } from './grammar.ts';
import { header } from './message.ts';
import {
  inviteText,
  OFFER,
  openTestLine,
  PEER,
  requestText,
  responseText,
  type TestLine,
} from './testing.ts';

/** A call that came in and rings; its events are gathered while time passes. */
async function ring(line: TestLine, text = inviteText()) {
  line.say(text);
  await line.clock.pass(1);
  const leg = await line.carrier.pickUp(line.incoming.at(-1)?.reference ?? '').catch(() => undefined);
  const events: ControlEvent[] = [];
  if (leg) void gather(leg, events);
  const to = tagOf(header(line.sentOf(180).at(-1)?.message ?? line.sent[0]!.message, 'to')) ?? '';
  return { leg, events, to };
}

async function gather(leg: MediaLeg, events: ControlEvent[]): Promise<void> {
  for await (const event of leg.events) events.push(event);
}

/** A call that was answered, and whose caller said that he has the answer. */
async function talk(line: TestLine, text = inviteText()) {
  const { leg, events, to } = await ring(line, text);
  await leg?.answer();
  line.say(requestText({ method: 'ACK', to, seq: 1 }));
  await line.clock.pass(1);
  return { leg: leg!, events, to };
}

/** Of requests that were sent, copies left out. */
const numbersOf = (line: TestLine, method: string) => [
  ...new Set(line.sentOf(method).map(({ message }) => header(message, 'cseq'))),
];
const types = (events: ControlEvent[]) => events.map((event) => event.type);

describe('a call that comes in', () => {
  it('rings, is answered, and ends when the caller hangs up', async () => {
    const line = await openTestLine();
    const { events, to } = await talk(line);
    expect(line.incoming).toMatchObject([{ to: '+15550100001', from: '+15550199999' }]);
    expect(line.sent.map(({ message }) => message.kind === 'response' && message.status)).toEqual([
      100, 180, 200,
    ]);
    const answer = line.sentOf(200)[0]?.message;
    expect(answer?.body).toContain('m=audio 20000 RTP/AVP 8 101');
    line.say(requestText({ method: 'BYE', to, seq: 2 }));
    await line.clock.pass(1);
    expect(line.sentOf(200, 'BYE')).toHaveLength(1);
    expect(events).toMatchObject([{ type: 'answered' }, { type: 'hangup', by: 'human' }]);
  });

  it('repeats its answer until the caller has it, and gives up after 32 seconds', async () => {
    const line = await openTestLine();
    const { leg, events } = await ring(line);
    await leg?.answer();
    await line.clock.pass(31_000);
    const times = line.sentOf(200).map(({ atMs }) => Math.round(atMs / 100) * 100);
    expect(times).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500]);
    expect(events).toEqual([]);
    await line.clock.pass(2_000);
    expect(numbersOf(line, 'BYE')).toEqual(['1 BYE']);
    expect(events).toMatchObject([{ type: 'hangup', by: 'carrier' }]);
  });

  it('is one call, however often its INVITE comes and by whatever way', async () => {
    const line = await openTestLine();
    line.say(inviteText());
    line.say(inviteText());
    await line.clock.pass(1);
    line.say(inviteText());
    line.say(inviteText((headers) => headers.replace('z9hG4bKinvite', 'z9hG4bKanother')));
    await line.clock.pass(1);
    expect(line.incoming).toHaveLength(1);
    expect(line.sentOf(482)).toHaveLength(1);
    expect(line.sentOf(180).length).toBeGreaterThan(1);
  });

  it('that is given up before the answer is never answered', async () => {
    const line = await openTestLine();
    const { leg, events, to } = await ring(line);
    line.say(
      requestText({ method: 'CANCEL', to: '', seq: 1, branch: 'z9hG4bKinvite' }).replace(';tag=\n', '\n'),
    );
    await line.clock.pass(1);
    expect(line.sentOf(200, 'CANCEL')).toHaveLength(1);
    expect(line.sentOf(487)).toHaveLength(1);
    await leg?.answer();
    await leg?.hangUp();
    line.say(requestText({ method: 'ACK', to, seq: 1, branch: 'z9hG4bKinvite' }));
    await line.clock.pass(10_000);
    expect(line.sentOf(487)).toHaveLength(1);
    expect(line.sentOf(200, 'INVITE')).toHaveLength(0);
    expect(events).toMatchObject([{ type: 'hangup', by: 'human' }]);
  });

  it('that is given up before it is known whose it is, is nobody’s', async () => {
    const decided = Promise.withResolvers<IncomingAnswer>();
    const line = await openTestLine({ take: () => decided.promise });
    line.say(inviteText());
    line.say(
      requestText({ method: 'CANCEL', to: '', seq: 1, branch: 'z9hG4bKinvite' }).replace(';tag=\n', '\n'),
    );
    decided.resolve({ ok: true, callId: 'cnv_1' });
    await line.clock.pass(1);
    expect(line.sentOf(487)).toHaveLength(1);
    expect(line.sentOf(180)).toHaveLength(0);
  });

  it('gets no answer at all from strangers, to nothing', async () => {
    const line = await openTestLine();
    const stranger = { address: '203.0.113.9', port: 5_060 };
    for (const method of ['INVITE', 'OPTIONS', 'REGISTER', 'BYE'])
      line.say(
        inviteText((headers) => headers.replaceAll('INVITE', method)),
        stranger,
      );
    line.say('INVITE garbage', stranger);
    await line.clock.pass(40_000);
    expect(line.sent).toEqual([]);
    expect(line.incoming).toEqual([]);
  });

  it('to no number of ours is refused, and so is one that nothing can be made of', async () => {
    const nobody = await openTestLine({ take: async () => ({ ok: false, reason: 'unknown_number' }) });
    nobody.say(inviteText());
    await nobody.clock.pass(1);
    expect(nobody.sentOf(404)).toHaveLength(1);

    const line = await openTestLine();
    const other = (index: number) => (headers: string) =>
      headers.replace('call-1', `other-${index}`).replace('z9hG4bKinvite', `z9hG4bK${index}`);
    line.say(inviteText((headers) => `${other(1)(headers)}Require: teleport\n`));
    line.say(inviteText((headers) => other(2)(headers).replace('INVITE sip:', 'INVITE tel:')));
    line.say(inviteText((headers) => `${other(3)(headers)}Session-Expires: 30\nSupported: timer\n`));
    line.say(inviteText(other(4), 'hello').replace('application/sdp', 'text/plain'));
    await line.clock.pass(1);
    for (const status of [420, 416, 422, 415])
      expect([status, line.sentOf(status).length]).toEqual([status, 1]);
    expect(line.incoming).toEqual([]);
  });

  it('whose sound we cannot make is refused when it is answered', async () => {
    const line = await openTestLine();
    const { leg, events } = await ring(
      line,
      inviteText(undefined, OFFER.replace('RTP/AVP 8 0 101', 'RTP/AVP 9')),
    );
    await leg?.answer();
    await line.clock.pass(1);
    expect(line.sentOf(488)).toHaveLength(1);
    expect(types(events)).toEqual(['hangup']);
  });

  it('without an offer gets ours, and its answer with the ACK', async () => {
    const line = await openTestLine();
    const { leg, events, to } = await ring(line, inviteText(undefined, ''));
    await leg?.answer();
    expect(line.sentOf(200)[0]?.message.body).toContain('m=audio 20000 RTP/AVP 0 8 101');
    line.say(
      requestText({ method: 'ACK', to, seq: 1, extra: 'Content-Type: application/sdp\n', body: OFFER }),
    );
    await line.clock.pass(100);
    expect(types(events)).toEqual(['answered']);
    expect(line.rtp.heard[0]?.port).toBe(30_000);
  });

  it('is told reliably that it rings, where the caller asks for that', async () => {
    const line = await openTestLine();
    const { to } = await ring(
      line,
      inviteText((headers) => `${headers}Require: 100rel\n`),
    );
    await line.clock.pass(1_600);
    expect(line.sentOf(180)).toHaveLength(3);
    expect(header(line.sentOf(180)[0]!.message, 'rseq')).toBe('1');
    line.say(requestText({ method: 'PRACK', to, seq: 2, extra: 'RAck: 7 1 INVITE\n' }));
    line.say(requestText({ method: 'PRACK', to, seq: 3, extra: 'RAck: 1 1 INVITE\n' }));
    await line.clock.pass(10_000);
    expect(line.sentOf(481, 'PRACK')).toHaveLength(1);
    expect(line.sentOf(200, 'PRACK')).toHaveLength(1);
    expect(line.sentOf(180)).toHaveLength(3);
  });
});

describe('during a call', () => {
  const held = (direction: string) => ({
    extra: 'Content-Type: application/sdp\n',
    body: `${OFFER}a=${direction}\n`,
  });

  it('a hold stops our sound and not the call; afterwards it goes on', async () => {
    const line = await openTestLine();
    const { events, to } = await talk(line);
    await line.clock.pass(100);
    expect(line.rtp.heard.length).toBeGreaterThanOrEqual(4);
    line.say(requestText({ method: 'INVITE', to, seq: 2, ...held('sendonly') }));
    await line.clock.pass(1);
    line.say(requestText({ method: 'ACK', to, seq: 2 }));
    expect(line.sentOf(200, 'INVITE').at(-1)?.message.body).toContain('a=recvonly');
    const before = line.rtp.heard.length;
    await line.clock.pass(500);
    expect(line.rtp.heard.length - before).toBeLessThanOrEqual(1);
    line.say(requestText({ method: 'INVITE', to, seq: 3, ...held('inactive') }));
    await line.clock.pass(1);
    line.say(requestText({ method: 'ACK', to, seq: 3 }));
    // Nobody speaks on hold, and that is no reason to hang up.
    await line.clock.pass(60_000);
    line.say(requestText({ method: 'UPDATE', to, seq: 4, ...held('sendrecv') }));
    await line.clock.pass(100);
    expect(line.sentOf(200, 'UPDATE')[0]?.message.body).toContain('a=sendrecv');
    expect(line.rtp.heard.length - before).toBeGreaterThan(3);
    expect(events.slice(1)).toMatchObject([
      { type: 'hold', isHeld: true },
      { type: 'hold', isHeld: false },
    ]);
  });

  it('a request out of order, of no dialog, or of no sense is refused, and the call goes on', async () => {
    const line = await openTestLine();
    const { events, to } = await talk(line);
    line.say(requestText({ method: 'OPTIONS', to, seq: 5 }));
    line.say(requestText({ method: 'BYE', to, seq: 3, branch: 'z9hG4bKold' }));
    line.say(requestText({ method: 'BYE', to: 'somebody', seq: 9, branch: 'z9hG4bKstrange' }));
    line.say(requestText({ method: 'REFER', to, seq: 6, extra: 'Refer-To: <sip:evil@example.com>\n' }));
    line.say(requestText({ method: 'PUBLISH', to, seq: 7 }));
    line.say(
      requestText({
        method: 'INVITE',
        to,
        seq: 8,
        extra: 'Content-Type: application/sdp\n',
        body: 'v=0\nnonsense\n',
      }),
    );
    await line.clock.pass(1);
    expect(line.sentOf(200, 'OPTIONS')).toHaveLength(1);
    for (const [status, method] of [
      [500, 'BYE'],
      [481, 'BYE'],
      [603, 'REFER'],
      [501, 'PUBLISH'],
      [488, 'INVITE'],
    ] as const)
      expect([status, method, line.sentOf(status, method).length]).toEqual([status, method, 1]);
    expect(types(events)).toEqual(['answered']);
  });

  it('keys are told once, as sound and as messages', async () => {
    const line = await openTestLine();
    const { events, to } = await talk(line);
    const key = (sequence: number, timestamp: number, code: number) => {
      const packet = Buffer.alloc(16);
      packet.set([0x80, 101]);
      packet.writeUInt16BE(sequence, 2);
      packet.writeUInt32BE(timestamp, 4);
      packet.writeUInt32BE(77, 8);
      packet.set([code, 10, 0, 160], 12);
      return packet;
    };
    for (const [sequence, timestamp, code] of [
      [1, 160, 5],
      [2, 160, 5],
      [3, 160, 5],
      [4, 1_600, 11],
    ] as const)
      line.rtp.say(key(sequence, timestamp, code));
    line.say(
      requestText({
        method: 'INFO',
        to,
        seq: 2,
        extra: 'Content-Type: application/dtmf-relay\n',
        body: 'Signal=7\nDuration=160\n',
      }),
    );
    await line.clock.pass(1);
    expect(events.slice(1)).toMatchObject([
      { type: 'digit', digit: '5' },
      { type: 'digit', digit: '#' },
      { type: 'digit', digit: '7' },
    ]);
  });

  it('a caller from whom nothing is heard any more is gone', async () => {
    const line = await openTestLine();
    const { events } = await talk(line);
    await line.clock.pass(19_000);
    expect(types(events)).toEqual(['answered']);
    await line.clock.pass(2_000);
    expect(events.at(-1)).toMatchObject({ type: 'hangup', by: 'carrier' });
    expect(numbersOf(line, 'BYE')).toEqual(['1 BYE']);
  });

  it('ends where a session is not refreshed by its side', async () => {
    const line = await openTestLine();
    const { events } = await talk(
      line,
      inviteText((headers) => `${headers}Supported: timer\nSession-Expires: 90;refresher=uac\n`),
    );
    expect(header(line.sentOf(200)[0]!.message, 'session-expires')).toBe('90;refresher=uac');
    const alive = setAlive(line);
    await line.clock.pass(58_000);
    expect(types(events)).toEqual(['answered']);
    await line.clock.pass(4_000);
    expect(events.at(-1)).toMatchObject({ type: 'hangup', by: 'carrier' });
    alive.stop();
  });

  it('refreshes a session where that is our turn, and ends it when nobody answers', async () => {
    const line = await openTestLine();
    const { events } = await talk(
      line,
      inviteText(
        (headers) => `${headers}Allow: UPDATE\nSupported: timer\nSession-Expires: 90;refresher=uas\n`,
      ),
    );
    const alive = setAlive(line);
    await line.clock.pass(46_000);
    const update = line.sentOf('UPDATE')[0]!.message;
    expect(header(update, 'session-expires')).toBe('90;refresher=uac');
    await line.clock.pass(32_000);
    expect(events.at(-1)).toMatchObject({ type: 'hangup', by: 'carrier' });
    alive.stop();
  });

  it('transfers by asking the caller’s side, and hangs up once that has worked', async () => {
    const line = await openTestLine();
    const { leg, events, to } = await talk(line);
    const transferred = leg.transfer({ to: '+15550142000', callerId: '+15550100001' });
    await line.clock.pass(1);
    const refer = line.sentOf('REFER')[0]!;
    expect(header(refer.message, 'contact')).toMatch(/^<sip:callwright@/);
    expect(header(refer.message, 'refer-to')).toBe(`<sip:+15550142000@${PEER}>`);
    const reply = refer.text;
    const value = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(reply)?.[1]?.trim() ?? '';
    line.say(
      `SIP/2.0 202 Accepted\nVia: ${value('Via')}\nFrom: ${value('From')}\nTo: ${value('To')}\nCall-ID: ${value('Call-ID')}\nCSeq: ${value('CSeq')}\nContent-Length: 0\n\n`,
    );
    const news = (seq: number, body: string, state: string) =>
      line.say(
        requestText({
          method: 'NOTIFY',
          to,
          seq,
          extra: `Event: refer\nSubscription-State: ${state}\nContent-Type: message/sipfrag\n`,
          body,
        }),
      );
    news(2, 'SIP/2.0 100 Trying\n', 'active');
    news(3, 'SIP/2.0 200 OK\n', 'terminated;reason=noresource');
    expect(await transferred).toEqual({ ok: true });
    await line.clock.pass(1);
    expect(line.sentOf('BYE')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'hangup', by: 'agent' });
  });
});

/** The caller's sound, so that only what the test is about ends the call. */
function setAlive(line: TestLine) {
  let isOn = true;
  const packet = Buffer.alloc(172, 0xd5);
  packet.set([0x80, 8]);
  void (async () => {
    while (isOn) {
      line.rtp.say(packet);
      await line.clock.sleep(5_000);
    }
  })();
  return { stop: () => (isOn = false) };
}

it.each(['trunk', 'peer'])(
  'tells a peer that challenges our BYE with the realm %s nothing of the password',
  async (realm) => {
    const line = await openTestLine({ registers: true, isAllowed: () => true });
    await line.clock.pass(1);
    const own = 'WWW-Authenticate: Digest realm="trunk", nonce="n1"\n';
    line.say(responseText(line.sentOf('REGISTER')[0]!.message, 401, { extra: own }));
    await line.clock.pass(1);
    const from = { address: '192.0.2.77', port: 5_060 };
    const fromThere = (text: string) => text.replaceAll(PEER, from.address);
    line.say(fromThere(inviteText()), from);
    await line.clock.pass(1);
    const leg = await line.carrier.pickUp(line.incoming.at(-1)?.reference ?? '');
    await leg.answer();
    const to = tagOf(header(line.sentOf(200, 'INVITE')[0]!.message, 'to')) ?? '';
    line.say(fromThere(requestText({ method: 'ACK', to, seq: 1 })), from);
    await line.clock.pass(1);
    await leg.hangUp();
    await line.clock.pass(1);
    const extra = `WWW-Authenticate: Digest realm="${realm}", nonce="theirs"\n`;
    line.say(responseText(line.sentOf('BYE')[0]!.message, 401, { extra }), from);
    await line.clock.pass(1);
    expect(numbersOf(line, 'BYE')).toEqual(['1 BYE']);
    expect(line.sent.map(({ text }) => text).join()).not.toContain('theirs');
  },
);
