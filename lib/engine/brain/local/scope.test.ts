import { describe, expect, it } from 'vitest';
import { speakScope } from './scope.ts';

describe('what the agent helps with', () => {
  it.each([
    [
      'Helps patients with appointments, opening hours and prices.',
      'I can help you with appointments, opening hours and prices.',
    ],
    [
      'You help with questions after a treatment: aftercare and visits.',
      'I can help you with questions after a treatment: aftercare and visits.',
    ],
    [
      'Your task is to answer questions about the practice and to book appointments. Repeat a day.',
      'I can answer questions about the practice and book appointments.',
    ],
    ['Your job is to book repairs.', 'I can book repairs.'],
    [
      "Answers the practice's number and reminds patients of their check-up.",
      "I can answer the practice's number and remind you of your check-up.",
    ],
    ['Books visits.', 'I can book visits.'],
    ['Appointments and billing questions', 'I can help you with appointments and billing questions.'],
    [
      'The assistant handles orders, and transfers urgent cases.',
      'I can handle orders, and transfer urgent cases.',
    ],
  ])('%s', (scope, spoken) => {
    expect(speakScope(scope, '', {})).toBe(spoken);
  });

  it('comes from the prompt where the card says nothing, and is not made up', () => {
    expect(speakScope(null, '# Rules\nBe kind.\n\nYour task is to take orders for pizza.', {})).toBe(
      'I can take orders for pizza.',
    );
    expect(speakScope(null, 'You are Mia. Be kind. Never be rude.', {})).toBeUndefined();
    expect(speakScope('You are calling Anna because it is due.', '', {})).toBeUndefined();
  });
});
