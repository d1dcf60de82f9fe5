import ICAL from 'ical.js';
import type { Interval } from './slots.ts';

/** An appointment as a calendar keeps it. */
export type NewEvent = Interval & { uid: string; title: string; description: string; nowMs: number };

/** The text of an event (RFC 5545). Times are UTC: every program shows them by its own clock. */
export function writeEvent({ uid, title, description, startMs, endMs, nowMs }: NewEvent): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.updatePropertyWithValue('version', '2.0');
  calendar.updatePropertyWithValue('prodid', '-//Callwright//Appointments//EN');
  const event = new ICAL.Component('vevent');
  event.updatePropertyWithValue('uid', uid);
  event.updatePropertyWithValue('dtstamp', utc(nowMs));
  event.updatePropertyWithValue('dtstart', utc(startMs));
  event.updatePropertyWithValue('dtend', utc(endMs));
  event.updatePropertyWithValue('summary', title);
  if (description !== '') event.updatePropertyWithValue('description', description);
  event.updatePropertyWithValue('status', 'CONFIRMED');
  event.updatePropertyWithValue('transp', 'OPAQUE');
  calendar.addSubcomponent(event);
  return `${calendar.toString()}\r\n`;
}

function utc(ms: number): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(ms), true);
}
