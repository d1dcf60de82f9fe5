/** @module-tag phones */
import { afterAll, describe, expect, it } from 'vitest';
import type { MediaLeg } from '#lib/ports/carrier.ts';
import { readTrunk } from '../trunk.ts';
import { hostOf } from '../grammar.ts';
import {
  drain,
  freeUdpPort,
  makeCertificate,
  openRealLine,
  openSoftphone,
  runSipp,
} from './peers-testing.ts';
import { ANSWERS, CHALLENGES, GIVES_UP, HOLDS, IS_BUSY, TRANSFERS } from './sipp-scenarios.ts';

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

async function open(options: Parameters<typeof openRealLine>[0]) {
  const line = await openRealLine(options);
  closing.push(() => line.carrier.close());
  return line;
}

describe('SIPp calls', () => {
  it.concurrent.for([
    ['over UDP', 'uac', ['-r', '20', '-m', '20', '-d', '200'], 29_000],
    ['over TCP', 'uac', ['-t', 't1', '-r', '20', '-m', '20', '-d', '200'], 29_200],
    ['and holds', HOLDS, ['-m', '2'], 29_600],
    ['and gives up', GIVES_UP, ['-m', '5', '-r', '20'], 29_800],
  ] as const)('%s', async ([, scenario, args, rtpFrom], { expect }) => {
    const told: string[] = [];
    const line = await open({
      rtpFrom,
      onlyRings: scenario === GIVES_UP,
      onLeg: (leg) =>
        void drain(leg).then((events) =>
          told.push(events.flatMap((event) => (event.type === 'hold' ? [event.isHeld] : [])).join()),
        ),
    });
    const to =
      scenario === 'uac' && args[0] === '-t'
        ? line.carrier.listening.find(({ protocol }) => protocol === 'tcp')?.port
        : line.port;
    await runSipp({
      scenario,
      args: [`127.0.0.1:${to}`, '-s', '+15550100001', ...args],
      port: await freeUdpPort(),
      mediaPort: rtpFrom + 150,
    });
    if (scenario === HOLDS) await expect.poll(() => told).toEqual(['true,false', 'true,false']);
  });
});

/** Lets SIPp be the trunk for one call, which `act` is done to once it is answered. */
async function callTrunk(scenario: string, rtpFrom: number, act: (leg: MediaLeg) => Promise<unknown>) {
  const port = await freeUdpPort();
  const trunk = runSipp({ scenario, args: ['-m', '1'], port, mediaPort: rtpFrom + 150 });
  trunk.catch(() => undefined);
  const line = await open({ rtpFrom, trunk: readTrunk(`sip:127.0.0.1:${port}`) });
  const leg = await line.carrier.dial({
    reference: `call-${port}`,
    from: '+15550100001',
    to: '+15550199999',
  });
  const events = [];
  for await (const event of leg.events) {
    events.push(event.type === 'never_connected' ? event.reason : event.type);
    if (event.type === 'answered') await act(leg);
  }
  await trunk;
  return events;
}

describe('SIPp as the trunk', () => {
  it.concurrent('asks who calls, and is told', async () => {
    expect(await callTrunk(CHALLENGES, 30_000, (leg) => leg.hangUp())).toEqual([
      'ringing',
      'answered',
      'hangup',
    ]);
  });

  it.concurrent('is told that it is over by the process that comes after the one that called', async () => {
    const port = await freeUdpPort();
    const trunk = runSipp({ scenario: ANSWERS, args: ['-m', '1'], port, mediaPort: 32_150 });
    const way = { trunk: readTrunk(`sip:127.0.0.1:${port}`) };
    const before = await open({ rtpFrom: 32_000, ...way });
    const leg = await before.carrier.dial({ reference: 'left', from: '+15550100001', to: '+15550199999' });
    for await (const event of leg.events) if (event.type === 'answered') break;
    const after = await open({ rtpFrom: 32_200, ...way });
    const placed = { from: '', to: '', at: new Date(0), trace: leg.trace?.() };
    // SIPp answers to where the call came from first, so that only the trunk knows that it is over.
    void after.carrier.lookup('left', placed);
    await trunk;
  });

  it.concurrent('is busy', async () => {
    expect(await callTrunk(IS_BUSY, 30_400, async () => undefined)).toEqual(['busy']);
  });

  it.concurrent('transfers', async () => {
    let result: unknown;
    const events = await callTrunk(TRANSFERS, 30_600, async (leg) => {
      result = await leg.transfer({ to: '+15550142000', callerId: '+15550100001' });
    });
    expect(result).toEqual({ ok: true });
    expect(events).toEqual(['ringing', 'answered', 'hangup']);
  });
});

const tone = (hz: number, rateHz: number, seconds: number) =>
  Int16Array.from({ length: rateHz * seconds }, (_, at) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hz * at) / rateHz)),
  );

