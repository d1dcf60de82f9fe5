import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPurpose } from './purpose.ts';

describe('the purpose of a call', () => {
  it.each([
    [
      'Your goal is to remind the customer of the appointment on Tuesday.',
      'remind you of the appointment on Tuesday',
    ],
    [
      'You are Mia. The purpose of this call is to confirm their booking for Friday. Be polite.',
      'confirm your booking for Friday',
    ],
    [
      'You are calling to ask Anna whether she is happy with her new heating.',
      'ask you whether you are happy with your new heating',
    ],
    [
      '# Role\nYou are Tom.\n\n# Goal\nInvite the patient to a free check-up in our practice.\n\n# Rules\n- Never argue.',
      'invite you to a free check-up in our practice',
    ],
    [
      '## Objective\n- Follow up on the quote we sent last week\n- If they say no, end the call',
      'follow up on the quote we sent last week',
    ],
    [
      'Be friendly and brief. Remind {name} about the unpaid invoice of 40 euros.'.replace('{name}', 'Anna'),
      'remind you about the unpaid invoice of 40 euros',
    ],
    [
      "Call the customer to schedule the yearly inspection of the customer's boiler.",
      'schedule the yearly inspection of your boiler',
    ],
    [
      'You are calling customers about the renewal of their insurance.',
      'about the renewal of your insurance',
    ],
    ['**Goal:** offer the client a demo of our software', 'offer you a demo of our software'],
    [
      'Task: Collect feedback on their recent stay; if they complain, apologise.',
      'collect feedback on your recent stay',
    ],
    [
      '# Task\n1. Greet Anna by name.\n2. Ask if she received our offer.\n\n# Style\nShort.',
      'ask if you received our offer',
    ],
    [
      'Call Anna and remind them that their delivery arrives tomorrow.',
      'remind you that your delivery arrives tomorrow',
    ],
    ['Purpose of the call: Confirm attendance at the webinar.', 'confirm attendance at the webinar'],
    [
      'Your role is to qualify leads for solar panels. Ask about roof type and ownership.',
      'ask about roof type and ownership',
    ],
    ['Your goal is to get Anna to book a test drive.', 'ask whether you would like to book a test drive'],
    ["The reason for your call is that Anna's lease ends in May.", 'because your lease ends in May'],
  ])('%s', (body, purpose) => {
    expect(findPurpose(body, { name: 'Anna' })?.replace(/^to /, '')).toBe(purpose);
  });

  it.each([
    ['You are a friendly receptionist. Always be polite. Never give medical advice.'],
    ['# Tone\nSpeak slowly.\n# Rules\nDo not interrupt. Ask one thing at a time.'],
    [''],
  ])('is not made up from instructions: %s', (body) => {
    expect(findPurpose(body, {})).toBeUndefined();
  });

  it('is never longer than can be listened to', () => {
    const body = `Your goal is to inform the customer about ${'a new tariff with many advantages and '.repeat(30)} more.`;
    expect(findPurpose(body, {})?.length).toBeLessThanOrEqual(225);
  });

  it('is found in any text without failing, and never holds markdown', () => {
    fc.assert(
      fc.property(
        fc.lorem({ mode: 'sentences' }),
        fc.constantFrom('#', '**', '- ', '`', '> '),
        (text, mark) => {
          expect(
            findPurpose(`${mark}Your goal is to ${mark}remind the customer ${text}`, {}) ?? '',
          ).not.toMatch(/[#*`>]/);
        },
      ),
    );
  });
});
