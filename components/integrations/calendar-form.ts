import { z } from 'zod';
import { WEEKDAYS } from '#lib/calling-hours/calling-hours.ts';
import {
  calendarPatch,
  calendarSettings,
  type CalendarPatch,
  type ShownCalendar,
} from '#lib/features/integrations/calendar/fields.ts';
import { readSpans, spansFault, writeSpans } from '#lib/features/integrations/calendar/settings.ts';

/** The hours of a day as they are typed: 9:00–12:30, 14:00–18:00. */
const hours = z
  .string()
  .max(200)
  .superRefine((text, context) => {
    const spans = readSpans(text);
    const message = spans ? spansFault(spans) : 'must look like 9:00–12:30, 14:00–18:00';
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const { timeZone, slotMinutes, bufferMinutes, noticeMinutes, daysAhead, title } = calendarSettings.shape;

/** When appointments are, as it is edited: hours as text. */
export const hoursForm = z.object({
  timeZone,
  week: z.object({ mon: hours, tue: hours, wed: hours, thu: hours, fri: hours, sat: hours, sun: hours }),
  exceptions: z.array(z.object({ date: z.iso.date('must be a day such as 2026-12-25'), hours })).max(200),
  slotMinutes,
  bufferMinutes,
  noticeMinutes,
  daysAhead,
  title,
});
export type HoursForm = z.input<typeof hoursForm>;

/** The fields of a calendar that the service tells of a conflict. */
export function asFields(given: unknown): object {
  return typeof given === 'object' && given !== null ? given : {};
}

export function hoursFormOf({ settings }: Pick<ShownCalendar, 'settings'>): HoursForm {
  const { week, exceptions, ...rest } = settings;
  return {
    ...rest,
    week: {
      mon: writeSpans(week.mon),
      tue: writeSpans(week.tue),
      wed: writeSpans(week.wed),
      thu: writeSpans(week.thu),
      fri: writeSpans(week.fri),
      sat: writeSpans(week.sat),
      sun: writeSpans(week.sun),
    },
    exceptions: exceptions.map(({ date, spans }) => ({ date, hours: writeSpans(spans) })),
  };
}

export function patchOfHours({ week, exceptions, ...rest }: HoursForm): CalendarPatch {
  return calendarPatch.parse({
    ...rest,
    week: Object.fromEntries(WEEKDAYS.map((day) => [day, readSpans(week[day]) ?? []])),
    exceptions: exceptions
      .map(({ date, hours: text }) => ({ date, spans: readSpans(text) ?? [] }))
      .sort((one, other) => one.date.localeCompare(other.date)),
  });
}
