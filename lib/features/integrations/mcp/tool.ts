import { NO_ARGUMENTS, readArgumentSchema, type ArgumentSchema } from '../http/argument-schema.ts';
import { TOOL_LIMITS } from '../http/tool.ts';

export const MCP_LIMITS = {
  /** A server may list for ever. */
  pages: 10,
  tools: 200,
  name: 200,
  timeoutMs: 15_000,
  listTimeoutMs: 20_000,
  answerBytes: 1024 * 1024,
} as const;

/** A tool of a server, as it described it when it was asked last. */
export type McpTool = {
  /** As agents know it. */
  name: string;
  /** As the server knows it. */
  serverName: string;
  description: string;
  parameters: ArgumentSchema;
  isChosen: boolean;
};

/** What a server says of a tool. Nothing of it is believed but its name. */
export type ListedTool = { name: string; description?: string | undefined; inputSchema?: unknown };

export type Refreshed = {
  tools: McpTool[];
  added: string[];
  changed: string[];
  gone: string[];
  skipped: number;
};

/**
 * The tools after a server was asked anew. What is new is not chosen, and neither is any more what describes itself in
 * other words than those that a person chose: words of tools are instructions to the model.
 */
export function refreshTools(
  before: readonly McpTool[],
  listed: readonly ListedTool[],
  naming: { prefix: string; isTaken(name: string): boolean },
): Refreshed {
  const tools: McpTool[] = [];
  const refreshed: Refreshed = { tools, added: [], changed: [], gone: [], skipped: 0 };
  const names = new Set<string>();
  for (const each of listed.slice(0, MCP_LIMITS.tools)) {
    const parameters = each.inputSchema === undefined ? NO_ARGUMENTS : readArgumentSchema(each.inputSchema);
    if (
      !parameters ||
      each.name.length > MCP_LIMITS.name ||
      tools.some((tool) => tool.serverName === each.name)
    ) {
      refreshed.skipped += 1;
      continue;
    }
    const known = before.find((tool) => tool.serverName === each.name);
    const isTaken = (name: string) => names.has(name) || naming.isTaken(name);
    const name = known && !isTaken(known.name) ? known.name : nameFor(each.name, { ...naming, isTaken });
    names.add(name);
    const description = describe(each);
    const isSame = known && known.description === description && isEqual(known.parameters, parameters);
    if (!known) refreshed.added.push(name);
    else if (!isSame) refreshed.changed.push(name);
    tools.push({
      name,
      serverName: each.name,
      description,
      parameters,
      isChosen: (isSame && known.isChosen) ?? false,
    });
  }
  refreshed.skipped += Math.max(0, listed.length - MCP_LIMITS.tools);
  refreshed.gone = before
    .filter(({ serverName }) => !tools.some((tool) => tool.serverName === serverName))
    .map(({ name }) => name);
  return refreshed;
}

function describe({ name, description }: ListedTool): string {
  const text = (description ?? '').replaceAll('\u0000', '').toWellFormed().trim();
  return (text === '' ? name : text).slice(0, TOOL_LIMITS.description);
}

/** The server's name in letters that models take; with the integration's in front where it is taken. */
function nameFor(
  given: string,
  { prefix, isTaken }: { prefix: string; isTaken(name: string): boolean },
): string {
  const plain = slug(given, 'tool');
  if (!isTaken(plain)) return plain;
  const prefixed = `${slug(prefix, 'mcp').slice(0, 24)}_${plain}`.slice(0, TOOL_LIMITS.name - 4);
  let name = prefixed;
  for (let place = 2; isTaken(name); place += 1) name = `${prefixed}_${place}`;
  return name;
}

function slug(text: string, otherwise: string): string {
  const plain = text
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .replace(/^[^A-Za-z]+|_+$/g, '')
    .slice(0, TOOL_LIMITS.name);
  return plain === '' ? otherwise : plain;
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
