import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Env } from '#lib/env.ts';
import { AppError, validationError } from '#lib/errors.ts';
import { listAgentsNaming } from '#lib/features/agents/repository.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { checkWebhookUrl } from '#lib/outgoing/address-rule.ts';
import { parseAllowlist } from '#lib/outgoing/allowlist.ts';
import { checkUrl } from '#lib/outgoing/url-rule.ts';
import { addressFault, asInput, changedFields, changeOf, isReservedName } from './change.ts';
import type { IntegrationDetail, IntegrationPatch, IntegrationView } from './contract.ts';
import type { ProvisionedIntegration } from './provisioned/contract.ts';
import {
  countIntegrations,
  deleteIntegration,
  findIntegration,
  insertIntegration,
  type IntegrationRow,
  listIntegrations,
  lockIntegration,
  lockToolNames,
  updateIntegration,
} from './repository.ts';
import {
  hasSecrets,
  INTEGRATION_LIMITS,
  type IntegrationConfig,
  type IntegrationKind,
  sealedFor,
  stateOf,
  tidyAddress,
  blankConfig,
  offeredTools,
  reservedNamesOf,
  toolNamesOf,
} from './rules.ts';
import { readSecrets } from './secrets.ts';

export type IntegrationDeps = Pick<Dependencies, 'db' | 'clock' | 'ids' | 'sealer'> & {
  env: Pick<Env, 'webhookAllowlist'>;
};

export type IntegrationService = ReturnType<typeof createIntegrationService>;

/** The workspace's integrations: what its agents can use outside of the conversation. Secrets go in and never out. */
export function createIntegrationService(deps: IntegrationDeps) {
  const { db, clock, ids } = deps;

  return {
    list: async (actor: Actor): Promise<IntegrationView[]> =>
      (await listIntegrations(db, actor.workspaceId)).map((row) => viewOf(deps, row)),

    get: async (actor: Actor, integrationId: string): Promise<IntegrationDetail> =>
      detailOf(deps, actor, await findIntegration(db, actor.workspaceId, integrationId)),

    /** What a person may choose among: the tools of all integrations, and the integrations themselves. */
    async catalog(actor: Actor) {
      const rows = await listIntegrations(db, actor.workspaceId);
      const described = rows.flatMap(({ name, config }) =>
        offeredTools(config).map((tool) => ({
          name: tool.name,
          description: `${name}: ${tool.description}`,
        })),
      );
      return { tools: described, integrations: rows.map(({ id, name }) => ({ id, label: name })) };
    },

    /** Throws 400 for an address that is refused, and where there are too many. */
    async create(
      actor: Actor,
      input: { name: string; kind: IntegrationKind; address: string },
    ): Promise<IntegrationDetail> {
      const address = await checkedAddress(deps, input.address);
      return db.transaction(async (tx) => {
        if ((await countIntegrations(tx, actor.workspaceId)) >= INTEGRATION_LIMITS.perWorkspace)
          throw new AppError(
            'INVALID_STATE',
            `A workspace has at most ${INTEGRATION_LIMITS.perWorkspace} integrations`,
          );
        const now = clock.now();
        const id = ids.next('int');
        const config = blankConfig(input.kind, address);
        const row = { id, name: input.name, kind: input.kind, config, createdAt: now, updatedAt: now };
        await insertIntegration(tx, actor.workspaceId, row);
        await recordAudit(tx, clock, actor, {
          action: 'integration.created',
          targetId: id,
          data: { name: input.name, kind: input.kind },
        });
        return detailOf({ ...deps, db: tx }, actor, await findIntegration(tx, actor.workspaceId, id));
      });
    },

    /**
     * Fields left out stay. Throws 400 where a tool's name is taken, and where the address leads to another server while a
     * secret was not entered again: it must not be sent there.
     */
    async update(actor: Actor, integrationId: string, patch: IntegrationPatch): Promise<IntegrationDetail> {
      const address = patch.address === undefined ? undefined : await checkedAddress(deps, patch.address);
      return db.transaction(async (tx) => {
        await lockToolNames(tx, actor.workspaceId);
        const before = await lockIntegration(tx, actor.workspaceId, integrationId);
        const change = changeOf(deps.sealer, before, { ...patch, address });
        await assertFreeNames(tx, actor, { integrationId, config: change.config });
        const fields = changedFields(before, change);
        if (fields.length > 0) {
          await updateIntegration(tx, actor.workspaceId, integrationId, {
            ...change,
            fault: null,
            faultAt: null,
            updatedAt: clock.now(),
          });
          // Names of fields alone: an address or a header may hold what not every admin of tomorrow is to read.
          const data = { name: change.name, fields };
          await recordAudit(tx, clock, actor, {
            action: 'integration.updated',
            targetId: integrationId,
            data,
          });
        }
        return detailOf(
          { ...deps, db: tx },
          actor,
          await findIntegration(tx, actor.workspaceId, integrationId),
        );
      });
    },

    /** Makes one what a provision file says, in its transaction. The address is checked by its form alone, without the network. */
    apply: (
      tx: Database,
      actor: Actor,
      wanted: { id: string; existing: IntegrationRow | undefined; from: ProvisionedIntegration },
    ) => applyProvisioned(deps, tx, { ...wanted, actor }),

    async remove(actor: Actor, integrationId: string): Promise<null> {
      return db.transaction(async (tx) => {
        const row = await lockIntegration(tx, actor.workspaceId, integrationId);
        await deleteIntegration(tx, actor.workspaceId, integrationId);
        const data = { name: row.name };
        await recordAudit(tx, clock, actor, { action: 'integration.deleted', targetId: integrationId, data });
        return null;
      });
    },
  };
}

