import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import type { Sender } from '#lib/outgoing/sender.ts';
import type { RefreshedTools } from '../contract.ts';
import { refreshTools } from '../mcp/tool.ts';
import { listTools } from '../mcp/use-mcp.ts';
import {
  findIntegration,
  listIntegrations,
  lockIntegration,
  lockToolNames,
  updateIntegration,
} from '../repository.ts';
import { isReservedName } from '../change.ts';
import { type McpConfig, reservedNamesOf } from '../rules.ts';
import { readSecrets, UNREADABLE } from '../secrets.ts';
import { noteHealth } from './health.ts';

type RefreshDeps = Pick<Dependencies, 'db' | 'clock' | 'sealer'> & { sender: Sender };

/**
 * Asks an MCP server for its tools. What is new, or describes itself anew, is not chosen. Throws 400 INVALID_STATE where
 * the server cannot be asked.
 */
export async function refreshIntegration(
  deps: RefreshDeps,
  actor: Actor,
  integrationId: string,
): Promise<RefreshedTools> {
  const { db, clock, sealer, sender } = deps;
  const asked = await findIntegration(db, actor.workspaceId, integrationId);
  if (asked.config.kind !== 'mcp')
    throw new AppError('INVALID_STATE', 'Only an MCP server can be asked for its tools');
  const secrets = readSecrets(sealer, asked);
  if (!secrets) throw new AppError('INVALID_STATE', UNREADABLE);
  const listing = await listTools(sender, { config: asked.config, secrets });
  if (!listing.ok) {
    await noteHealth(deps, actor, asked, listing.reason);
    throw new AppError('INVALID_STATE', listing.reason);
  }
  return db.transaction(async (tx) => {
    await lockToolNames(tx, actor.workspaceId);
    const row = await lockIntegration(tx, actor.workspaceId, integrationId);
    if (row.config.kind !== 'mcp' || row.config.address !== asked.config.address)
      throw new AppError('INVALID_STATE', 'Its address was changed meanwhile: ask again');
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
