import { expect, it } from 'vitest';
import { forbidsBooking } from './forbidden.ts';

it.each([
  'You answer questions. You never book appointments; say that people should call again tomorrow.',
  'Do not book any appointments.',
  "## Rules\n- Be kind.\n- Don't make reservations on the phone\n",
  'You are not allowed to schedule visits, ever.',
])('forbids to book: %s', (body) => {
  expect(forbidsBooking(body)).toBe(true);
});

it.each([
  'Your task is to book appointments.',
  'Never book an appointment outside the opening hours.',
  'Do not book appointments before 9 am.',
  'Never book an appointment without confirming the day.',
  'Do not book two appointments at once.',
  'If the caller is in pain, do not book an appointment but transfer the call.',
  'You never cancel appointments.',
  'Do not book appointments on Sundays.',
  "Don't take appointments that are less than an hour away.",
])('leaves booking as it is: %s', (body) => {
  expect(forbidsBooking(body)).toBe(false);
});
