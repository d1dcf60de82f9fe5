const count = new Intl.NumberFormat('en-US');

/** 1 → "1 chunk", 1200 → "1,200 chunks". */
export function countOf(amount: number, noun: string): string {
  return `${count.format(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}