/** How much of the sound is this tone: 0 to 1. */
function shareOf(hz: number, samples: Int16Array, rateHz: number): number {
  let [real, imaginary, energy] = [0, 0, 0];
  for (const [at, sample] of samples.entries()) {
    const turn = (2 * Math.PI * hz * at) / rateHz;
    real += sample * Math.cos(turn);
    imaginary += sample * Math.sin(turn);
    energy += sample * sample;
  }
  return energy === 0 ? 0 : (2 * (real ** 2 + imaginary ** 2)) / (samples.length * energy);
}

/** How a softphone reaches us. */
type Way = {
  name: string;
  modules?: string[];
  account?: string;
  rtpFrom: number;
  protocol?: 'udp' | 'tls';
  host?: string;
};
const WAYS: Way[] = [
  { name: 'in the clear', rtpFrom: 30_800 },
  { name: 'encrypted', modules: ['srtp'], account: ';mediaenc=srtp-mand', rtpFrom: 31_000 },
  {
    name: 'over TLS, encrypted',
    modules: ['srtp'],
    account: ';mediaenc=srtp-mand',
    rtpFrom: 28_000,
    protocol: 'tls',
  },
  { name: 'over IPv6', rtpFrom: 28_200, host: '::1' },
];

describe('a softphone', () => {
  it.concurrent.for(WAYS)(
    'calls, speaks and hears, $name; its keys are understood',
    async ({ modules = [], account = '', rtpFrom, protocol = 'udp', host = '127.0.0.1' }, { expect }) => {
      const heard: number[] = [];
      const events: string[] = [];
      const over = Promise.withResolvers<void>();
      const tls = protocol === 'tls' ? await makeCertificate() : undefined;
      const line = await open({
        rtpFrom,
        tls,
        listen: [{ protocol, address: host, port: 0 }],
        onLeg(leg) {
          leg.media.onFrame((frame) => heard.push(...frame));
          leg.media.write(tone(440, 16_000, 3));
          void drain(leg).then((all) => {
            events.push(...all.map((event) => (event.type === 'digit' ? event.digit : event.type)));
            over.resolve();
          });
        },
      });
      const phone = await openSoftphone({
        says: tone(300, 8_000, 20),
        rtpFrom: rtpFrom + 150,
        modules,
        account,
        host,
        ...(tls && { tls }),
      });
      phone.command(`/dial sip:+15550100001@${hostOf(host)}:${line.port};transport=${protocol}`);
      await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(16_000 * 1.5);
      phone.command('5');
      await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(16_000 * 2.2);
      phone.command('/hangup');
      await over.promise;
      const output = phone.output();
      const atPhone = await phone.close();
      expect(events, output).toEqual(['answered', '5', 'hangup']);
      expect(shareOf(300, Int16Array.from(heard.slice(8_000, 16_000)), 16_000)).toBeGreaterThan(0.95);
      expect(shareOf(440, atPhone.subarray(4_000, 8_000), 8_000), output).toBeGreaterThan(0.95);
    },
  );

  it.concurrent.for([
    { name: 'in the clear', rtpFrom: 31_200 },
    { name: 'over TLS, encrypted', rtpFrom: 28_400, protocol: 'tls', account: ';mediaenc=srtp-mand' },
    { name: 'over TLS, where it takes no encrypted sound', rtpFrom: 28_600, protocol: 'tls' },
    { name: 'over IPv6', rtpFrom: 28_800, host: '::1' },
  ] satisfies Way[])('is called, and rings until it answers, $name', async (way: Way, { expect }) => {
    const { protocol = 'udp', host = '127.0.0.1', account, rtpFrom } = way;
    const tls = protocol === 'tls' ? await makeCertificate() : undefined;
    const phone = await openSoftphone({
      says: tone(300, 8_000, 20),
      rtpFrom: rtpFrom + 150,
      host,
      modules: account ? ['srtp'] : [],
      ...(account && { account }),
      ...(tls && { tls }),
    });
    // Its port for TLS is the next one.
    const port = phone.port + (tls ? 1 : 0);
    const line = await open({
      rtpFrom,
      tls,
      listen: [{ protocol, address: host, port: 0 }],
      trunk: readTrunk(`sip:${hostOf(host)}:${port};transport=${protocol}`),
    });
    const leg = await line.carrier.dial({ reference: 'to-phone', from: '+15550100001', to: '+15550199999' });
    const events: string[] = [];
    for await (const event of leg.events) {
      events.push(event.type);
      if (event.type === 'ringing') phone.command('/accept');
      if (event.type === 'answered') {
        leg.media.write(tone(440, 16_000, 1));
        await leg.media.mark();
        await leg.hangUp();
      }
    }
    const output = phone.output();
    const heard = await phone.close();
    expect(events, output).toEqual(['ringing', 'answered', 'hangup']);
    expect(shareOf(440, heard.subarray(2_000, 6_000), 8_000), output).toBeGreaterThan(0.95);
  });
});
