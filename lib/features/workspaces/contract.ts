import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, requiredText, timestamp, trimmedText } from '#lib/http/schemas.ts';
import { COUNTRIES } from '#lib/countries.ts';
import { WEEKDAYS } from '#lib/calling-hours/calling-hours.ts';
import { isTimeZone, WORKSPACE_LIMITS } from './rules.ts';

export const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
  .meta({ example: 'Europe/Berlin' });

const centsPer = (unit: string) =>
  z.number().min(0).max(WORKSPACE_LIMITS.maxCents).describe(`Cents per ${unit}`);

/** What a call costs; docs/costs.md says how a conversation's cost follows from it. */
export const rateCard = z.strictObject({
  carrierCentsPerMinute: centsPer('started minute of a connected call'),
  speechCentsPerMinute: centsPer('minute that the agent spoke'),
  languageCentsPer1kInputTokens: centsPer('1,000 tokens sent to the language model'),
  languageCentsPer1kOutputTokens: centsPer('1,000 tokens written by the language model'),
});

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00');

const dayTimes = {
  from: timeOfDay,
  to: z.union([timeOfDay, z.literal('24:00')], 'must be a time such as 18:00'),
};
const isSpan = ({ from, to }: { from: string; to: string }) => from !== to;
const NO_SPAN = { path: ['to'], message: 'must be another time than the beginning' };

/** When people are called, by their own clocks. */
export const callingHours = z
  .strictObject({
    isOn: z.boolean(),
    days: z.array(z.enum(WEEKDAYS)).min(1, 'must have a day').max(7),
    ...dayTimes,
    perDay: z
      .partialRecord(z.enum(WEEKDAYS), z.strictObject(dayTimes).refine(isSpan, NO_SPAN))
      .optional()
      .describe('Days with times of their own, where they are among `days`'),
  })
  .refine(isSpan, NO_SPAN)
  .describe('An end before the beginning is on the next day: a night belongs to the day on which it begins');

const retentionDays = z.int().min(1).max(WORKSPACE_LIMITS.maxRetentionDays).nullable();

export const workspaceSettings = z.strictObject({
  name: requiredText(WORKSPACE_LIMITS.name),
  timeZone,
  country: z
    .enum(COUNTRIES, 'must be a country such as AT')
    .nullable()
    .describe("Numbers written without a country code are of it; null: guessed from the workspace's numbers"),
  monthlyUsageLimitMinutes: z
    .int()
    .min(0)
    .max(WORKSPACE_LIMITS.maxMonthlyMinutes)
    .nullable()
    .describe('Minutes beyond which outbound calls are refused; null: no limit; 0: no outbound calls'),
  refusesIncomingAtLimit: z
    .boolean()
    .describe('Beyond the limit incoming calls are refused as well; otherwise they are taken, and counted'),
  maxConcurrentCalls: z.int().min(1).max(WORKSPACE_LIMITS.maxConcurrentCalls),
  rateCard,
  callingHours,
  hasRecordingAnnouncement: z.boolean(),
  conversationRetentionDays: retentionDays.describe('Days after which conversations are deleted; null: kept'),
  recordingRetentionDays: retentionDays.describe('The same of recordings alone'),
  recordingAnnouncement: trimmedText(WORKSPACE_LIMITS.announcement)
    .nullable()
    .transform((text) => (text === '' ? null : text))
    .describe("null: in the words of the agent's language"),
});

export const workspace = z.object({
  id: z.string(),
  ...workspaceSettings.shape,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Workspace = z.infer<typeof workspace>;

export const usage = z.object({
  month: z.string().describe('The calendar month in UTC, e.g. 2026-11'),
  resetsAt: timestamp.describe('When the next month begins'),
  usedMinutes: z.number().describe('Of calls that have ended'),
  reservedMinutes: z.number().describe('Held by calls that are queued or running'),
  limitMinutes: z.int().nullable().describe('null: no limit'),
  remainingMinutes: z.number().nullable(),
  refusesIncomingAtLimit: z.boolean(),
});
export type Usage = z.infer<typeof usage>;

export const getWorkspace = defineOperation({
  id: 'getWorkspace',
  method: 'GET',
  path: '/dashboard/workspace',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'The workspace and its limits',
  response: enveloped(workspace),
  status: 200,
});

export const updateWorkspace = defineOperation({
  id: 'updateWorkspace',
  method: 'PATCH',
  path: '/dashboard/workspace',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Change name, time zone, limits and rate card',
  description: 'Fields left out stay as they are.',
  body: withBase(workspaceSettings.partial()),
  response: enveloped(workspace),
  status: 200,
});

export const getUsage = defineOperation({
  id: 'getUsage',
  method: 'GET',
  path: '/dashboard/workspace/usage',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: "This month's minutes: used, reserved and the limit",
  response: enveloped(usage),
  status: 200,
});

export const workspaceOperations = [getWorkspace, updateWorkspace, getUsage] as const;
