/**
 * Samples in the lower bits, generation in the upper: both change in one step. Two years of sound, four million cuts. The
 * lowest bit of a generation says that it begins with the fade of what was cut.
 */
const GENERATION_SHIFT = 40n;
const SENT_MASK = (1n << GENERATION_SHIFT) - 1n;

/**
 * How many samples of a call were sent, in memory of two threads: one sends and counts, the other may cut at any moment what
 * it has written, and knows from the count which sample was the last. A generation is what was written between two cuts.
 */
export function createSentCount(memory: SharedArrayBuffer) {
  const word = new BigInt64Array(memory);
  const load = () => Atomics.load(word, 0);
  const replace = (from: bigint, to: bigint) => Atomics.compareExchange(word, 0, from, to) === from;

  return {
    sent: () => Number(load() & SENT_MASK),
    generation: () => Number(load() >> GENERATION_SHIFT),
    /** Of who sends, before sending; false: what was written in this generation was cut. */
    add(samples: number, generation: number): boolean {
      const before = load();
      return Number(before >> GENERATION_SHIFT) === generation && replace(before, before + BigInt(samples));
    },
    /** Of who writes: nothing of this generation is sent any more, and the next one `fades` or not. Gives how much was. */
    cut({ fades }: { fades: boolean }): number {
      for (;;) {
        const before = load();
        const sent = before & SENT_MASK;
        const generation = (((before >> GENERATION_SHIFT) >> 1n) + 1n) * 2n + (fades ? 1n : 0n);
        if (replace(before, (generation << GENERATION_SHIFT) | sent)) return Number(sent);
      }
    },
  };
}

/** Whether a generation begins with the fade of what was cut. */
export const beginsWithFade = (generation: number) => generation % 2 === 1;
