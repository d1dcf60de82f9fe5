import { z } from 'zod';
import { toInstant } from '#lib/engine/zoned-time.ts';
import { speakMoment } from '#lib/engine/spoken-time.ts';
import type { Outcome, Tool } from './tool.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** What the tool of a calendar answers, which takes the place of this one. */
const bookedInCalendar = z.object({
  ok: z.literal(true),
  data: z.looseObject({ startsAt: z.iso.datetime(), timeZone: z.string(), spoken: z.string() }),
});

/**
 * An appointment that a calendar took is what the conversation achieved, as with the tool below; gives the result as that
 * tool would, for everything that reads it later.
 */
export function noteAppointment(outcome: Outcome, result: Record<string, unknown>): Record<string, unknown> {
  const read = bookedInCalendar.safeParse(result);
  if (!read.success) return result;
  const { startsAt, timeZone, spoken } = read.data.data;
  outcome.appointment = { startsAt, timeZone, spoken };
  outcome.callback = null;
  return { ok: true, ...read.data.data };
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

export const bookAppointment: Tool<{ date: string; time: string; topic?: string | undefined }> = {
  name: 'book_appointment',
  description:
    "Books an appointment (or a callback) for a definite day and time, once the person has agreed to it. Date and time are local to the business's time zone.",
  parameters: z.object({
    date: z.string().regex(DATE, 'must look like 2026-03-24').describe('The day, like 2026-03-24.'),
    time: z.string().regex(TIME, 'must look like 15:30').describe('The local time, 24 hours, like 15:30.'),
    topic: z.string().max(300).optional().describe('What the appointment is for.'),
  }),
  isOffered: () => true,
  async run({ plan, outcome, now }, { date, time, topic }) {
    const startsAt = toInstant(`${date}T${time}`, plan.timeZone);
    if (!startsAt) return { ok: false, reason: `${date} is not a day of the calendar` };
    if (startsAt <= now()) return { ok: false, reason: 'that moment is in the past' };
    const spoken = speakMoment(startsAt, plan.timeZone);
    const booked = { startsAt: startsAt.toISOString(), timeZone: plan.timeZone, spoken };
    outcome.appointment = booked;
    // A definite slot replaces a vague promise to call back.
    outcome.callback = null;
    return { ok: true, ...booked, ...(topic === undefined ? {} : { topic }) };
  },
};
