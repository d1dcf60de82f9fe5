export const NUMBER_LIMITS = { maxConcurrentCalls: 1000, defaultConcurrentCalls: 10 } as const;

/** Simulated numbers are made in this range: 555 is no area code, so nobody real is ever meant. */
export const SIMULATED_PREFIX = '+1555010';
const SIMULATED_DIGITS = 4;

/** The lowest simulated number nobody has, from `+15550100001` on; undefined once all 9,999 are taken. */
export function nextSimulatedNumber(taken: readonly string[]): string | undefined {
  const used = new Set(taken);
  for (let place = 1; place < 10 ** SIMULATED_DIGITS; place += 1) {
    const number = `${SIMULATED_PREFIX}${String(place).padStart(SIMULATED_DIGITS, '0')}`;
    if (!used.has(number)) return number;
  }
  return undefined;
}
