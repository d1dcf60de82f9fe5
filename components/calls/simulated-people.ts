import type { CallListItem } from '#lib/features/conversations/contract.ts';
import { isTakenByApi } from '#lib/phone-number.ts';

export type SimulatedPerson = {
  /** The last two digits that make a number behave like this. */
  ending: string;
  does: string;
  outcome: NonNullable<CallListItem['disposition']>;
};

/** Who answers a simulated number, like a payment provider's test cards. Numbers not listed behave like 00. */
export const SIMULATED_PEOPLE: readonly SimulatedPerson[] = [
  { ending: '00', does: 'Answers, talks briefly, says goodbye', outcome: 'COMPLETED' },
  { ending: '01', does: 'Agrees on a definite day and time', outcome: 'APPOINTMENT_BOOKED' },
  { ending: '02', does: 'Asks to be called back', outcome: 'SCHEDULED_CALLBACK' },
  { ending: '03', does: 'Declines, a little annoyed', outcome: 'COMPLETED' },
  { ending: '04', does: 'Asks for a human', outcome: 'TRANSFERRED' },
  { ending: '05', does: 'Voicemail with a beep: a message is left', outcome: 'VOICEMAIL' },
  { ending: '06', does: 'Voicemail that takes no message', outcome: 'VOICEMAIL' },
  { ending: '07', does: 'Does not answer', outcome: 'FAILED' },
  { ending: '08', does: 'Is busy', outcome: 'FAILED' },
  { ending: '09', does: 'Cannot be reached: the network fails', outcome: 'FAILED' },
  { ending: '10', does: 'Answers and hangs up at once', outcome: 'ABANDONED' },
  { ending: '11', does: 'Interrupts the agent in mid-sentence', outcome: 'COMPLETED' },
  { ending: '12', does: 'Says nothing', outcome: 'ABANDONED' },
  { ending: '13', does: 'Asks the question in the variable “question”', outcome: 'COMPLETED' },
];

/** The variable that tells person 13 what to ask. */
export const QUESTION_VARIABLE = 'question';

/** Away from the numbers that a workspace gets by itself, so that nobody calls their own agent by mistake. */
const PREFIX = '+155501999';

export function simulatedNumber(ending: string): string {
  return `${PREFIX}${ending}`;
}

/** Who answers a number on the simulated carrier; undefined while the number is not complete. */
export function simulatedPersonAt(number: string): SimulatedPerson | undefined {
  if (!isTakenByApi(number)) return undefined;
  return SIMULATED_PEOPLE.find((person) => number.endsWith(person.ending)) ?? SIMULATED_PEOPLE[0];
}

export function asksQuestion(number: string): boolean {
  return simulatedPersonAt(number)?.ending === '13';
}
