import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#lib/media/testing.ts';
import { writeRtcp } from './rtcp.ts';
import {
  answerCall,
  inviteText,
  OFFER,
  openTestLine,
  requestText,
  responseText,
  type TestLine,
} from './testing.ts';
import { INVALID } from './torture-invalid-testing.ts';
import { VALID } from './torture-valid-testing.ts';

/*
 * Seeded, so that each run is the same; a longer one: FUZZ_ROUNDS=200000 npx vitest run lib/adapters/carriers/sip/fuzz.test.ts
 */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 3_000);

type Random = () => number;
const below = (random: Random, end: number) => Math.floor(random() * end);
const PIECES = [
  '\r\n',
  '\r\n\r\n',
  '\0',
  '"',
  '<',
  '>',
  ';',
  ',',
  ':',
  '@',
  '%00',
  '%',
  ' ',
  '\t',
  '\\',
  'é',
];
const NUMBERS = ['-1', '0', '99999999999999999999', '65536', '4294967296', '1e9', 'NaN'];

/** Some changes of the kinds that break parsers. */
function mutate(bytes: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  let out: Buffer = Buffer.from(bytes);
  for (let changes = 1 + below(random, 4); changes > 0; changes -= 1) {
    const at = below(random, out.length + 1);
    const end = Math.min(out.length, at + below(random, 40));
    const insert = (what: Buffer | string) =>
      Buffer.concat([out.subarray(0, at), Buffer.from(what), out.subarray(at)]);
    switch (below(random, 8)) {
      case 0:
        if (out.length > 0) out[below(random, out.length)] = below(random, 256);
        break;
      case 1:
        out = Buffer.concat([out.subarray(0, at), out.subarray(end)]);
        break;
      case 2:
        out = insert(out.subarray(at, end));
        break;
      case 3:
        out = insert(PIECES[below(random, PIECES.length)] ?? '');
        break;
      case 4:
        out = Buffer.from(
          out
            .toString('latin1')
            .replace(/\d+/g, (digits) =>
              random() < 0.2 ? (NUMBERS[below(random, NUMBERS.length)] ?? digits) : digits,
            ),
          'latin1',
        );
        break;
      case 5:
        out = out.subarray(0, at);
        break;
      case 6:
        out = insert('x'.repeat(below(random, 3_000)));
        break;
      default: {
        const other = others[below(random, others.length)] ?? out;
        out = Buffer.concat([out.subarray(0, at), other.subarray(below(random, other.length + 1))]);
      }
    }
  }
  return out;
}

const wire = (text: string) => Buffer.from(text.replace(/^\n/, '').replaceAll(/\r?\n/g, '\r\n'));

/** A line whose log is kept: whatever was thrown is in it. */
async function openLine(): Promise<{ line: TestLine; failures: string[] }> {
  const failures: string[] = [];
  const log = pino(
    { level: 'error' },
    new Writable({
      write(chunk: Buffer, _, done) {
        failures.push(chunk.toString());
        done();
      },
    }),
  );
  return { line: await openTestLine({ log }), failures };
}

async function talk(line: TestLine) {
  const { leg, to } = await answerCall(line);
  const heard: number[] = [];
  leg.media.onFrame((frame) => heard.push(frame.length));
  return { leg, to, heard };
}

describe('whatever is changed in', () => {
  it('a message, nothing throws, and nothing opens a call that is no INVITE', async () => {
    const { line, failures } = await openLine();
    const random = seededRandom(4475);
    const { to } = await talk(line);
    const inDialog = ['BYE', 'INVITE', 'UPDATE', 'INFO', 'NOTIFY', 'PRACK', 'OPTIONS', 'CANCEL', 'REFER'].map(
      (method) => requestText({ method, to, seq: 5, body: OFFER, extra: 'Content-Type: application/sdp\n' }),
    );
    const answers = [180, 200, 401, 486].map((status) =>
      responseText(line.sentOf(200)[0]?.message ?? line.sent[0]!.message, status, { body: OFFER }),
    );
    const seeds = [...VALID, ...INVALID].map(({ text }) => wire(text));
    seeds.push(...[...inDialog, ...answers].map(wire));
    for (let round = 0; round < ROUNDS; round += 1) {
      const seed = seeds[below(random, seeds.length)] ?? Buffer.alloc(0);
      const bytes = mutate(seed, random, seeds);
      const before = line.incoming.length;
      line.sayBytes(bytes);
      if (!bytes.includes('INVITE')) expect(line.incoming).toHaveLength(before);
      // Answers are repeated; those of so many calls would only fill memory.
      if (round % 500 === 0) await line.clock.pass(1);
      line.sent.length = 0;
    }
    expect(failures).toEqual([]);
    line.say(inviteText((headers) => headers.replaceAll('call-1@', 'after@').replace('invite', 'after')));
    await line.clock.pass(1);
    expect(line.sentOf(180).length).toBeGreaterThan(0);
  });

  it('packets of sound and of RTCP, the call goes on', async () => {
    const { line, failures } = await openLine();
    const random = seededRandom(3550);
    const { heard, leg } = await talk(line);
    const ended: string[] = [];
    void (async () => {
      for await (const event of leg.events) ended.push(event.type);
    })();
    const sound = Buffer.alloc(172, 0xd5);
    sound.writeUInt16BE(0x8008, 0);
    const key = Buffer.from([0x80, 101, 0, 1, 0, 0, 0, 160, 0, 0, 0, 1, 5, 0x8a, 3, 0x20]);
    const rtcp = writeRtcp({
      ssrc: 1,
      cname: 'peer@example',
      nowMs: 1_000,
      sent: { packetCount: 1, octetCount: 160, timestamp: 160 },
      heard: { ssrc: 2, fractionLost: 0, totalLost: 0, highestSequence: 1, jitter: 0 },
      lastSenderReport: undefined,
      isLast: true,
    });
    const seeds = [sound, key, rtcp];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bytes = mutate(seeds[below(random, seeds.length)] ?? sound, random, seeds);
      line.rtp.say(bytes);
      line.rtp.sayRtcp(bytes);
      if (round % 50 === 0) await line.clock.pass(20);
    }
    sound.writeUInt16BE(ROUNDS & 0xffff, 2);
    line.rtp.say(sound);
    await line.clock.pass(1_000);
    expect(failures).toEqual([]);
    expect(heard.length).toBeGreaterThan(50);
    expect(new Set(heard)).toEqual(new Set([320]));
    expect(ended.filter((type) => type !== 'answered' && type !== 'digit')).toEqual([]);
  });
});
