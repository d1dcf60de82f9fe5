import type { CallClock } from '#lib/ports/clock.ts';
import { FRAME_MS } from '#lib/ports/media.ts';
import { countFrames } from './process-figures.ts';

export type PacerClock = Pick<CallClock, 'nowMs' | 'sleep'>;

/** Calls many streams every 20 ms, from one timer. */
export type Pacer = {
  /**
   * Calls `onFrame` once per frame from the next slot on, with the time at which the frame is due; returns what ends
   * it. A frame that could not be sent in time is sent as soon as possible, so that no delay adds up. `listens`: the stream
   * sends nothing; it is called when all that send at that moment have sent.
   */
  start(onFrame: OnFrame, kind?: 'sends' | 'listens'): () => void;
};

type OnFrame = (dueMs: number) => void;
type Slot = { sends: Set<OnFrame>; listens: Set<OnFrame> };

/** Streams begin at one of so many moments of a frame, the emptiest first: fewer frames are sent in one burst. */
const SLOTS = 4;
const SLOT_MS = FRAME_MS / SLOTS;
/** After a longer delay (a machine that was suspended) nothing is made up for: it would flood the far end. */
const MOST_BEHIND_MS = 400;
/** Timers have whole milliseconds: one that rings this much early is not set again, it would ring late. */
const EARLY_MS = 1;

/**
 * Paces by absolute time: frame n of a stream is due n × 20 ms after its first, however late the ones before were.
 * What a stream throws goes to `onFailed` and ends that stream only.
 */
export function createPacer({
  clock,
  onFailed,
  count = countFrames,
  afterSlot,
}: {
  clock: PacerClock;
  onFailed: (error: unknown) => void;
  /** Told how many streams were called together, and how late. */
  count?: typeof countFrames;
  /** Called when all streams of a moment were. */
  afterSlot?: () => void;
}): Pacer {
  const slots = Array.from({ length: SLOTS }, createSlot);
  let isRunning = false;

  const slotAt = (tick: number) => slots[tick % SLOTS] ?? createSlot();
  const isEmpty = ({ sends, listens }: Slot) => sends.size === 0 && listens.size === 0;
  const isIdle = () => slots.every(isEmpty);

  async function run(): Promise<void> {
    let tick = Math.floor(clock.nowMs() / SLOT_MS) + 1;
    while (!isIdle()) {
      while (isEmpty(slotAt(tick))) tick += 1;
      const waitMs = tick * SLOT_MS - clock.nowMs();
      if (waitMs > EARLY_MS) await clock.sleep(waitMs);
      if (-waitMs > MOST_BEHIND_MS) tick += SLOTS * Math.floor(-waitMs / FRAME_MS);
      const { sends, listens } = slotAt(tick);
      callAll(sends, tick * SLOT_MS);
      callAll(listens, tick * SLOT_MS);
      afterSlot?.();
      tick += 1;
    }
    isRunning = false;
  }

  function callAll(streams: Set<OnFrame>, dueMs: number): void {
    count(streams.size, clock.nowMs() - dueMs);
    for (const onFrame of streams) {
      try {
        onFrame(dueMs);
      } catch (error) {
        streams.delete(onFrame);
        onFailed(error);
      }
    }
  }

  return {
    start(onFrame, kind = 'sends') {
      const next = Math.floor(clock.nowMs() / SLOT_MS) + 1;
      const emptiest = [0, 1, 2, 3]
        .map((later) => slotAt(next + later)[kind])
        .reduce((best, slot) => (slot.size < best.size ? slot : best));
      emptiest.add(onFrame);
      if (!isRunning) {
        isRunning = true;
        void run();
      }
      return () => void emptiest.delete(onFrame);
    },
  };
}

const createSlot = (): Slot => ({ sends: new Set(), listens: new Set() });
