import { z } from 'zod';
import { type ArgumentSchema, readArgumentSchema, NO_ARGUMENTS } from '../http/argument-schema.ts';

export const FIND_SLOTS = 'find_appointment_slots';
export const BOOK = 'book_appointment';

export const DAY_PARTS = ['morning', 'afternoon', 'evening'] as const;
export type DayPart = (typeof DAY_PARTS)[number];

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must look like 2026-03-24')
  .describe('The day, like 2026-03-24.');

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must look like 15:30');

export const findArguments = z.object({
  date: date.optional().describe('The day to look at, like 2026-03-24. Left out: from today on.'),
  part: z
    .enum(DAY_PARTS)
    .optional()
    .describe('Only the morning (before 12), the afternoon (12 to 17) or the evening.'),
  from: time.optional().describe('Only times from this one on, 24 hours, like 09:00.'),
  until: time
    .optional()
    .describe('Only times up to this one, like 11:30. With `from` the same: that time alone.'),
});
export type WantedTimes = Pick<z.output<typeof findArguments>, 'part' | 'from' | 'until'>;

export const bookArguments = z.object({
  date,
  time: time.describe('The local time at which it begins, 24 hours, like 15:30.'),
  topic: z.string().max(300).optional().describe('What the appointment is for.'),
  name: z.string().max(120).optional().describe("The person's name."),
});

/** What agents with a calendar are offered. The second takes the place of the built-in tool of its name. */
export const CALENDAR_TOOLS = [
  {
    name: FIND_SLOTS,
    description:
      'Lists the times that are free for an appointment, on a day or from today on. Use it before you offer a time. Offer no more than three at once, and only times that it lists. A day with `moreTimes` has so many free times that it does not list: before you say that one of them is taken, look again with `date`, `from` and `until`.',
    parameters: schemaOf(findArguments),
    meanwhile: null,
  },
  {
    name: BOOK,
    description:
      'Books an appointment for a definite day and time, once the person has agreed to it, and writes it into the calendar. Only free times can be booked; where it fails, offer the times that it names. Date and time are local to the business.',
    parameters: schemaOf(bookArguments),
    meanwhile: null,
  },
];

function schemaOf(type: z.ZodType): ArgumentSchema {
  return readArgumentSchema(z.toJSONSchema(type)) ?? NO_ARGUMENTS;
}
