import { z } from 'zod';
import type { Situation } from './situation.ts';
import { speakClock } from './opening-hours.ts';

const FIND = 'find_appointment_slots';
const SAID_TIMES = 3;

const free = z.object({
  days: z.array(z.object({ date: z.string(), times: z.array(z.string()) })),
  note: z.string().optional(),
});

/** Free times of a calendar, as they are said, and the day that they are on. */
type Offer = { spoken: string; date: string | undefined };

/** Whether appointments are made in a calendar, which alone knows what is free. */
export function hasCalendar({ has }: Situation): boolean {
  return has(FIND) && has('book_appointment');
}

/** What is free on a day, or next; undefined where the calendar cannot be asked. */
export async function offerTimes(
  { useTool }: Situation,
  date: string,
  speakDay: (date: string) => string,
): Promise<Offer | undefined> {
  const result = await useTool(FIND, { date });
  const reason = result['reason'];
  if (result['ok'] === true) return readOffer(result, speakDay);
  // "Appointments are made until …" is worth saying; that a server is down is not.
  return typeof reason === 'string' && /\d/.test(reason) && !/status/i.test(reason)
    ? { spoken: reason, date: undefined }
    : undefined;
}

/** What a calendar's answer has to offer; undefined where it has nothing. */
export function readOffer(
  result: Record<string, unknown>,
  speakDay: (date: string) => string,
): Offer | undefined {
  const read = free.safeParse(result['data']);
  if (!read.success) return undefined;
  const [day] = read.data.days;
  const parts = read.data.note === undefined ? [] : [read.data.note];
  if (!day) return { spoken: parts[0] ?? 'Nothing else is free soon.', date: undefined };
  const times = spreadOver(day.times).map(speakClock);
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(times);
  parts.push(`On ${speakDay(day.date)} I have ${list}.`);
  return { spoken: parts.join(' '), date: day.date };
}

/** The first, the last and one between. */
function spreadOver(times: readonly string[]): string[] {
  if (times.length <= SAID_TIMES) return [...times];
  return [times[0], times[Math.floor(times.length / 2)], times.at(-1)].filter((time) => time !== undefined);
}
