import type { Actor } from '#lib/auth/actor.ts';
import { findWorkspace } from '#lib/features/workspaces/repository.ts';
import { CALDAV_TIMEOUT_MS } from '../calendar/caldav.ts';
import { FIND_SLOTS } from '../calendar/tools.ts';
import { failed, headersOf, maskedHeaders, type Used } from '../http/used.ts';
import type { IntegrationRow } from '../repository.ts';
import { type CalendarConfig, isCalendarReady, NO_CALENDAR, type Secrets } from '../rules.ts';
import { bookSlot } from './book.ts';
import {
  type CalendarAnswer,
  type CalendarDeps,
  type CalendarUse,
  findSlots,
  type ToolCall,
} from './free.ts';

/** Lists free times of a calendar, or books one. */
export async function runCalendarTool(
  deps: CalendarDeps,
  given: {
    actor: Actor;
    row: IntegrationRow;
    config: CalendarConfig;
    secrets: Secrets;
    call: ToolCall | undefined;
  },
  { toolName, args }: { toolName: string; args: unknown },
): Promise<Used> {
  const { actor, row, config, secrets, call } = given;
  if (!isCalendarReady(config)) return { heard: failed(NO_CALENDAR) };
  const startedAt = performance.now();
  const { sender } = deps;
  const { calendarUrl, settings } = config;
  const headers = headersOf(config, secrets);
  const timeZone = settings.timeZone ?? (await findWorkspace(deps.db, actor.workspaceId))?.timeZone ?? 'UTC';
  const answer = await useIt({
    deps,
    actor,
    title: settings.title,
    call,
    rules: { ...settings, timeZone },
    integrationId: row.id,
    server:
      calendarUrl === null
        ? null
        : { sender, address: config.address, headers, timeoutMs: CALDAV_TIMEOUT_MS, calendarUrl },
    calendarKey: `${actor.workspaceId} ${calendarUrl ?? row.id}`,
  });
  // Arguments that do not fit are told, and nobody was asked.
  const isAsked = answer.heard.ok || answer.fault !== undefined || answer.heard.data !== undefined;
  if (calendarUrl === null || !isAsked) return { heard: answer.heard };
  return {
    heard: answer.heard,
    sent: {
      request: {
        method: toolName === FIND_SLOTS ? 'REPORT' : 'PUT',
        url: calendarUrl,
        headers: maskedHeaders(headers, secrets),
        body: '',
      },
      status: null,
      durationMs: Math.round(performance.now() - startedAt),
      answer: null,
      fault: answer.fault ?? null,
    },
  };

  function useIt(use: CalendarUse): Promise<CalendarAnswer> {
    return toolName === FIND_SLOTS ? findSlots(use, args) : bookSlot(use, args);
  }
}
