import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Base } from '#lib/http/base.ts';
import { listAgentsNaming } from '#lib/features/agents/repository.ts';
import { findWorkspace } from '#lib/features/workspaces/repository.ts';
import { listAppointments } from './appointments/repository.ts';
import type { ShownCalendar } from './calendar/fields.ts';
import { asInput } from './change.ts';
import type { IntegrationDetail, IntegrationView } from './contract.ts';
import type { IntegrationRow } from './repository.ts';
import {
  type CalendarConfig,
  hasSecrets,
  isCalendarReady,
  NO_CALENDAR,
  stateOf,
  toolNamesOf,
} from './rules.ts';
import { readSecrets } from './secrets.ts';

type ShownDeps = Pick<Dependencies, 'db' | 'clock' | 'sealer'>;

const SHOWN_APPOINTMENTS = 100;

/** How other systems and lists see it. */
export function viewOf({ sealer }: Pick<ShownDeps, 'sealer'>, row: IntegrationRow): IntegrationView {
  const { id, name, kind, config } = row;
  const isReady = hasReadableSecrets(sealer, row) && (config.kind !== 'calendar' || isCalendarReady(config));
  return { id, name, kind, state: stateOf(row, isReady), toolNames: toolNamesOf(config) };
}

/** How its own page shows it; secrets are left out. */
export async function detailOf(
  deps: ShownDeps,
  actor: Actor,
  row: IntegrationRow,
): Promise<IntegrationDetail> {
  const { config } = row;
  return {
    ...viewOf(deps, row),
    isOn: row.isOn,
    address: config.address,
    headers: config.kind === 'calendar' ? [] : config.headers.map(asInput),
    tools: config.kind === 'http' ? config.tools : [],
    mcpTools: config.kind === 'mcp' ? config.tools : [],
    calendar: config.kind === 'calendar' ? await calendarOf(deps, actor, { ...row, config }) : null,
    refreshedAt: config.kind === 'http' ? null : config.refreshedAt,
    fault: faultOf(deps, row),
    faultAt: row.faultAt?.toISOString() ?? null,
    agents: await listAgentsNaming(deps.db, actor.workspaceId, row.id),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What a form may have read of it, secrets left out; of a calendar the fields that `base` names. */
export function changeableOf({ name, isOn, config }: IntegrationRow, base: Base = {}): Base {
  const shown = { name, isOn, address: config.address };
  if (config.kind === 'mcp') {
    const chosen = config.tools.filter(({ isChosen }) => isChosen).map((tool) => tool.name);
    return { ...shown, headers: config.headers.map(asInput), chosenTools: chosen.toSorted() };
  }
  if (config.kind === 'http') return { ...shown, headers: config.headers.map(asInput), tools: config.tools };
  const { userName, calendarUrl, settings } = config;
  const fields = new Map(Object.entries({ userName, calendarUrl, ...settings }));
  const asked = Object.keys(base['calendar'] ?? {}).map((field) => [field, fields.get(field)] as const);
  return { ...shown, calendar: Object.fromEntries(asked) };
}

function faultOf({ sealer }: ShownDeps, row: IntegrationRow): string | null {
  if (!hasReadableSecrets(sealer, row))
    return 'Its secrets cannot be read any more, because AUTH_SECRET has changed: enter them again.';
  return row.fault ?? (row.config.kind === 'calendar' && !isCalendarReady(row.config) ? NO_CALENDAR : null);
}

async function calendarOf(
  { db, clock }: ShownDeps,
  { workspaceId }: Actor,
  { id, config }: { id: string; config: CalendarConfig },
): Promise<ShownCalendar> {
  const { userName, calendarUrl, calendars, settings } = config;
  const within = { integrationId: id, now: clock.now(), limit: SHOWN_APPOINTMENTS };
  const rows = await listAppointments(db, workspaceId, within);
  const usedTimeZone = settings.timeZone ?? (await findWorkspace(db, workspaceId))?.timeZone ?? 'UTC';
  const appointments = rows.map(({ startsAt, endsAt, callId, ...each }) => ({
    id: each.id,
    title: each.title,
    phone: each.phone,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    conversationId: callId,
  }));
  const hasPassword = hasSecrets(config);
  return { userName, hasPassword, calendarUrl, calendars, settings, usedTimeZone, appointments };
}

function hasReadableSecrets(sealer: ShownDeps['sealer'], row: IntegrationRow): boolean {
  return !hasSecrets(row.config) || readSecrets(sealer, row) !== undefined;
}
