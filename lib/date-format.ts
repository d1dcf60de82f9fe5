const MOST_KEPT = 500;
const kept = new Map<string, Intl.DateTimeFormat>();

/**
 * A format of dates in English, made once for its options: each takes 29 kB outside of V8's heap and 40 µs, and a list makes
 * one for every row (docs/decisions/0361). Throws `RangeError` for a time zone that does not exist.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = kept.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', options);
  // Time zones come from workspaces and people: some hundreds at most.
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}
