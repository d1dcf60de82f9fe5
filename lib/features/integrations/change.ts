import { isDeepStrictEqual } from 'node:util';
import { BUILT_IN_TOOLS } from '#lib/engine/tools/registry.ts';
import { validationError } from '#lib/errors.ts';
import type { Sealer } from '#lib/ports/sealer.ts';
import type { IntegrationPatch } from './contract.ts';
import type { HeaderInput } from './fields/contract.ts';
import type { McpTool } from './mcp/tool.ts';
import type { IntegrationChange, IntegrationRow } from './repository.ts';
import { hasSecrets, type IntegrationConfig, sealedFor, type Secrets } from './rules.ts';
import { readSecrets } from './secrets.ts';

type Changed = Required<Pick<IntegrationChange, 'name' | 'isOn' | 'config' | 'sealedSecrets'>>;

/** What a provision file says, beside what people may: tools of a server by name. */
type Patch = IntegrationPatch & { mcpTools?: McpTool[] };

type Before = Pick<IntegrationRow, 'id' | 'name' | 'isOn' | 'config' | 'sealedSecrets'>;

/**
 * What a change makes of an integration. Throws 400 where the address leads to another server while a secret was not
 * entered again: it must not be sent there.
 */
export function changeOf(sealer: Sealer, before: Before, patch: Patch): Changed {
  const { name = before.name, isOn = before.isOn } = patch;
  const config: IntegrationConfig = {
    headers: before.config.headers,
    address: patch.address ?? before.config.address,
    ...toolsAfter(before.config, patch),
  };
  const isSameServer = sealedFor(before.id, config) === sealedFor(before.id, before.config);
  if (patch.headers === undefined && (isSameServer || !hasSecrets(before.config)))
    return { name, isOn, config, sealedSecrets: before.sealedSecrets };
  const headers = patch.headers ?? before.config.headers.map(asInput);
  const kept = isSameServer ? (readSecrets(sealer, before) ?? {}) : {};
  const secrets = secretsOf(headers, kept);
  return {
    name,
    isOn,
    config: { ...config, headers: headers.map((each) => ({ name: each.name, value: valueShown(each) })) },
    sealedSecrets: sealed(),
  };

  function sealed(): string | null {
    if (Object.keys(secrets).length === 0) return null;
    const isUnchanged = isSameServer && JSON.stringify(kept) === JSON.stringify(secrets);
    if (isUnchanged) return before.sealedSecrets;
    return sealer.seal(JSON.stringify(secrets), sealedFor(before.id, config));
  }
}

const valueShown = ({ isSecret, value }: HeaderInput) => (isSecret ? null : value);
export const asInput = ({ name, value }: { name: string; value: string | null }): HeaderInput => ({
  name,
  value,
  isSecret: value === null,
});

/** HTTP tools are written, those of a server chosen. Throws 400 for the other way round. */
function toolsAfter(config: IntegrationConfig, patch: Patch) {
  const { tools, chosenTools, mcpTools = [] } = patch;
  if (config.kind === 'http') {
    if (chosenTools) throw validationError([{ field: 'chosenTools', reason: 'is for MCP servers' }]);
    return { kind: config.kind, tools: tools ?? config.tools };
  }
  if (tools)
    throw validationError([{ field: 'tools', reason: 'is for HTTP requests; choose from chosenTools' }]);
  const known = config.tools.filter(({ name }) => mcpTools.every((tool) => tool.name !== name));
  const chosen = known.map((tool) => ({
    ...tool,
    isChosen: chosenTools?.includes(tool.name) ?? tool.isChosen,
  }));
  return {
    kind: config.kind,
    tools: [...mcpTools, ...chosen],
    refreshedAt: config.refreshedAt,
    // Another server may speak another version.
    protocolVersion: (patch.address ?? config.address) === config.address ? config.protocolVersion : null,
  };
}

/** The secrets after a change: entered now, or kept. */
function secretsOf(headers: readonly HeaderInput[], kept: Secrets): Secrets {
  const secret = headers.flatMap((header, index) => (header.isSecret ? [{ ...header, index }] : []));
  const missing = secret.filter(({ name, value }) => value === null && kept[name] === undefined);
  if (missing.length > 0) {
    throw validationError(
      missing.map(({ name, index }) => ({
        field: `headers.${index}.value`,
        reason: `${name} has to be entered: it is kept for one server only`,
      })),
    );
  }
  return Object.fromEntries(secret.map(({ name, value }) => [name, value ?? kept[name] ?? '']));
}

/** The names of the fields that a change really changes. */
export function changedFields(before: Before, after: Changed): string[] {
  const parts = (row: Changed) => ({ name: row.name, isOn: row.isOn, ...row.config });
  const [was, is] = [new Map(Object.entries(parts(before))), Object.entries(parts(after))];
  const fields = is.filter(([field, value]) => !isDeepStrictEqual(was.get(field), value));
  const isSealedAnew = before.sealedSecrets !== after.sealedSecrets;
  return [...fields.map(([field]) => field), ...(isSealedAnew ? ['secrets'] : [])];
}

/** Names of tools that the service itself brings. */
export function isReservedName(name: string): boolean {
  return BUILT_IN_TOOLS.some((tool) => tool.name === name);
}

/** What an address may not have, besides the rules for every address that is sent to. */
export function addressFault(address: string): string | undefined {
  return /[?#{}]/.test(address) ? 'must end before the ?; what follows belongs to each tool' : undefined;
}
