import type { CallPlan, WorkspaceTool } from '#lib/engine/plan.ts';
import type { ListedCalendar } from './calendar/caldav.ts';
import { type CalendarSettings, DEFAULT_SETTINGS } from './calendar/settings.ts';
import { CALENDAR_TOOLS } from './calendar/tools.ts';
import type { HttpTool } from './http/tool.ts';
import type { McpTool } from './mcp/tool.ts';

export const INTEGRATION_KINDS = ['http', 'mcp', 'calendar'] as const;
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number];

/** `failing`: the last use did not work, or its secrets have to be entered again. */
export const INTEGRATION_STATES = ['active', 'off', 'failing'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

export const INTEGRATION_LIMITS = {
  perWorkspace: 100,
  name: 80,
  address: 2048,
  headers: 20,
  headerName: 100,
  headerValue: 4096,
  tools: 60,
  /** What one agent is offered: more than that confuses every model. */
  toolsPerAgent: 100,
} as const;

/** `value` is null where the value is a secret, which is sealed beside the configuration. */
export type StoredHeader = { name: string; value: string | null };

/** What stands behind every kind with a server. */
type Server = { address: string; headers: StoredHeader[] };

export type HttpConfig = Server & { kind: 'http'; tools: HttpTool[] };
/** `tools`: as the server described them at `refreshedAt`; what it says later counts when somebody asks it anew. */
export type McpConfig = Server & {
  kind: 'mcp';
  tools: McpTool[];
  refreshedAt: string | null;
  protocolVersion: string | null;
};
/** `address`: of a CalDAV server; empty where the service keeps the appointments itself, by the opening hours alone. */
export type CalendarConfig = Server & {
  kind: 'calendar';
  userName: string;
  /** Those that the server listed at `refreshedAt`, and the one that is used. */
  calendars: ListedCalendar[];
  calendarUrl: string | null;
  refreshedAt: string | null;
  settings: CalendarSettings;
};
export type IntegrationConfig = HttpConfig | McpConfig | CalendarConfig;

export type Secrets = Record<string, string>;

/** Headers that belong to the request itself, or to the way between two machines. */
const OWN_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|accept-encoding|content-type)$/i;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** Why a header cannot be sent; undefined where it can. */
export function headerFault(header: { name: string; value: string | null }): string | undefined {
  if (!HEADER_NAME.test(header.name)) return 'is not the name of a header';
  if (OWN_HEADERS.test(header.name)) return 'is set by the service itself';
  if (header.value !== null && !HEADER_VALUE.test(header.value))
    return 'may have visible characters of ASCII only, on one line';
  return undefined;
}

/** Where secrets are sealed for: the row and the server, so that they are never sent to another one. */
export function sealedFor(integrationId: string, config: Pick<Server, 'address'>): string {
  return `integration ${integrationId} ${URL.parse(config.address)?.origin ?? ''}`;
}

export const NO_CALENDAR = 'No calendar is chosen yet.';

/** Whether a calendar can be used: with a server, one of its calendars has to be chosen. */
export function isCalendarReady({ address, calendarUrl }: CalendarConfig): boolean {
  return address === '' || calendarUrl !== null;
}

export function hasSecrets(config: IntegrationConfig): boolean {
  return config.headers.some((header) => header.value === null);
}

/** What people and other systems see of it at a glance. */
export function stateOf(
  row: { isOn: boolean; fault: string | null },
  hasReadableSecrets: boolean,
): IntegrationState {
  if (!row.isOn) return 'off';
  return row.fault === null && hasReadableSecrets ? 'active' : 'failing';
}

/** The address without a slash at its end, so that what follows begins with one. */
export function tidyAddress(address: string): string {
  return address.trim().replace(/\/+$/, '');
}

/** A new integration, with nothing in it. */
export function blankConfig(kind: IntegrationKind, address: string): IntegrationConfig {
  const server = { address, headers: [] };
  if (kind === 'http') return { ...server, kind, tools: [] };
  if (kind === 'mcp') return { ...server, kind, tools: [], refreshedAt: null, protocolVersion: null };
  const none = { userName: '', calendars: [], calendarUrl: null, refreshedAt: null };
  return { ...server, ...none, kind, settings: DEFAULT_SETTINGS };
}

/** The names by which agents know what an integration can do. */
export function toolNamesOf(config: IntegrationConfig): string[] {
  return offeredTools(config).map((tool) => tool.name);
}

/** The names that no other integration may give its tools: those that may be chosen later, too. */
export function reservedNamesOf(config: IntegrationConfig): string[] {
  // Those of calendars are the same for all, and nobody else's anyway.
  return config.kind === 'calendar' ? [] : config.tools.map((tool) => tool.name);
}

/** What agents are offered. */
export function offeredTools(config: IntegrationConfig): readonly Omit<WorkspaceTool, 'integrationId'>[] {
  if (config.kind === 'calendar') return CALENDAR_TOOLS;
  if (config.kind === 'http') return config.tools;
  return config.tools.filter((tool) => tool.isChosen).map((tool) => ({ ...tool, meanwhile: null }));
}

type Offered = { id: string; isOn: boolean; config: IntegrationConfig };

/** What an agent that names `wantedIds` may use on a call, and what of it is not there. */
export function offeredBy(
  wantedIds: readonly string[],
  found: readonly Offered[],
): Pick<CallPlan, 'workspaceTools' | 'missingIntegrations'> {
  const wanted = [...new Set(wantedIds)].map((id) => ({ id, row: found.find((each) => each.id === id) }));
  const [, ...others] = wanted.filter(({ row }) => row?.isOn === true && row.config.kind === 'calendar');
  // Both would have tools of the same names.
  const unused = new Set(others.map(({ id }) => id));
  return {
    workspaceTools: wanted
      .flatMap(({ id, row }) => (row?.isOn && !unused.has(id) ? toolsOf(row) : []))
      .slice(0, INTEGRATION_LIMITS.toolsPerAgent),
    missingIntegrations: wanted.flatMap(({ id: integrationId, row }) => {
      if (row?.isOn && !unused.has(integrationId)) return [];
      return [{ integrationId, reason: row ? (row.isOn ? 'second_calendar' : 'off') : 'unknown' }];
    }),
  };
}

function toolsOf({ id: integrationId, config }: Offered): WorkspaceTool[] {
  return offeredTools(config).map(({ name, description, parameters, meanwhile }) => ({
    name,
    description,
    parameters,
    integrationId,
    meanwhile,
  }));
}
