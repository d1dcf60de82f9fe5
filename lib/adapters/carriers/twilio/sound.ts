import { decodeG711, encodeG711 } from '#lib/media/g711.ts';
import { createMediaInput, type MediaInput } from '#lib/media/media-input.ts';
import { createMediaOutput, type MediaOutput, SILENT_FRAME } from '#lib/media/media-output.ts';
import type { Pacer } from '#lib/media/pacer.ts';
import { createResampler } from '#lib/media/resample.ts';
import { digitTone } from '#lib/media/telephone-event.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { FRAME_MS, FRAME_SAMPLES, type MediaStream, SAMPLE_RATE_HZ } from '#lib/ports/media.ts';

/** Where sound goes: a Media Stream that is open. */
export type SoundLine = {
  sendSound(bytes: Uint8Array): void;
  sendMark(name: string): void;
  sendClear(): void;
};

export type CallSound = {
  media: MediaStream;
  /** Sound goes over this line from now on, and comes from it. */
  connect(line: SoundLine): void;
  /** The line is gone; time goes on. */
  disconnect(): void;
  heard(bytes: Uint8Array): void;
  marked(name: string): void;
  /** Resolves when all keys were pressed, as tones. */
  pressKeys(keys: string): Promise<void>;
  end(): void;
};

/** Silence that follows speech, so that the far end plays out what it gathered against uneven arrival. */
const TRAILING_FRAMES = 10;
/** While the agent speaks, Twilio says so often how far it has played. */
const MARK_EVERY_FRAMES = 5;
/** A mark that does not come back by then is taken for played. */
const MARK_LOST_MS = 2_000;
/**
 * What Twilio still has to play ends so soon that it is left to end, and fades: to drop it there is a hard cut, in the
 * middle of a wave.
 */
const NEAR_MS = 100;
const KEY_FRAMES = 8;
const PAUSE_FRAMES = 5;

/** The sound of a call over a Media Stream, from its first connection on. */
export function createCallSound({ clock, pacer }: { clock: CallClock; pacer: Pacer }): CallSound {
  let listener: Parameters<MediaStream['onFrame']>[0] | undefined;
  let input: MediaInput | undefined;
  let output: MediaOutput | undefined;
  let line: SoundLine | undefined;
  let fromTelephone = createResampler({ fromHz: 8_000, toHz: SAMPLE_RATE_HZ });
  let toTelephone = createResampler({ fromHz: SAMPLE_RATE_HZ, toHz: 8_000 });
  let trailing = TRAILING_FRAMES;
  let isOver = false;
  const keys = createKeys();
  const marks = createMarks(clock);

  function send(frame: Int16Array): void {
    const played = keys.over(frame);
    marks.counted();
    const wasSpeaking = trailing === 0;
    trailing = played === SILENT_FRAME ? trailing + 1 : 0;
    if (line && trailing <= TRAILING_FRAMES) {
      line.sendSound(encodeG711('mulaw', toTelephone.process(played)));
      const isEnd = wasSpeaking && trailing === 1;
      if (isEnd || (trailing === 0 && marks.isDue())) line.sendMark(marks.next());
    }
    const lost = marks.takeLost();
    if (lost !== undefined) output?.reportPlayed(lost);
  }

  function begin(): void {
    if (output || isOver) return;
    input = createMediaInput({ pacer });
    input.onFrame((frame, atMs) => listener?.(frame, atMs));
    output = createMediaOutput({
      pacer,
      clock,
      send,
      dropAtFarEnd() {
        if (!marks.isFarBehind()) return false;
        marks.dropAll();
        line?.sendClear();
        return true;
      },
    });
  }

  return {
    media: {
      isTelephone: true,
      farEndBuffer: { isDeep: marks.isFarBehind },
      onFrame: (given) => void (listener = given),
      write: (samples) => output?.write(samples),
      clear: () => output?.clear() ?? 0,
      mark: async () => output?.mark() ?? !isOver,
      playedMs: () => output?.playedMs() ?? 0,
    },
    connect(connected) {
      line = connected;
      fromTelephone = createResampler({ fromHz: 8_000, toHz: SAMPLE_RATE_HZ });
      toTelephone = createResampler({ fromHz: SAMPLE_RATE_HZ, toHz: 8_000 });
      begin();
    },
    disconnect() {
      line = undefined;
      // What lay there is lost, and its marks with it.
      output?.reportPlayed(marks.dropAll());
    },
    heard: (bytes) => input?.push(fromTelephone.process(decodeG711('mulaw', bytes))),
    marked(name) {
      const played = marks.back(name);
      if (played !== undefined) output?.reportPlayed(played);
    },
    pressKeys: keys.press,
    end() {
      isOver = true;
      keys.end();
      input?.end();
      output?.end();
    },
  };
}

