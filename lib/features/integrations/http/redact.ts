const MASK = '•••';
/** Shorter ones are found in every other word. */
const MIN_SECRET = 4;
const MIN_PART = 8;

/** Takes secrets out of what somebody else wrote, in every string of it: a server may repeat what it was sent. */
export function redactSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  const words = spellingsOf(secrets);
  const redacted: unknown = words.length === 0 ? value : redact(value, words);
  return redacted as Value;
}

function redact(value: unknown, words: readonly string[]): unknown {
  if (typeof value === 'string') return words.reduce((left, word) => left.replaceAll(word, MASK), value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => redact(each, words));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [String(redact(name, words)), redact(each, words)]),
  );
}

/** A secret whole, its parts ("Bearer" and what follows), and each as JSON and URLs write it; the longest first. */
function spellingsOf(secrets: readonly string[]): string[] {
  const parts = secrets.flatMap((secret) => secret.split(/\s+/).filter((part) => part.length >= MIN_PART));
  const words = [...secrets.filter((secret) => secret.length >= MIN_SECRET), ...parts];
  const all = words.flatMap((word) => [word, JSON.stringify(word).slice(1, -1), encodeURIComponent(word)]);
  return [...new Set(all)].sort((one, other) => other.length - one.length);
}
