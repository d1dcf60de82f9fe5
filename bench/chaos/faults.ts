/** What the kill suite does to a service, as data, and the dice that choose: one seed gives one order of faults. */
import { FAULT_POINTS, type FaultPoint } from '#lib/fault-points.ts';

/** Faults beside a process that ends at a point. `weight`: how often, beside each other. */
export const FAULTS = {
  point: { weight: 70, says: 'a process ends itself (SIGKILL) when it next passes a named point' },
  worker: { weight: 8, says: 'SIGKILL to a worker at any moment' },
  conversations: { weight: 8, says: 'SIGKILL to a process of conversations at any moment' },
  database: { weight: 3, says: 'PostgreSQL is stopped at once, without a checkpoint, and started again' },
  network: { weight: 4, says: 'nothing reaches the telephone company, or comes from it, for some seconds' },
  clock: { weight: 4, says: 'the clock of a worker and its processes jumps by an hour, or back' },
  disk: { weight: 3, says: 'the disk of a worker is full for some seconds' },
} as const;
export type Fault = keyof typeof FAULTS;

/** Nothing is deleted here: bench/deletion kills processes at these. */
const OF_DELETIONS: readonly FaultPoint[] = [
  'conversation.deleting',
  'conversation.deleted',
  'conversation.file_removed',
];
export const POINTS = (Object.keys(FAULT_POINTS) as FaultPoint[]).filter(
  (point) => !OF_DELETIONS.includes(point),
);

/** Mulberry32: small, and the same on every machine. */
export function createDice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Faults in the order of one seed: points in turn, each as often as any other. */
export function createFaults(dice: () => number, { without = [] }: { without?: readonly Fault[] } = {}) {
  const faults = (Object.keys(FAULTS) as Fault[]).filter((fault) => !without.includes(fault));
  const sum = faults.reduce((total, fault) => total + FAULTS[fault].weight, 0);
  let points: FaultPoint[] = [];

  return {
    next(): Fault {
      let left = dice() * sum;
      return faults.find((fault) => (left -= FAULTS[fault].weight) < 0) ?? 'point';
    },
    nextPoint(): FaultPoint {
      if (points.length === 0) points = shuffled(POINTS, dice);
      return points.pop() ?? 'call.fenced';
    },
  };
}

function shuffled<Item>(items: readonly Item[], dice: () => number): Item[] {
  return items
    .map((item) => ({ item, place: dice() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
