import { validationError } from '#lib/errors.ts';
import type { HeaderInput } from '../fields/contract.ts';
import type { CalendarConfig, IntegrationConfig } from '../rules.ts';
import type { ListedCalendar } from './caldav.ts';
import type { CalendarPatch } from './fields.ts';

type Patch = { calendar?: CalendarPatch | undefined; calendars?: ListedCalendar[] };

/** A calendar after a change. Throws 400 for a calendar that its server has not listed: the password would go there. */
export function calendarAfter(config: CalendarConfig, addressBefore: string, patch: Patch): CalendarConfig {
  const { userName, password: _, calendarUrl, ...settings } = patch.calendar ?? {};
  const isSame = originOf(config.address) === originOf(addressBefore);
  const calendars = patch.calendars ?? (isSame ? config.calendars : []);
  const kept = calendars.some(({ url }) => url === config.calendarUrl) ? config.calendarUrl : null;
  const chosen = calendarUrl === undefined ? kept : calendarUrl;
  if (chosen !== null && !calendars.some(({ url }) => url === chosen))
    throw validationError([
      { field: 'calendar.calendarUrl', reason: 'is no calendar that the server lists' },
    ]);
  return {
    ...config,
    userName: userName ?? config.userName,
    calendars,
    calendarUrl: config.address === '' ? null : chosen,
    settings: { ...config.settings, ...given(settings) },
  };
}

/**
 * The header that signs in, where it changes. Throws 400 where the password has to be entered again: for another user or
 * another server.
 */
export function calendarHeaders(
  config: CalendarConfig,
  before: IntegrationConfig,
  { calendar = {} }: Patch,
): HeaderInput[] | undefined {
  if (config.address === '') return [];
  const { password } = calendar;
  const hadPassword = before.headers.length > 0;
  const userBefore = before.kind === 'calendar' ? before.userName : '';
  if (typeof password === 'string') {
    if (password === '') return [];
    const value = `Basic ${Buffer.from(`${config.userName}:${password}`).toString('base64')}`;
    return [{ name: 'Authorization', value, isSecret: true }];
  }
  const isSame = originOf(config.address) === originOf(before.address) && config.userName === userBefore;
  if (!hadPassword || isSame) return undefined;
  const reason = 'has to be entered again: it is kept for one user of one server only';
  throw validationError([{ field: 'calendar.password', reason }]);
}

function given(settings: object): object {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function originOf(address: string): string | undefined {
  return URL.parse(address)?.origin;
}
