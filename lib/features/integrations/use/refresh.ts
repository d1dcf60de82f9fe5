import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import type { Sender } from '#lib/outgoing/sender.ts';
import type { RefreshedTools } from '../contract.ts';
import { CALDAV_TIMEOUT_MS, listCalendars } from '../calendar/caldav.ts';
import { headersOf } from '../http/used.ts';
import { refreshTools } from '../mcp/tool.ts';
import { listTools } from '../mcp/use-mcp.ts';
import {
  findIntegration,
  type IntegrationRow,
  listIntegrations,
  lockIntegration,
  lockToolNames,
  updateIntegration,
} from '../repository.ts';
import { isReservedName } from '../change.ts';
import { type CalendarConfig, type McpConfig, reservedNamesOf, type Secrets } from '../rules.ts';
import { readSecrets, UNREADABLE } from '../secrets.ts';
import { noteHealth } from './health.ts';

type RefreshDeps = Pick<Dependencies, 'db' | 'clock' | 'sealer'> & { sender: Sender };

/**
 * Asks an MCP server for its tools, a CalDAV server for its calendars. A tool that is new, or describes itself anew, is not
 * chosen. Throws 400 INVALID_STATE where
 * the server cannot be asked.
 */
export async function refreshIntegration(
  deps: RefreshDeps,
  actor: Actor,
  integrationId: string,
): Promise<RefreshedTools | null> {
  const asked = await findIntegration(deps.db, actor.workspaceId, integrationId);
  const { config } = asked;
  const secrets = readSecrets(deps.sealer, asked);
  if (!secrets) throw new AppError('INVALID_STATE', UNREADABLE);
  if (config.kind === 'mcp') return refreshMcp(deps, actor, { ...asked, config, secrets });
  if (config.kind !== 'calendar' || config.address === '')
    throw new AppError('INVALID_STATE', 'It has no server that could be asked');
  await refreshCalendar(deps, actor, { ...asked, config, secrets });
  return null;
}

type Asked<Config> = IntegrationRow & { config: Config; secrets: Secrets };

/** The calendars of a server; where there is only one, it is chosen. */
async function refreshCalendar(deps: RefreshDeps, actor: Actor, asked: Asked<CalendarConfig>): Promise<void> {
  const { db, clock, sender } = deps;
  const { workspaceId } = actor;
  const headers = headersOf(asked.config, asked.secrets);
  const { address } = asked.config;
  const listed = await listCalendars({ sender, address, headers, timeoutMs: CALDAV_TIMEOUT_MS });
  if (!listed.ok) return refuse(deps, actor, asked, listed.reason);
  const { calendars } = listed;
  if (calendars.length === 0)
    return refuse(deps, actor, asked, 'The server has no calendar to which this user may add events.');
  await db.transaction(async (tx) => {
    const row = await lockIntegration(tx, workspaceId, asked.id);
    if (row.config.kind !== 'calendar' || row.config.address !== address) throw changedMeanwhile();
    const now = clock.now();
    const { calendarUrl: before } = row.config;
    const kept =
      calendars.find(({ url }) => url === before) ?? (calendars.length === 1 ? calendars[0] : undefined);
    const config = {
      ...row.config,
      calendars,
      calendarUrl: kept?.url ?? null,
      refreshedAt: now.toISOString(),
    };
    await updateIntegration(tx, workspaceId, row.id, { config, fault: null, faultAt: null, updatedAt: now });
    const data = { name: row.name, calendars: calendars.length };
    await recordAudit(tx, clock, actor, { action: 'integration.refreshed', targetId: row.id, data });
  });
}

async function refuse(
  deps: RefreshDeps,
  actor: Actor,
  asked: IntegrationRow,
  reason: string,
): Promise<never> {
  await noteHealth(deps, actor, asked, reason);
  throw new AppError('INVALID_STATE', reason);
}

const changedMeanwhile = () => new AppError('INVALID_STATE', 'Its address was changed meanwhile: ask again');

async function refreshMcp(deps: RefreshDeps, actor: Actor, asked: Asked<McpConfig>): Promise<RefreshedTools> {
  const { db, clock, sender } = deps;
  const { id: integrationId } = asked;
  const listing = await listTools(sender, asked);
  if (!listing.ok) return refuse(deps, actor, asked, listing.reason);
  return db.transaction(async (tx) => {
    await lockToolNames(tx, actor.workspaceId);
    const row = await lockIntegration(tx, actor.workspaceId, integrationId);
    if (row.config.kind !== 'mcp' || row.config.address !== asked.config.address) throw changedMeanwhile();
    const all = await listIntegrations(tx, actor.workspaceId);
    const others = all.filter(({ id }) => id !== row.id).flatMap(({ config }) => reservedNamesOf(config));
    const taken = new Set(others);
    const isTaken = (name: string) => taken.has(name) || isReservedName(name);
    const { tools, ...told } = refreshTools(row.config.tools, listing.tools, { prefix: row.name, isTaken });
    const now = clock.now();
    const { protocolVersion } = listing;
    const config: McpConfig = { ...row.config, tools, protocolVersion, refreshedAt: now.toISOString() };
    await updateIntegration(tx, actor.workspaceId, row.id, {
      config,
      fault: null,
      faultAt: null,
      updatedAt: now,
    });
    const { added, changed, gone } = told;
    await recordAudit(tx, clock, actor, {
      action: 'integration.refreshed',
      targetId: row.id,
      data: { name: row.name, added, changed, gone },
    });
    return told;
  });
}
