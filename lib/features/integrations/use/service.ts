import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { UseWorkspaceTool } from '#lib/engine/plan.ts';
import { isAppError, validationError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { describeError } from '#lib/log.ts';
import type { Outcome, OutgoingRequest, Sender } from '#lib/outgoing/sender.ts';
import type { TriedUse } from '../contract.ts';
import { decode, type Heard, readAnswer } from '../http/answer.ts';
import { checkArguments } from '../http/check-arguments.ts';
import { redactSecrets } from '../http/redact.ts';
import { buildRequest } from '../http/request.ts';
import type { HttpTool } from '../http/tool.ts';
import { readOpenApiDocument } from '../openapi/read.ts';
import { findIntegration, type IntegrationRow, updateIntegration } from '../repository.ts';
import type { Secrets } from '../rules.ts';
import { createIntegrationService, type IntegrationDeps } from '../service.ts';
import { readSecrets } from '../secrets.ts';

type UseDeps = Pick<Dependencies, 'db' | 'clock' | 'log' | 'sealer'> & { sender: Sender };

/** What is shown of an answer to somebody who tries a tool. */
const MAX_SHOWN = 8000;

const UNREADABLE = 'The secrets of this integration have to be entered again.';
const GONE = 'This tool is not there any more.';

type Used = {
  heard: Heard;
  secrets: Secrets;
  request?: OutgoingRequest;
  outcome?: Outcome;
};

/** The records, and what agents do with them. */
export function createIntegrations<Search>(deps: UseDeps & IntegrationDeps & { searchForCall: Search }) {
  const integrationUse = createIntegrationUse(deps);
  const forCalls = { searchForCall: deps.searchForCall, useToolForCall: integrationUse.useForCall };
  return { integrations: createIntegrationService(deps), integrationUse, forCalls };
}

export type IntegrationUse = ReturnType<typeof createIntegrationUse>;

/** Uses the tools of integrations, in the process that has the database: secrets never reach those of conversations. */
export function createIntegrationUse(deps: UseDeps) {
  const { db, clock, log } = deps;

  async function use(row: IntegrationRow, toolName: string, args: unknown): Promise<Used> {
    const tool = row.config.tools.find(({ name }) => name === toolName);
    if (!tool) return { heard: failed(GONE), secrets: {} };
    const secrets = readSecrets(deps.sealer, row);
    if (!secrets) return { heard: failed(UNREADABLE), secrets: {} };
    return sendRequest(row, tool, { args, secrets });
  }

  async function sendRequest(
    { config }: IntegrationRow,
    tool: HttpTool,
    { args, secrets }: { args: unknown; secrets: Secrets },
  ): Promise<Used> {
    const checked = checkArguments(tool.parameters, args);
    if (!checked.ok) return { heard: failed(checked.reason), secrets };
    const headers = Object.fromEntries(
      config.headers.map(({ name, value }) => [name.toLowerCase(), value ?? secrets[name] ?? '']),
    );
    const built = buildRequest(tool, { address: config.address, headers, arguments: checked.arguments });
    if (!built.ok) return { heard: failed(built.reason), secrets };
    const { request } = built;
    const outcome = await deps.sender.send(request);
    const heard = redactSecrets(readAnswer(outcome, tool.answer), Object.values(secrets));
    return { heard, secrets, request, outcome };
  }

  /** Remembers whether it works, where that has changed: for whoever looks at the integrations. */
  async function noteHealth(actor: Actor, row: IntegrationRow, { outcome, heard }: Used): Promise<void> {
    if (!outcome) return;
    const fault = heard.ok || !isTheirFault(outcome) ? null : heard.reason;
    if (fault === row.fault) return;
    const faultAt = fault === null ? null : clock.now();
    await updateIntegration(db, actor.workspaceId, row.id, { fault, faultAt });
  }

  return {
    /** What a call's agent hears. Rejects only where the database fails. */
    async useForCall(
      actor: Actor,
      { integrationId, name, arguments: args }: Parameters<UseWorkspaceTool>[0],
    ): Promise<Record<string, unknown>> {
      const row = await findIntegration(db, actor.workspaceId, integrationId).catch(asGone);
      if (!row?.isOn) return failed(GONE);
      const used = await use(row, name, args);
      log.info({
        event: 'integration_used',
        workspaceId: actor.workspaceId,
        integrationId,
        ok: used.heard.ok,
        status: used.outcome?.answer?.status,
        durationMs: used.outcome?.durationMs,
      });
      await noteHealth(actor, row, used).catch((error: unknown) =>
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
      if (!row.config.tools.some(({ name }) => name === input.toolName))
        throw validationError([{ field: 'toolName', reason: 'is no tool of this integration' }]);
      await recordAudit(db, clock, actor, {
        action: 'integration.tried',
        targetId: integrationId,
        data: { name: row.name, tool: input.toolName },
      });
      const used = await use(row, input.toolName, input.arguments);
      await noteHealth(actor, row, used);
      return shown(used);
    },

    readOpenApi: readOpenApiDocument,
  };
}

const failed = (reason: string): Heard & { ok: false } => ({ ok: false, reason });

function asGone(error: unknown): undefined {
  if (!isAppError(error)) throw error;
  return undefined;
}

/** A refusal of what was asked for is no fault of the integration; a wrong key and a server that fails are. */
function isTheirFault({ answer, failure }: Outcome): boolean {
  if (failure || !answer) return true;
  return answer.status >= 500 || [401, 403].includes(answer.status) || answer.status < 400;
}

function shown({ heard, secrets, request, outcome }: Used): TriedUse {
  const values = Object.values(secrets);
  const secretNames = new Set(Object.keys(secrets).map((name) => name.toLowerCase()));
  const answer = outcome?.answer;
  return {
    request: request
      ? {
          method: request.method,
          url: redactSecrets(request.url, values),
          headers: Object.entries(request.headers).map(([name, value]) => ({
            name,
            value: secretNames.has(name) ? '•••' : value,
          })),
          body: new TextDecoder().decode(request.body),
        }
      : null,
    status: answer?.status ?? null,
    durationMs: outcome?.durationMs ?? 0,
    answer: answer ? redactSecrets(decode(answer.body).slice(0, MAX_SHOWN).toWellFormed(), values) : null,
    heard,
  };
}
