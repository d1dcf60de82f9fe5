import { isTakenByApi, isValidNumber } from '#lib/phone-number.ts';
import type { NumberCarrier } from '#lib/ports/carrier-kinds.ts';

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

/**
 * Why a number cannot be one of its carrier; undefined where it can. A telephone company gives out numbers of the plan;
 * in a private network of softphones any number will do.
 */
export function numberFault(carrier: NumberCarrier, number: string | undefined): string | undefined {
  if (carrier === 'simulated')
    return number === undefined || isTakenByApi(number)
      ? undefined
      : 'must be a phone number such as +15550100001';
  if (number === undefined) return 'is needed: it is the number that you have at the carrier';
  if (carrier === 'twilio' && !isValidNumber(number))
    return 'is on no numbering plan: check the country code and the digits';
  return undefined;
}

/** That no further call comes in, and which setting allows more; `number`: which one it is, where that may be said. */
export function linesInUse(full: { of: 'workspace' | 'number'; most: number; number?: string }): string {
  const { of, most, number = `the ${of}` } = full;
  const owner = of === 'number' ? number : 'the workspace';
  const page = of === 'number' ? 'Numbers' : 'Workspace';
  const all = most === 1 ? `The only line of ${owner} is` : `All ${most} lines of ${owner} are`;
  return `${all} in use: more are allowed by "Calls at once" in Settings, ${page}`;
}
