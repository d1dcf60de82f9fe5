import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { BUILT_IN_TOOLS } from '#lib/engine/tools/registry.ts';
import type { Env } from '#lib/env.ts';
import { AppError, notFound, validationError } from '#lib/errors.ts';
import { forgetIntegration, listAgentsNaming } from '#lib/features/agents/repository.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { assertBase } from '#lib/features/base.ts';
import { noteVersion } from '#lib/features/versions/service.ts';
import { checkWebhookUrl } from '#lib/outgoing/address-rule.ts';
import { parseAllowlist } from '#lib/outgoing/allowlist.ts';
import { checkUrl } from '#lib/outgoing/url-rule.ts';
import { deleteAppointment, findAppointment } from './appointments/repository.ts';
import { addressFault, changedFields, changeOf, isReservedName } from './change.ts';
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
  INTEGRATION_LIMITS,
  type IntegrationConfig,
  type IntegrationKind,
  sealedFor,
  type Secrets,
  tidyAddress,
  blankConfig,
  offeredTools,
  reservedNamesOf,
  toolNamesOf,
} from './rules.ts';
import { readSecrets } from './secrets.ts';
import { changeableOf, detailOf, viewOf } from './shown.ts';

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
          description: config.kind === 'calendar' ? tool.description : `${name}: ${tool.description}`,
        })),
      );
      // Calendars have tools of the same names, one of which every agent has anyway.
      const own = described.filter(({ name }, index) => {
        const isFirst = described.findIndex((each) => each.name === name) === index;
        return isFirst && !BUILT_IN_TOOLS.some((tool) => tool.name === name);
      });
      return { tools: own, integrations: rows.map(({ id, name }) => ({ id, label: name })) };
    },

    /** Throws 400 for an address that is refused, and where there are too many. */
    async create(
      actor: Actor,
      input: { name: string; kind: IntegrationKind; address: string },
    ): Promise<IntegrationDetail> {
      const address = await checkedAddress(deps, input.kind, input.address);
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
      const { kind } = await findIntegration(db, actor.workspaceId, integrationId);
      const address =
        patch.address === undefined ? undefined : await checkedAddress(deps, kind, patch.address);
      return db.transaction(async (tx) => {
        await lockToolNames(tx, actor.workspaceId);
        const before = await lockIntegration(tx, actor.workspaceId, integrationId);
        assertBase(actor, changeableOf(before, actor.base));
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

    /** Takes one off the calendar that the service keeps: its time is free again. */
    async cancelAppointment(actor: Actor, integrationId: string, appointmentId: string): Promise<null> {
      return db.transaction(async (tx) => {
        const { name } = await lockIntegration(tx, actor.workspaceId, integrationId);
        const found = await findAppointment(tx, actor.workspaceId, appointmentId);
        if (found.integrationId !== integrationId) throw notFound('Appointment');
        await deleteAppointment(tx, actor.workspaceId, appointmentId);
        await recordAudit(tx, clock, actor, {
          action: 'integration.appointment_cancelled',
          targetId: integrationId,
          data: { name, startsAt: found.startsAt.toISOString() },
        });
        return null;
      });
    },

    async remove(actor: Actor, integrationId: string): Promise<null> {
      return db.transaction(async (tx) => {
        const row = await lockIntegration(tx, actor.workspaceId, integrationId);
        const using = await listAgentsNaming(tx, actor.workspaceId, integrationId);
        await forgetIntegration(tx, actor.workspaceId, { integrationId, updatedAt: clock.now() });
        for (const { id } of using) await noteVersion(tx, deps, actor, id);
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
  assertAllowed(deps, from, address);
  const now = deps.clock.now();
  const config = blankConfig(from.kind, address);
  const blank = { id, name: from.name, kind: from.kind, isOn: from.isOn, config, sealedSecrets: null };
  const before = existing?.kind === from.kind ? existing : blank;
  const isSameServer = sealedFor(id, config) === sealedFor(id, before.config);
  const isKept = existing && !from.reset && isSameServer;
  const kept = isKept ? (readSecrets(deps.sealer, existing) ?? {}) : {};
  const patch = {
    name: from.name,
    isOn: from.isOn,
    address,
    ...patchOf(from, { kept, before: before.config }),
  };
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

/** By the form of the addresses alone: a start waits for no network. */
function assertAllowed(deps: IntegrationDeps, from: ProvisionedIntegration, address: string): void {
  const calendarUrl = from.kind === 'calendar' ? from.calendarUrl : null;
  const urls = [...(address === '' ? [] : [address]), ...(calendarUrl === null ? [] : [calendarUrl])];
  for (const url of urls) {
    const target = checkUrl(url, parseAllowlist(deps.env.webhookAllowlist));
    const fault = target.ok ? addressFault(url) : target.reason;
    if (fault !== undefined) throw new Error(`integration ${from.name}: address: ${fault}`);
  }
}

/** What of a file's entry is a change: secrets that are kept stay. */
function patchOf(
  from: ProvisionedIntegration,
  { kept, before }: { kept: Secrets; before: IntegrationConfig },
): Parameters<typeof changeOf>[2] {
  if (from.kind === 'calendar') {
    const { userName, password, calendarUrl, settings } = from;
    const known = before.kind === 'calendar' ? before.calendars : [];
    const isListed = calendarUrl === null || known.some(({ url }) => url === calendarUrl);
    const isKept =
      before.kind === 'calendar' && before.userName === userName && kept['Authorization'] !== undefined;
    return {
      calendar: {
        ...settings,
        userName,
        ...(isKept || password === undefined ? {} : { password }),
        ...(calendarUrl === null ? {} : { calendarUrl }),
      },
      calendars: isListed ? known : [...known, { url: calendarUrl, name: calendarUrl }],
    };
  }
  const headers = from.headers.map((header) => {
    const isKept = header.isSecret && kept[header.name] !== undefined;
    return isKept ? { ...header, value: null } : header;
  });
  return { headers, ...(from.kind === 'http' ? { tools: from.tools } : { mcpTools: from.tools }) };
}

async function checkedAddress(deps: IntegrationDeps, kind: IntegrationKind, given: string): Promise<string> {
  const address = tidyAddress(given);
  if (kind === 'calendar' && address === '') return address;
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
  if (config.kind === 'calendar') return;
  const problems = toolNamesOf(config).flatMap((name, index) => {
    const other = others.find((row) => reservedNamesOf(row.config).includes(name));
    const isBuiltIn = isReservedName(name);
    if (!other && !isBuiltIn) return [];
    const owner = other ? `the integration ${other.name}` : 'every agent';
    return [{ field: `tools.${index}.name`, reason: `is a tool of ${owner} already` }];
  });
  if (problems.length > 0) throw validationError(problems);
}
