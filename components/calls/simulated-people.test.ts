import { describe, expect, it } from 'vitest';
import { phoneNumberText } from '#lib/phone-number-schemas.ts';
import { asksQuestion, SIMULATED_PEOPLE, simulatedNumber, simulatedPersonAt } from './simulated-people.ts';

describe('simulated people', () => {
  it.each(SIMULATED_PEOPLE)('offers a number that the API takes for $ending', ({ ending }) => {
    expect(phoneNumberText.safeParse(simulatedNumber(ending)).success).toBe(true);
    expect(simulatedPersonAt(simulatedNumber(ending))?.ending).toBe(ending);
  });

  it('treats every other number like 00', () => {
    expect(simulatedPersonAt('+15550100042')?.ending).toBe('00');
  });

  it('says nothing about an unfinished number', () => {
    expect(simulatedPersonAt('+1555')).toBeUndefined();
  });

  it('knows who needs a question', () => {
    expect(asksQuestion('+15550100013')).toBe(true);
    expect(asksQuestion('+15550100003')).toBe(false);
  });
});
