/** As much as an assistant is told at once: some 15,000 tokens. */
export const MAX_ANSWER_CHARACTERS = 60_000;
/** How long a text in it may be, tried in this order. */
const TEXT_LIMITS = [40_000, 10_000, 2_000, 500];

/** An answer as JSON, whose long texts are shortened in the middle until it is short enough. */
export function boundedJson(answer: unknown): string {
  const whole = JSON.stringify(answer);
  if (whole.length <= MAX_ANSWER_CHARACTERS) return whole;
  for (const limit of TEXT_LIMITS) {
    const shorter = JSON.stringify(answer, (_, value: unknown) =>
      typeof value === 'string' ? shortened(value, limit) : value,
    );
    if (shorter.length <= MAX_ANSWER_CHARACTERS) return shorter;
  }
  const cut = whole.slice(0, MAX_ANSWER_CHARACTERS - 200).toWellFormed();
  return `${cut}\n[The answer is too long and was cut here. Ask for fewer items, with limit and skip.]`;
}

/** The beginning and, since a conversation comes to its point there, the end. */
function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, Math.ceil(limit * 0.6));
  const end = text.slice(text.length - Math.floor(limit * 0.4));
  const left = (text.length - limit).toLocaleString('en-US');
  return `${start} [… ${left} characters left out …] ${end}`.toWellFormed();
}