async function applyProvisioned(
  deps: IntegrationDeps,
  tx: Database,
  given: { actor: Actor; id: string; existing: IntegrationRow | undefined; from: ProvisionedIntegration },
): Promise<{ kind: 'created' | 'updated' | 'unchanged'; fields: string[] }> {
  const { actor, id, existing, from } = given;
  const { workspaceId } = actor;
  const address = tidyAddress(from.address);
  const target = checkUrl(address, parseAllowlist(deps.env.webhookAllowlist));
  const fault = target.ok ? addressFault(address) : target.reason;
  if (fault !== undefined) throw new Error(`integration ${from.name}: address: ${fault}`);
  const now = deps.clock.now();
  const config = blankConfig(from.kind, address);
  const blank = { id, name: from.name, kind: from.kind, isOn: from.isOn, config, sealedSecrets: null };
  const before = existing ?? blank;
  const kept = existing && !from.reset ? (readSecrets(deps.sealer, existing) ?? {}) : {};
  const isSameServer = sealedFor(id, config) === sealedFor(id, before.config);
  const headers = from.headers.map((header) => {
    const isKept = header.isSecret && isSameServer && kept[header.name] !== undefined;
    return isKept ? { ...header, value: null } : header;
  });
  const tools = from.kind === 'http' ? { tools: from.tools } : { mcpTools: from.tools };
  const patch = { name: from.name, isOn: from.isOn, address, headers, ...tools };
  const change = changeOf(deps.sealer, before, patch);
  await assertFreeNames(tx, actor, { integrationId: id, config: change.config });
  if (!existing) {
    const row = { ...change, id, kind: from.kind, createdAt: now, updatedAt: now };
    await insertIntegration(tx, workspaceId, row);
    return { kind: 'created', fields: [] };
  }
  const fields = changedFields(before, change);
  if (fields.length === 0) return { kind: 'unchanged', fields };
  await updateIntegration(tx, workspaceId, id, { ...change, updatedAt: now });
  return { kind: 'updated', fields };
}

async function checkedAddress(deps: IntegrationDeps, given: string): Promise<string> {
  const address = tidyAddress(given);
  const refuse = (reason: string) => validationError([{ field: 'address', reason }]);
  const decision = await checkWebhookUrl(address, { allowlist: deps.env.webhookAllowlist });
  if (!decision.ok) throw refuse(decision.reason);
  const fault = addressFault(address);
  if (fault !== undefined) throw refuse(fault);
  return address;
}

/** An agent knows its tools by their names alone, so no two of a workspace may have one. */
async function assertFreeNames(
  tx: Database,
  actor: Actor,
  { integrationId, config }: { integrationId: string; config: IntegrationConfig },
): Promise<void> {
  const others = (await listIntegrations(tx, actor.workspaceId)).filter((row) => row.id !== integrationId);
  const problems = toolNamesOf(config).flatMap((name, index) => {
    const other = others.find((row) => reservedNamesOf(row.config).includes(name));
    const isBuiltIn = isReservedName(name);
    if (!other && !isBuiltIn) return [];
    const owner = other ? `the integration ${other.name}` : 'every agent';
    return [{ field: `tools.${index}.name`, reason: `is a tool of ${owner} already` }];
  });
  if (problems.length > 0) throw validationError(problems);
}

function viewOf({ sealer }: Pick<IntegrationDeps, 'sealer'>, row: IntegrationRow): IntegrationView {
  const { id, name, kind } = row;
  const hasReadableSecrets = !hasSecrets(row.config) || readSecrets(sealer, row) !== undefined;
  return { id, name, kind, state: stateOf(row, hasReadableSecrets), toolNames: toolNamesOf(row.config) };
}

async function detailOf(
  deps: IntegrationDeps,
  actor: Actor,
  row: IntegrationRow,
): Promise<IntegrationDetail> {
  const { config } = row;
  const hasReadableSecrets = !hasSecrets(config) || readSecrets(deps.sealer, row) !== undefined;
  return {
    ...viewOf(deps, row),
    isOn: row.isOn,
    address: config.address,
    headers: config.headers.map(asInput),
    tools: config.kind === 'http' ? config.tools : [],
    mcpTools: config.kind === 'mcp' ? config.tools : [],
    refreshedAt: config.kind === 'mcp' ? config.refreshedAt : null,
    fault: hasReadableSecrets
      ? row.fault
      : 'Its secrets cannot be read any more, because AUTH_SECRET has changed: enter them again.',
    faultAt: row.faultAt?.toISOString() ?? null,
    agents: await listAgentsNaming(deps.db, actor.workspaceId, row.id),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
