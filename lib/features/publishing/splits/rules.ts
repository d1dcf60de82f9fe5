/** What was done with a split, as its row keeps it. */
export type SplitStep = {
  kind: 'started' | 'changed' | 'published' | 'stopped';
  /** The share from then on; at the end, the one that it had. */
  percent: number;
  /** The version that the other conversations had at that moment. */
  publishedId: string;
  /** ISO 8601. */
  at: string;
  author: { kind: 'user' | 'api_key' | 'system'; label: string | null };
};

/** Of so many, how many had something. */
export type Proportion = { count: number; of: number };
export type Interval = { low: number; high: number };

/** What 95 of 100 samples like this would hold. */
const Z = 1.959964;
/** With fewer conversations on either side nothing is said of a difference, however large it looks. */
const FEWEST = 10;
/** A difference that is known no better than within so much of a whole is not known. */
const WIDEST = 0.2;

/** Wilson's interval of a proportion: right for few and for rare ones too; null where nothing was counted. */
export function wilsonInterval({ count, of }: Proportion): Interval | null {
  if (of === 0) return null;
  const share = count / of;
  const middle = share + Z ** 2 / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const scale = 1 + Z ** 2 / of;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}

export type Difference = Interval & { verdict: 'higher' | 'lower' | 'unclear' | 'too_few' };

/**
 * How much larger the first proportion is, by Newcombe's interval from both of Wilson's (1998, method 10). `unclear`: known
 * well enough, and none to speak of. null where one of them counts nothing.
 */
export function differenceOf(one: Proportion, other: Proportion): Difference | null {
  const [first, second] = [wilsonInterval(one), wilsonInterval(other)];
  if (!first || !second) return null;
  const [p1, p2] = [one.count / one.of, other.count / other.of];
  const low = p1 - p2 - Math.hypot(p1 - first.low, second.high - p2);
  const high = p1 - p2 + Math.hypot(first.high - p1, p2 - second.low);
  return { low, high, verdict: verdictOf({ low, high }, Math.min(one.of, other.of)) };
}

function verdictOf({ low, high }: Interval, fewest: number): Difference['verdict'] {
  if (fewest < FEWEST) return 'too_few';
  if (low > 0) return 'higher';
  if (high < 0) return 'lower';
  return high - low > WIDEST ? 'too_few' : 'unclear';
}

/** Between which two shares of an order the median lies, from the binomial distribution of ranks. */
export function medianShares(of: number): Interval {
  const spread = Z / (2 * Math.sqrt(Math.max(1, of)));
  return { low: Math.max(0, 0.5 - spread), high: Math.min(1, 0.5 + spread) };
}
