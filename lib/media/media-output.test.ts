import { describe, expect, it } from 'vitest';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import { FRAME_SAMPLES } from '#lib/ports/media.ts';
import { describeMediaStream } from '#lib/ports/media-conformance.ts';
import { createFakeMedia } from '#lib/ports/media-testing.ts';
import { createMediaOutput, SILENT_FRAME } from './media-output.ts';
import { createPacer } from './pacer.ts';

describeMediaStream('sound in memory', async () => {
  const clock = createTestCallClock();
  const { media, farEnd } = createFakeMedia(clock);
  return {
    media,
    say: farEnd.say,
    heard: () => {
      const all = farEnd.heard();
      return all.subarray(all.findIndex((sample) => sample !== 0));
    },
    pass: clock.pass,
    hangUp: farEnd.hangUp,
    close: async () => farEnd.hangUp(),
  };
});

describe('an output whose far end keeps frames waiting', () => {
  const loud = (ms: number) => new Int16Array(ms * 16).fill(1_000);

  function open() {
    const clock = createTestCallClock();
    const sent: Int16Array[] = [];
    let drops = 0;
    const output = createMediaOutput({
      pacer: createPacer({
        clock,
        onFailed: (error) => {
          throw error;
        },
      }),
      clock,
      send: (frame) => sent.push(frame),
      dropAtFarEnd: () => {
        drops += 1;
        return true;
      },
    });
    return { clock, output, sent, drops: () => drops };
  }

  it('counts as played what the far end says, and goes on by the clock until it says more', async () => {
    const { clock, output } = open();
    output.write(loud(100));
    await clock.pass(110);
    expect(output.playedMs()).toBe(0);
    output.reportPlayed(2);
    expect(output.playedMs()).toBe(40);
    await clock.pass(10);
    expect(output.playedMs()).toBe(50);
    await clock.pass(500);
    expect(output.playedMs()).toBe(100);
  });

  it('answers marks by those reports, silent frames counted', async () => {
    const { clock, output } = open();
    await clock.pass(60);
    output.write(loud(40));
    let played = false;
    void output.mark().then((answer) => (played = answer));
    await clock.pass(60);
    output.reportPlayed(4);
    await clock.pass(0);
    expect(played).toBe(false);
    output.reportPlayed(5);
    await clock.pass(0);
    expect(played).toBe(true);
  });

  it('drops at the far end too, and what was dropped is never counted as played', async () => {
    const { clock, output, drops } = open();
    output.write(loud(100));
    await clock.pass(110);
    output.reportPlayed(1);
    output.clear();
    expect(drops()).toBe(1);
    await clock.pass(200);
    output.reportPlayed(9);
    expect(output.playedMs()).toBe(20);
  });

  it('sends the one silent frame while there is nothing to play', async () => {
    const { clock, output, sent } = open();
    await clock.pass(45);
    expect(sent).toEqual([SILENT_FRAME, SILENT_FRAME, SILENT_FRAME]);
    expect(sent.every((frame) => frame === SILENT_FRAME)).toBe(true);
    output.write(loud(30));
    await clock.pass(40);
    expect(sent[3]).toEqual(new Int16Array(FRAME_SAMPLES).fill(1_000));
    expect(sent[4]?.filter((sample) => sample !== 0)).toHaveLength(160);
  });
});

it('sends what lies in one piece where it lies, and puts together what does not', async () => {
  const clock = createTestCallClock();
  const sent: Int16Array[] = [];
  const output = createMediaOutput({
    pacer: createPacer({
      clock,
      onFailed: (error) => {
        throw error;
      },
    }),
    clock,
    send: (frame) => sent.push(frame),
  });
  const speech = Int16Array.from({ length: 2 * FRAME_SAMPLES + 100 }, (_, index) => index + 1);
  const more = new Int16Array(FRAME_SAMPLES).fill(9);
  output.write(speech);
  output.write(more);
  await clock.pass(100);
  output.end();
  const sounding = sent.filter((frame) => frame !== SILENT_FRAME);
  expect(sounding.map(({ buffer }) => buffer === speech.buffer)).toEqual([true, true, false, false]);
  const heard = sounding.flatMap((frame) => [...frame]);
  expect(heard.slice(0, 3 * FRAME_SAMPLES + 100)).toEqual([...speech, ...more]);
});
