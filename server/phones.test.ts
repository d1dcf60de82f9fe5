/** @module-tag phones */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startModelServer } from '#bench/phones/model-server.ts';
import { calls } from '#db/schema/calls.ts';
import {
  freeUdpPort,
  openSoftphone,
  type Softphone,
} from '#lib/adapters/carriers/sip/peers/peers-testing.ts';
import { openSwitchboard } from '#lib/adapters/carriers/sip/peers/switchboard-testing.ts';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { levelDb } from '#lib/media/level.ts';
import { resample } from '#lib/media/resample.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

/*
 * The service with its SIP carrier, and baresip as the telephones, in real time. Each test has a service of its own.
 */
const PERSON = '+15550107001';
const COLLEAGUE = '+15550107002';
const RATE_HZ = 8_000;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
const models = await startModelServer({
  heard: 'Hi, this is Sam. I cannot come to the phone right now. Please leave a message after the tone.',
});
afterAll(() => models.close());

async function open(
  name: string,
  options: { rtpFrom: number; env?: Record<string, string>; agent?: object },
) {
  const board = await openSwitchboard();
  closing.push(() => board.close());
  const port = await freeUdpPort();
  const runtime = await startTestRuntime({
    worker: true,
    env: {
      SIP_LISTEN: `udp:127.0.0.1:${port}`,
      SIP_TRUNK_URI: board.uri,
      RTP_PORTS: `${options.rtpFrom}-${options.rtpFrom + 99}`,
      SPEECH_MODEL: 'local',
      ...options.env,
    },
  });
  closing.push(() => runtime.close());
  const line = await seedLine(runtime.db, name, { agent: options.agent ?? {}, number: { carrier: 'sip' } });
  await runtime.takeCalls();
  const telephone = async (number: string, says: Int16Array, account = '') => {
    const phone = await openSoftphone({
      number,
      says,
      rtpFrom: options.rtpFrom + (number === PERSON ? 100 : 150),
      account,
    });
    board.connect(number, phone.port);
    return phone;
  };
  return { runtime, line, port, telephone };
}

const until = (what: () => unknown, timeout = 30_000) => expect.poll(what, { interval: 50, timeout });
const rowsOf = (runtime: TestRuntime, line: SeededLine) =>
  runtime.db.select().from(calls).where(eq(calls.workspaceId, line.actor.workspaceId));

function quiet(seconds: number): Int16Array {
  return new Int16Array(RATE_HZ * seconds);
}

function tone(hz: number, seconds: number): Int16Array {
  return quiet(seconds).map((_, at) => Math.round(9_000 * Math.sin((2 * Math.PI * hz * at) / RATE_HZ)));
}

