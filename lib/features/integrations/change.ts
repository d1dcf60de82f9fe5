import { isDeepStrictEqual } from 'node:util';
import { BUILT_IN_TOOLS } from '#lib/engine/tools/registry.ts';
import { validationError } from '#lib/errors.ts';
import type { Sealer } from '#lib/ports/sealer.ts';
import type { IntegrationPatch } from './contract.ts';
import type { HeaderInput } from './fields/contract.ts';
import { calendarAfter, calendarHeaders } from './calendar/change.ts';
import { FIND_SLOTS } from './calendar/tools.ts';
import type { ListedCalendar } from './calendar/caldav.ts';
import type { McpTool } from './mcp/tool.ts';
import type { IntegrationChange, IntegrationRow } from './repository.ts';
import { hasSecrets, type IntegrationConfig, sealedFor, type Secrets } from './rules.ts';
import { readSecrets } from './secrets.ts';

type Changed = Required<Pick<IntegrationChange, 'name' | 'isOn' | 'config' | 'sealedSecrets'>>;

/** What a provision file says, beside what people may: tools of a server by name. */
type Patch = IntegrationPatch & { mcpTools?: McpTool[]; calendars?: ListedCalendar[] };

type Before = Pick<IntegrationRow, 'id' | 'name' | 'isOn' | 'config' | 'sealedSecrets'>;

/**
 * What a change makes of an integration. Throws 400 where the address leads to another server while a secret was not
 * entered again: it must not be sent there.
 */
export function changeOf(sealer: Sealer, before: Before, patch: Patch): Changed {
  const { name = before.name, isOn = before.isOn } = patch;
  const config = configAfter(before.config, patch);
  const isSameServer = sealedFor(before.id, config) === sealedFor(before.id, before.config);
  const given = config.kind === 'calendar' ? calendarHeaders(config, before.config, patch) : patch.headers;
  if (given === undefined && (isSameServer || !hasSecrets(before.config)))
    return { name, isOn, config, sealedSecrets: before.sealedSecrets };
  const headers = given ?? before.config.headers.map(asInput);
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

/** The configuration after a change, but for its headers. Throws 400 for what is of another kind. */
function configAfter(before: IntegrationConfig, patch: Patch): IntegrationConfig {
  refuseForeign(before, patch);
  const address = patch.address ?? before.address;
  if (before.kind === 'http') return { ...before, address, tools: patch.tools ?? before.tools };
  if (before.kind === 'calendar') return calendarAfter({ ...before, address }, before.address, patch);
  const { chosenTools, mcpTools = [] } = patch;
  const known = before.tools.filter(({ name }) => mcpTools.every((tool) => tool.name !== name));
  const chosen = known.map((tool) => ({
    ...tool,
    isChosen: chosenTools?.includes(tool.name) ?? tool.isChosen,
  }));
  // Another server may speak another version.
  const protocolVersion = address === before.address ? before.protocolVersion : null;
  return { ...before, address, protocolVersion, tools: [...mcpTools, ...chosen] };
}

const FIELDS_OF = { tools: 'http', chosenTools: 'mcp', calendar: 'calendar' } as const;

function refuseForeign({ kind }: IntegrationConfig, patch: Patch): void {
  const foreign = Object.entries(FIELDS_OF).filter(
    ([field, owner]) =>
      owner !== kind && Object.entries(patch).some(([name, value]) => name === field && value !== undefined),
  );
  if (kind === 'calendar' && patch.headers && patch.calendar === undefined) foreign.push(['headers', 'http']);
  if (foreign.length > 0)
    throw validationError(
      foreign.map(([field]) => ({ field, reason: `is not of an integration of the kind ${kind}` })),
    );
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
  return name === FIND_SLOTS || BUILT_IN_TOOLS.some((tool) => tool.name === name);
}

/** What an address may not have, besides the rules for every address that is sent to. */
export function addressFault(address: string): string | undefined {
  return /[?#{}]/.test(address) ? 'must end before the ?; what follows belongs to each tool' : undefined;
}
