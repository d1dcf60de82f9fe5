import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FRAME_MS, FRAME_SAMPLES, type MediaStream, SAMPLES_PER_MS } from './media.ts';

/** A media stream with the wire's other end in the hand of the test. */
export type OpenedMedia = {
  media: MediaStream;
  /** The far end speaks: a whole number of frames. */
  say(samples: Int16Array): void;
  /** What reached the far end until now, without the silence before the first sound. */
  heard(): Int16Array;
  /** Lets call time pass. */
  pass(ms: number): Promise<void>;
  /** The far end hangs up. */
  hangUp(): void;
  close(): Promise<void>;
};

/** A rising line, so that each sample has a value of its own. */
const ramp = (ms: number, first = 1) =>
  Int16Array.from({ length: ms * SAMPLES_PER_MS }, (_, index) => first + index);

/** What every `MediaStream` must do; each carrier's test runs it against itself. */
export function describeMediaStream(name: string, open: () => Promise<OpenedMedia>): void {
  describe(`${name} as a media stream`, () => {
    let opened: OpenedMedia;
    let media: MediaStream;
    beforeEach(async () => {
      opened = await open();
      media = opened.media;
    });
    afterEach(() => opened.close());

    it('gives every frame from the far end, in order and without gaps', async () => {
      const frames: { frame: Int16Array; atMs: number }[] = [];
      media.onFrame((frame, atMs) => frames.push({ frame: frame.slice(), atMs }));
      opened.say(ramp(200));
      await opened.pass(400);
      expect(frames.length).toBeGreaterThanOrEqual(15);
      for (const [index, { frame, atMs }] of frames.entries()) {
        expect(frame.length).toBe(FRAME_SAMPLES);
        expect(atMs - (frames[0]?.atMs ?? 0)).toBeCloseTo(index * FRAME_MS, 0);
      }
      const spoken = frames.flatMap(({ frame }) => [...frame]).filter((sample) => sample !== 0);
      expect(spoken).toEqual([...ramp(200)]);
    });

    it('plays what was written, in order, whatever the sizes of its pieces', async () => {
      const whole = ramp(300);
      for (const [start, end] of [
        [0, 7],
        [7, 327],
        [327, 3_000],
        [3_000, 4_800],
      ])
        media.write(whole.slice(start, end));
      await opened.pass(500);
      expect([...opened.heard().subarray(0, whole.length)]).toEqual([...whole]);
      expect(
        opened
          .heard()
          .subarray(whole.length)
          .every((sample) => sample === 0),
      ).toBe(true);
    });

    it('takes as long to play as it sounds', async () => {
      media.write(ramp(1_000));
      await opened.pass(500);
      expect(media.playedMs()).toBeGreaterThan(420);
      expect(media.playedMs()).toBeLessThanOrEqual(500);
      await opened.pass(600);
      expect(media.playedMs()).toBe(1_000);
    });

    it('falls silent at once when it is cleared, and plays what is written then', async () => {
      media.write(ramp(1_000));
      await opened.pass(300);
      const playedMs = media.clear();
      expect(playedMs - media.playedMs()).toBeLessThanOrEqual(FRAME_MS);
      await opened.pass(300);
      expect(media.playedMs()).toBe(playedMs);
      const cutAt = opened.heard().findLastIndex((sample) => sample !== 0) / SAMPLES_PER_MS;
      expect(cutAt).toBeLessThanOrEqual(300 + FRAME_MS);
      media.write(ramp(40, 20_000));
      await opened.pass(100);
      expect(opened.heard().filter((sample) => sample >= 20_000)).toEqual(ramp(40, 20_000));
      expect(media.playedMs()).toBe(playedMs + 40);
    });

    it('answers a mark when what was written before it was played', async () => {
      const marks: string[] = [];
      const mark = (label: string) => media.mark().then((played) => marks.push(`${label} ${played}`));
      void mark('nothing');
      media.write(ramp(100));
      void mark('first');
      media.write(ramp(100));
      void mark('second');
      await opened.pass(80);
      expect(marks).toEqual(['nothing true']);
      await opened.pass(80);
      expect(marks).toEqual(['nothing true', 'first true']);
      await opened.pass(100);
      expect(marks).toEqual(['nothing true', 'first true', 'second true']);
    });

    it('answers a mark with false when what was written was dropped, or the leg ended', async () => {
      media.write(ramp(200));
      const dropped = media.mark();
      await opened.pass(60);
      media.clear();
      expect(await dropped).toBe(false);
      media.write(ramp(200));
      const cut = media.mark();
      await opened.pass(60);
      opened.hangUp();
      await opened.pass(FRAME_MS);
      expect(await cut).toBe(false);
      media.write(ramp(20));
      expect(await media.mark()).toBe(false);
    });

    it('never says that more was played than was written, and never takes it back', async () => {
      let before = 0;
      for (let step = 0; step < 30; step += 1) {
        if (step % 7 === 0) media.write(ramp(50));
        if (step === 15) media.clear();
        await opened.pass(13);
        expect(media.playedMs()).toBeGreaterThanOrEqual(before);
        before = media.playedMs();
      }
      expect(before).toBeLessThanOrEqual(250);
    });
  });
}