/**
 * Which frames Twilio has played: it sends a mark back when what was sent before it was played, and all of them at once
 * when it is told to drop what it has; those tell nothing.
 */
function createMarks(clock: CallClock) {
  let frames = 0;
  let marked = 0;
  let generation = 0;
  let waiting: { frames: number; sentAtMs: number }[] = [];
  /** From the sending of the last mark that came back to then: the way there and back, and what lay before it. */
  let behindMs = Number.POSITIVE_INFINITY;
  return {
    isFarBehind: () =>
      behindMs > NEAR_MS || clock.nowMs() - (waiting[0]?.sentAtMs ?? clock.nowMs()) > NEAR_MS,
    counted: () => void (frames += 1),
    isDue: () => frames - marked >= MARK_EVERY_FRAMES,
    /** The name of the mark after all frames so far. */
    next(): string {
      marked = frames;
      waiting.push({ frames, sentAtMs: clock.nowMs() });
      return `${generation}-${frames}`;
    },
    /** How many frames were played; undefined for a mark of frames that were dropped. */
    back(name: string): number | undefined {
      const [, of, count] = /^(\d{1,9})-(\d{1,9})$/.exec(name) ?? [];
      if (Number(of) !== generation || !(Number(count) <= frames)) return undefined;
      const mark = waiting.find(({ frames: until }) => until === Number(count));
      if (mark) behindMs = clock.nowMs() - mark.sentAtMs;
      waiting = waiting.filter((other) => other.frames > Number(count));
      return Number(count);
    },
    /** The frames of marks that did not come back. */
    takeLost(): number | undefined {
      const [oldest] = waiting;
      if (!oldest || clock.nowMs() - oldest.sentAtMs < MARK_LOST_MS) return undefined;
      waiting.shift();
      behindMs = Number.POSITIVE_INFINITY;
      return oldest.frames;
    },
    /** Forgets the marks that are out; gives all frames so far. */
    dropAll(): number {
      generation += 1;
      waiting = [];
      return frames;
    },
  };
}

/** Keys as tones, in the place of what the agent says at the time. */
function createKeys() {
  let waiting: { tone: Int16Array; frames: number; done(): void }[] = [];
  return {
    press: async (digits: string): Promise<void> => {
      const pressed = digits.split('').map(
        (digit) =>
          new Promise<void>((done) => {
            const durationMs = KEY_FRAMES * FRAME_MS;
            waiting.push({
              tone: digitTone(digit, { rateHz: SAMPLE_RATE_HZ, durationMs }),
              frames: 0,
              done,
            });
          }),
      );
      await Promise.all(pressed);
    },
    over(frame: Int16Array): Int16Array {
      const [key] = waiting;
      if (!key) return frame;
      const from = key.frames * FRAME_SAMPLES;
      key.frames += 1;
      if (key.frames === KEY_FRAMES + PAUSE_FRAMES) {
        waiting.shift();
        key.done();
      }
      // A pause is silence that is sent: nothing of the agent comes between two keys.
      return key.frames <= KEY_FRAMES
        ? key.tone.slice(from, from + FRAME_SAMPLES)
        : new Int16Array(FRAME_SAMPLES);
    },
    end(): void {
      for (const { done } of waiting) done();
      waiting = [];
    },
  };
}
