/** @module-tag phones */
import { afterAll, describe, expect, it } from 'vitest';
import type { MediaLeg } from '#lib/ports/carrier.ts';
import { readTrunk } from '../trunk.ts';
import { drain, freeUdpPort, openRealLine, openSoftphone, runSipp } from './peers-testing.ts';
import { CHALLENGES, GIVES_UP, HOLDS, IS_BUSY, TRANSFERS } from './sipp-scenarios.ts';

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

describe('a softphone', () => {
  it.concurrent.for([
    ['in the clear', [], '', 30_800],
    ['encrypted', ['srtp'], ';mediaenc=srtp-mand', 31_000],
  ] as const)(
    'calls, speaks and hears, %s; its keys are understood',
    async ([, modules, account, rtpFrom], { expect }) => {
      const heard: number[] = [];
      const events: string[] = [];
      const over = Promise.withResolvers<void>();
      const line = await open({
        rtpFrom,
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
        modules: [...modules],
        account,
      });
      phone.command(`/dial sip:+15550100001@127.0.0.1:${line.port}`);
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

  it.concurrent('is called, and rings until it answers', async () => {
    const phone = await openSoftphone({ says: tone(300, 8_000, 20), rtpFrom: 31_350 });
    const line = await open({ rtpFrom: 31_200, trunk: readTrunk(`sip:127.0.0.1:${phone.port}`) });
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
