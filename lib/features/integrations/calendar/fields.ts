import { z } from 'zod';
import { WEEKDAYS } from '#lib/calling-hours/calling-hours.ts';
import { timeZone } from '#lib/features/workspaces/contract.ts';
import { requiredText, text, timestamp } from '#lib/http/schemas.ts';
import { CALENDAR_LIMITS, DEFAULT_SETTINGS, spansFault } from './settings.ts';

const timeOfDay = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 09:00');

const spans = z
  .array(z.strictObject({ from: timeOfDay, until: timeOfDay }))
  .max(CALENDAR_LIMITS.spansPerDay)
  .superRefine((given, context) => {
    const fault = spansFault(given);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });

const day = z.iso.date('must be a day such as 2026-12-25');

/** What a calendar is set to; in the dashboard and in a provision file. */
export const calendarSettings = z.strictObject({
  timeZone: timeZone.nullable().describe('null: the workspace’s'),
  week: z.strictObject(
    Object.fromEntries(WEEKDAYS.map((name) => [name, spans])) as Record<
      (typeof WEEKDAYS)[number],
      typeof spans
    >,
  ),
  exceptions: z
    .array(z.strictObject({ date: day, spans }))
    .max(CALENDAR_LIMITS.exceptions)
    .refine((all) => new Set(all.map(({ date }) => date)).size === all.length, 'must not have a day twice')
    .describe('Days that differ from their weekday; without spans: closed'),
  slotMinutes: z.int().min(CALENDAR_LIMITS.slotMinutes.min).max(CALENDAR_LIMITS.slotMinutes.max),
  bufferMinutes: z.int().min(CALENDAR_LIMITS.bufferMinutes.min).max(CALENDAR_LIMITS.bufferMinutes.max),
  noticeMinutes: z.int().min(CALENDAR_LIMITS.noticeMinutes.min).max(CALENDAR_LIMITS.noticeMinutes.max),
  daysAhead: z.int().min(CALENDAR_LIMITS.daysAhead.min).max(CALENDAR_LIMITS.daysAhead.max),
  title: requiredText(CALENDAR_LIMITS.title),
});

const account = z.strictObject({
  userName: text(CALENDAR_LIMITS.userName),
  password: text(CALENDAR_LIMITS.password).nullable().describe('null: the one that is kept stays'),
  calendarUrl: z.string().max(CALENDAR_LIMITS.url).nullable().describe('One of those that the server lists'),
});

/** What can be changed of a calendar; what is left out stays. */
export const calendarPatch = z.strictObject({ ...account.shape, ...calendarSettings.shape }).partial();
export type CalendarPatch = z.output<typeof calendarPatch>;

const withDefaults = Object.fromEntries(
  Object.entries(calendarSettings.shape).map(([name, schema]) => [name, schema.optional()]),
) as { [Name in keyof typeof calendarSettings.shape]: z.ZodOptional<(typeof calendarSettings.shape)[Name]> };

/** The same in a provision file, where what is left out is as in a new calendar. */
export const provisionedCalendar = {
  userName: account.shape.userName.default(''),
  password: text(CALENDAR_LIMITS.password).optional(),
  calendarUrl: z.url().max(CALENDAR_LIMITS.url).nullable().default(null),
  settings: z
    .strictObject(withDefaults)
    .default({})
    .transform((given) => ({
      ...DEFAULT_SETTINGS,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    })),
};

export const shownAppointment = z.object({
  id: z.string(),
  startsAt: timestamp,
  endsAt: timestamp,
  title: z.string(),
  phone: z.string().nullable(),
  conversationId: z.string().nullable(),
});

export const shownCalendar = z.object({
  userName: z.string(),
  hasPassword: z.boolean(),
  calendarUrl: z.string().nullable(),
  calendars: z.array(z.object({ url: z.string(), name: z.string() })).describe('Those of the server'),
  settings: calendarSettings,
  usedTimeZone: z.string().describe('The calendar’s own, or the workspace’s'),
  appointments: z.array(shownAppointment).describe('The next ones, where the service keeps them itself'),
});
export type ShownCalendar = z.output<typeof shownCalendar>;
