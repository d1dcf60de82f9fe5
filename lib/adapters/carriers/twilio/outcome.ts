import type { NeverConnectedReason } from '#lib/ports/carrier.ts';

/** States of a call at Twilio after which nothing comes. */
const OVER = new Set(['completed', 'busy', 'failed', 'no-answer', 'canceled']);

export const isOver = (status: string): boolean => OVER.has(status);

/** Why a call with this last state never connected. */
export function reasonFor(status: string): NeverConnectedReason {
  if (status === 'busy') return 'busy';
  if (status === 'no-answer' || status === 'canceled') return 'no_answer';
  return 'network_failure';
}

/**
 * What a refused request to place a call means (twilio.com/docs/api/errors): 21210 to 21217 and 13200s are about the
 * numbers, 21610 about a person who does not want to be called.
 */
export function reasonForRefusal(code: number | undefined): NeverConnectedReason {
  return code === 21_610 || code === 21_215 || code === 21_216 ? 'rejected' : 'network_failure';
}

/** Whether a request was refused for the number that it was to show: not verified (21210), or none (21212). */
export const isAboutCaller = (code: number | undefined): boolean => code === 21_210 || code === 21_212;

/** What the answering machine detection says; undefined where it is a person, or cannot tell. */
export function machineOf(answeredBy: string): { isGreetingOver: boolean } | undefined {
  if (answeredBy.startsWith('machine_end')) return { isGreetingOver: true };
  return answeredBy === 'machine_start' ? { isGreetingOver: false } : undefined;
}

/** The end of a transfer, for a person (the Dial verb's DialCallStatus). */
export function transferReason(status: string): string {
  if (status === 'busy') return 'the other party was busy';
  if (status === 'no-answer' || status === 'canceled') return 'the other party did not answer';
  return 'the other party could not be reached';
}
