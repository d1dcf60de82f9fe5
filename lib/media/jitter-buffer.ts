import { createConcealment } from './concealment.ts';
import { crossFade, FADE_MS } from './fade.ts';

/** Puts packets in order and gives them out evenly. All counts are samples at 8 kHz. */
export type JitterBuffer = {
  /** The samples are copied. */
  put(packet: { timestamp: number; samples: Int16Array }): void;
  /**
   * The next 20 ms: what arrived, and something made up for what did not. They lie in `into`, where memory is used again.
   * Undefined while there is no stream.
   */
  take(into?: Int16Array): Int16Array | undefined;
  /** How long sound waits in here at the moment, in ms. */
  delayMs(): number;
};

const PER_MS = 8;
const FRAME = 20 * PER_MS;
/** Sound waits so long at first; what is late makes it longer, what waits without need shorter. */
export const USUAL_DELAY_MS = 40;
const FIRST_DELAY = USUAL_DELAY_MS * PER_MS;
const MOST_DELAY = 20 * FRAME;
/** So much more than was needed, for so many frames, and a frame is left out. */
const SPARE = 2 * FRAME;
const PATIENCE_FRAMES = 100;
/** A step of the timestamps by more than a second is another stream: a transfer, an announcement. */
const ANOTHER_STREAM = 1_000 * PER_MS;
/** After so many late packets on end the sender was stalled: its clock is followed. */
const MOST_LATE = 3;
/** After so long without a packet the next one begins anew. */
const QUIET_FRAMES = 100;
/** Where a frame was left out, what came before it goes over into what comes after it. */
const SEAM = FADE_MS * PER_MS;

/**
 * A buffer as deep as the network needs: it grows with the first late packet and shrinks after two seconds in which
 * sound waited for nothing. A sender whose clock is faster or slower than ours is followed in the same way.
 */
export function createJitterBuffer(): JitterBuffer {
  const packets = createPacketQueue();
  const margin = createMargin();
  /** Of the last packet, counted on beyond 32 bit. */
  let lastAt: number | undefined;
  /** The time of the next sample to be given out. */
  let next: number | undefined;
  let lateInARow = 0;
  let emptyFrames = 0;

  function begin(at: number): void {
    next = at - FIRST_DELAY;
    packets.clear();
    margin.reset();
    lateInARow = 0;
  }

  /** Waits longer from now on, where that saves the packet. False: it is lost. */
  function waitFor(at: number, due: number): boolean {
    const needed = due - at;
    lateInARow += 1;
    if (lateInARow >= MOST_LATE) begin(at);
    else if (needed > MOST_DELAY / 2 || (packets.end() ?? due) - at > MOST_DELAY) return false;
    else next = due - Math.ceil(needed / FRAME) * FRAME;
    margin.reset();
    return true;
  }

  return {
    put({ timestamp, samples }) {
      const at = lastAt === undefined ? timestamp : lastAt + ((timestamp - lastAt) | 0);
      lastAt = at;
      emptyFrames = 0;
      if (next === undefined || Math.abs(at - next) > ANOTHER_STREAM) begin(at);
      else if (at + samples.length <= next) {
        if (!waitFor(at, next)) return;
      } else {
        lateInARow = 0;
        margin.note(at - next);
      }
      packets.insert(at, samples);
    },
    take(into = new Int16Array(FRAME)) {
      if (next === undefined) return undefined;
      emptyFrames += 1;
      if (emptyFrames > QUIET_FRAMES) {
        next = undefined;
        packets.clear();
        return undefined;
      }
      const leftOut = margin.isTooLarge() ? packets.take(next, new Int16Array(FRAME)) : undefined;
      if (leftOut) next += FRAME;
      packets.take(next, into);
      if (leftOut) crossFade(into, leftOut.subarray(0, SEAM));
      next += FRAME;
      return into;
    },
    delayMs: () => (next === undefined ? 0 : Math.max(0, (packets.end() ?? next) - next) / PER_MS),
  };
}

/** How early the latest of the last packets was: more than is needed is delay for nothing. */
function createMargin() {
  let least = Number.POSITIVE_INFINITY;
  let frames = 0;
  const reset = () => {
    least = Number.POSITIVE_INFINITY;
    frames = 0;
  };
  return {
    reset,
    note(early: number): void {
      least = Math.min(least, early);
    },
    /** Asked for each frame; judges once in a while. */
    isTooLarge(): boolean {
      frames += 1;
      if (frames < PATIENCE_FRAMES) return false;
      const isLarge = least > SPARE && least < Number.POSITIVE_INFINITY;
      reset();
      return isLarge;
    },
  };
}

type Packet = { at: number; length: number; memory: Int16Array };

/** Packets by their time, the earliest first; the memory of those that were played is used again. */
function createPacketQueue() {
  const concealment = createConcealment();
  const packets: Packet[] = [];
  const free: Packet[] = [];

  const endOf = (packet: Packet) => packet.at + packet.length;

  function copyOf(at: number, samples: Int16Array): Packet {
    const packet = free.pop() ?? { at, length: 0, memory: new Int16Array(FRAME) };
    if (packet.memory.length < samples.length) packet.memory = new Int16Array(samples.length);
    packet.memory.set(samples);
    packet.at = at;
    packet.length = samples.length;
    return packet;
  }

  return {
    /** Of the newest sound. */
    end(): number | undefined {
      const last = packets.at(-1);
      return last && endOf(last);
    },
    clear(): void {
      free.push(...packets.splice(0));
    },
    insert(at: number, samples: Int16Array): void {
      const before = packets.findLastIndex((packet) => packet.at <= at);
      // The same packet twice, or a new one for a time that is filled.
      if (packets[before]?.at !== at) packets.splice(before + 1, 0, copyOf(at, samples));
    },
    /** Fills `frame` with what arrived for that time, and its gaps; what is older is dropped. */
    take(from: number, frame: Int16Array): Int16Array {
      const until = from + FRAME;
      let at = from;
      for (const packet of packets) {
        if (packet.at >= until) break;
        if (endOf(packet) <= at) continue;
        if (packet.at > at) {
          concealment.lost(frame.subarray(at - from, packet.at - from));
          at = packet.at;
        }
        const end = Math.min(endOf(packet), until);
        for (let index = at; index < end; index += 1)
          frame[index - from] = packet.memory[index - packet.at] ?? 0;
        concealment.good(end - at === FRAME ? frame : frame.subarray(at - from, end - from));
        at = end;
      }
      if (at < until) concealment.lost(frame.subarray(at - from));
      for (let index = packets.length - 1; index >= 0; index -= 1) {
        const packet = packets[index];
        if (packet && endOf(packet) <= until) free.push(...packets.splice(index, 1));
      }
      return frame;
    },
  };
}
