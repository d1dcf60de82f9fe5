export const NUMBER_LIMITS = { maxConcurrentCalls: 1000, defaultConcurrentCalls: 10 } as const;

/** Simulated numbers are made in this range; +1 555 01xx is kept for fiction, so nobody real is ever meant. */
const SIMULATED_PREFIX = '+1555010';
const SIMULATED_DIGITS = 4;

/** The simulated number with this place in the range, e.g. `+15550100001` for 1; undefined past its end. */
export function simulatedNumber(place: number): string | undefined {
  const digits = String(place).padStart(SIMULATED_DIGITS, '0');
  return digits.length > SIMULATED_DIGITS ? undefined : `${SIMULATED_PREFIX}${digits}`;
}

/** The place of a number in the range of simulated ones, undefined for any other number. */
export function simulatedPlace(number: string): number | undefined {
  if (!number.startsWith(SIMULATED_PREFIX) || number.length !== SIMULATED_PREFIX.length + SIMULATED_DIGITS)
    return undefined;
  return Number(number.slice(SIMULATED_PREFIX.length));
}
