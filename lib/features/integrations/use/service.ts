import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { UseWorkspaceTool } from '#lib/engine/plan.ts';
import { isAppError, validationError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { describeError } from '#lib/log.ts';
import type { Sender } from '#lib/outgoing/sender.ts';
import type { TriedUse } from '../contract.ts';
import { readOpenApiDocument } from '../openapi/read.ts';
import { findIntegration, type IntegrationRow } from '../repository.ts';
import { toolNamesOf } from '../rules.ts';
import { createIntegrationService, type IntegrationDeps } from '../service.ts';
import { readSecrets, UNREADABLE } from '../secrets.ts';
import { useHttpTool } from '../http/use-http.ts';
import { useMcpTool } from '../mcp/use-mcp.ts';
import { failed, type Used } from '../http/used.ts';
import { runCalendarTool } from './calendar.ts';
import type { ToolCall } from './free.ts';
import { noteHealth } from './health.ts';
import { refreshIntegration } from './refresh.ts';

type UseDeps = Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log' | 'sealer'> & { sender: Sender };

const GONE = 'This tool is not there any more.';

/** The records, and what agents do with them. */
export function createIntegrations<Search>(deps: UseDeps & IntegrationDeps & { searchForCall: Search }) {
  const integrationUse = createIntegrationUse(deps);
  const forCalls = { searchForCall: deps.searchForCall, useToolForCall: integrationUse.useForCall };
  return { integrations: createIntegrationService(deps), integrationUse, forCalls };
}

type Using = {
  actor: Actor;
  row: IntegrationRow;
  toolName: string;
  args: unknown;
  call: ToolCall | undefined;
};

export type IntegrationUse = ReturnType<typeof createIntegrationUse>;

/** Uses the tools of integrations, in the process that has the database: secrets never reach those of conversations. */
export function createIntegrationUse(deps: UseDeps) {
  const { db, clock, log, sealer, sender } = deps;

  async function use(given: Using): Promise<Used> {
    const { actor, row, toolName, args, call } = given;
    const { config } = row;
    const secrets = readSecrets(sealer, row);
    if (!toolNamesOf(config).includes(toolName)) return { heard: failed(GONE) };
    if (!secrets) return { heard: failed(UNREADABLE) };
    if (config.kind === 'calendar')
      return runCalendarTool(deps, { actor, row, config, secrets, call }, { toolName, args });
    if (config.kind === 'mcp') {
      const tool = config.tools.find(({ name }) => name === toolName);
      return tool ? useMcpTool(sender, { config, secrets, tool }, args) : { heard: failed(GONE) };
    }
    const tool = config.tools.find(({ name }) => name === toolName);
    return tool ? useHttpTool(sender, { config, secrets, tool }, args) : { heard: failed(GONE) };
  }

  return {
    /** What a call's agent hears. Rejects only where the database fails. */
    async useForCall(
      actor: Actor,
      { integrationId, name, arguments: args }: Parameters<UseWorkspaceTool>[0],
      call?: ToolCall,
    ): Promise<Record<string, unknown>> {
      const row = await findIntegration(db, actor.workspaceId, integrationId).catch(asGone);
      if (!row?.isOn) return failed(GONE);
      const used = await use({ actor, row, toolName: name, args, call });
      log.info({
        event: 'integration_used',
        workspaceId: actor.workspaceId,
        integrationId,
        kind: row.kind,
        ok: used.heard.ok,
        status: used.sent?.status,
        durationMs: used.sent?.durationMs,
      });
      await noteHealth(deps, actor, row, used.sent?.fault).catch((error: unknown) =>
        log.error({ event: 'integration_health_lost', integrationId, error: describeError(error) }),
      );
      return used.heard;
    },

    /** Uses a tool because a person wants to see it, and shows the request with its secrets masked. */
    async tryOut(
      actor: Actor,
      integrationId: string,
      input: { toolName: string; arguments: Record<string, unknown> },
    ): Promise<TriedUse> {
      const row = await findIntegration(db, actor.workspaceId, integrationId);
      if (!toolNamesOf(row.config).includes(input.toolName))
        throw validationError([{ field: 'toolName', reason: 'is no tool of this integration' }]);
      await recordAudit(db, clock, actor, {
        action: 'integration.tried',
        targetId: integrationId,
        data: { name: row.name, tool: input.toolName },
      });
      const { heard, sent } = await use({
        actor,
        row,
        toolName: input.toolName,
        args: input.arguments,
        call: undefined,
      });
      await noteHealth(deps, actor, row, sent?.fault);
      return {
        request: sent?.request ?? null,
        status: sent?.status ?? null,
        durationMs: sent?.durationMs ?? 0,
        answer: sent?.answer ?? null,
        heard,
      };
    },

    refresh: (actor: Actor, integrationId: string) => refreshIntegration(deps, actor, integrationId),

    readOpenApi: readOpenApiDocument,
  };
}

function asGone(error: unknown): undefined {
  if (!isAppError(error)) throw error;
  return undefined;
}
