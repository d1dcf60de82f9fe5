export type TokenBucket = {
  /** Takes `count` where so many are left; otherwise none is taken and the answer is false. */
  take(count?: number): boolean;
};

/** An allowance of `burst`, which fills up again by `perSecond`. `nowMs` never runs backwards. */
export function createTokenBucket(options: {
  perSecond: number;
  burst: number;
  nowMs: () => number;
}): TokenBucket {
  let left = options.burst;
  let filledAtMs = options.nowMs();

  return {
    take(count = 1) {
      const nowMs = options.nowMs();
      left = Math.min(options.burst, left + ((nowMs - filledAtMs) / 1_000) * options.perSecond);
      filledAtMs = nowMs;
      if (left < count) return false;
      left -= count;
      return true;
    },
  };
}