function joined(...parts: Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Seconds of the sound in which something is heard. */
function loudSeconds(samples: Int16Array): number {
  let frames = 0;
  for (let at = 0; at + 160 <= samples.length; at += 160)
    if (levelDb(samples.subarray(at, at + 160)) > -40) frames += 1;
  return frames / 50;
}

/** Seconds in which this tone is most of what is heard. */
function toneSeconds(samples: Int16Array, hz: number): number {
  let frames = 0;
  for (let at = 0; at + 400 <= samples.length; at += 400) {
    let [real, imaginary, energy] = [0, 0, 0];
    for (let index = 0; index < 400; index += 1) {
      const sample = samples[at + index] ?? 0;
      const turn = (2 * Math.PI * hz * index) / RATE_HZ;
      real += sample * Math.cos(turn);
      imaginary += sample * Math.sin(turn);
      energy += sample * sample;
    }
    if (energy > 400 * 300 ** 2 && (2 * (real ** 2 + imaginary ** 2)) / (400 * energy) > 0.8) frames += 1;
  }
  return frames / 20;
}

const AUTO = ';answermode=auto';

describe('an answering machine at a telephone', () => {
  it(
    'is told from a person by its greeting, and gets the message after its beep',
    { timeout: 90_000, tags: ['nightly'] },
    async () => {
      const { runtime, line, telephone } = await open('voicemail', {
        rtpFrom: 27_000,
        env: { OPENAI_BASE_URL: models.baseUrl, TRANSCRIPTION_MODE: 'batch' },
      });
      const words =
        'Hi, this is Sam. I cannot come to the phone right now. Please leave a message after the tone.';
      const said = await sayForTest([words], 'rms');
      const greeting = resample(said[words], { fromHz: 16_000, toHz: RATE_HZ });
      const recorded = joined(quiet(1), greeting, quiet(1), tone(1_000, 0.5), quiet(40));
      const machine = await telephone(PERSON, recorded, AUTO);
      const { conversationId: id } = await runtime.calls.queueOutbound(line.actor, {
        from: line.number,
        to: parsePhoneNumber(PERSON),
        variables: { name: 'Ann' },
      });
      await until(async () => (await rowsOf(runtime, line))[0]?.status, 60_000).toBe('ended');
      const output = machine.output();
      const heard = await machine.close();
      const [row] = await rowsOf(runtime, line);
      expect(row, output).toMatchObject({ id, disposition: 'VOICEMAIL' });
      expect(row?.outcome).toMatchObject({ voicemail: 'message_left', answeredBy: 'machine' });
      // The last seconds are the message: whatever was said into the greeting was cut there.
      const afterBeep = Math.round((1 + greeting.length / RATE_HZ + 1) * RATE_HZ);
      expect(loudSeconds(heard.subarray(afterBeep))).toBeGreaterThan(2);
    },
  );
});

describe('a warm transfer between two telephones', () => {
  it(
    'tells the colleague, connects both on the key 1, and ends for both',
    { timeout: 90_000, tags: ['nightly'] },
    async () => {
      const { runtime, line, port, telephone } = await open('warm', {
        rtpFrom: 27_300,
        agent: {
          hasCallTransfer: true,
          hasAutoInboundTransfer: true,
          inboundTransferNumber: COLLEAGUE,
          transferMode: 'warm',
        },
      });
      const colleague = await telephone(COLLEAGUE, tone(700, 60), AUTO);
      const person = await telephone(PERSON, tone(400, 60));
      person.command(`/dial sip:${line.number}@127.0.0.1:${port}`);
      const transfer = async () => {
        const [row] = await rowsOf(runtime, line);
        if (!row) return undefined;
        const { events } = await runtime.conversations.getCall(line.actor, row.id);
        return events.find(({ type }) => type === 'transfer')?.data;
      };
      await until(() => colleague.output()).toContain('established');
      await pressUntil(colleague, '1', async () => (await transfer()) !== undefined);
      expect(await transfer(), colleague.output()).toMatchObject({ ok: true, mode: 'warm', to: COLLEAGUE });
      // Long enough to be heard at both ends.
      const connectedAt = await person.heardSeconds();
      await until(() => person.heardSeconds()).toBeGreaterThan(connectedAt + 3);
      person.command('/hangup');
      await until(async () => (await rowsOf(runtime, line))[0]?.status).toBe('ended');
      await until(() => colleague.output().includes('terminated')).toBe(true);
      const heardByPerson = await person.close();
      const heardByColleague = await colleague.close();
      expect((await rowsOf(runtime, line))[0]).toMatchObject({ disposition: 'TRANSFERRED' });
      expect(toneSeconds(heardByPerson, 700)).toBeGreaterThan(1);
      expect(toneSeconds(heardByColleague, 400)).toBeGreaterThan(1);
    },
  );
});

/** The agent may still be at another sentence. */
async function pressUntil(phone: Softphone, key: string, isDone: () => unknown): Promise<void> {
  await expect
    .poll(
      async () => {
        if (await isDone()) return true;
        phone.command(key);
        return false;
      },
      { interval: 1_000, timeout: 40_000 },
    )
    .toBe(true);
}
