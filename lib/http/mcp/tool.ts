import { validationError } from '#lib/errors.ts';
import { operationUrl } from '../client.ts';
import { isMultipart, type Operation } from '../operation.ts';
import { type Json, toJsonSchema } from '../openapi-schemas.ts';
import type { RouteHandler } from '../route.ts';

/** An operation that assistants may use, and the handler of its route. */
export type OfferedOperation = {
  operation: Operation;
  handle: RouteHandler;
  /** What an assistant has to know beyond what the reference says. */
  note?: string;
  /** Does what nobody can take back. */
  isDestructive?: boolean;
  /** Reaches people, or systems of others. */
  reachesOthers?: boolean;
};

/** An operation as a tool of MCP: its parameters and the fields of its body side by side. */
export function toolOf({ operation, note, isDestructive = false, reachesOthers = false }: OfferedOperation) {
  const { properties, required, $defs } = argumentsOf(operation);
  const isReadOnly = operation.method === 'GET';
  return {
    name: toolName(operation),
    title: operation.summary,
    description: [operation.summary, operation.description, note]
      .filter((text) => text !== undefined)
      .map((text) => text.replace(/\.?$/, '.'))
      .join(' '),
    inputSchema: {
      type: 'object' as const,
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(Object.keys($defs).length > 0 ? { $defs } : {}),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: isReadOnly,
      ...(isReadOnly ? {} : { destructiveHint: isDestructive, idempotentHint: false }),
      openWorldHint: reachesOthers,
    },
  };
}

/** `queueOutboundCall` as `queue_outbound_call`, which is how tools are called. */
export function toolName({ id }: Operation): string {
  return id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Part = 'params' | 'query' | 'headers' | 'body';
type Described = { properties: Record<string, Json>; required: string[]; $defs: Json };

function argumentsOf(operation: Operation): Described & { partOf: Map<string, Part> } {
  const all = { properties: {}, required: [], $defs: {}, partOf: new Map() } as Described & {
    partOf: Map<string, Part>;
  };
  for (const part of ['params', 'query', 'headers', 'body'] as const) {
    const schema = operation[part];
    if (!schema) continue;
    if (isMultipart(schema)) throw new Error(`${operation.id} takes a file, which no tool can give it`);
    const described = resolved(toJsonSchema(schema, 'input'));
    for (const [name, property] of Object.entries(described.properties)) {
      if (all.partOf.has(name)) throw new Error(`${operation.id} has two arguments ${name}`);
      all.partOf.set(name, part);
      all.properties[name] = property;
    }
    all.required.push(...described.required);
    Object.assign(all.$defs, described.$defs);
  }
  return all;
}

/** The object itself, where its schema is named and stands among the `$defs`. */
function resolved({ $ref, $defs, ...own }: Json): Described {
  const { ...defs } = ($defs ?? {}) as Record<string, Json>;
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  const schema = name === undefined ? own : defs[name];
  if (name !== undefined) delete defs[name];
  const { properties = {}, required = [] } = { ...schema } as Partial<Described>;
  return { properties, required, $defs: defs };
}

/**
 * The request that the route of the operation would get from whoever asks: with their credentials, address and trace, and
 * the arguments where the operation has them. Throws VALIDATION_ERROR on an argument that it does not have.
 */
export function requestOf(
  operation: Operation,
  given: Record<string, unknown>,
  asking: Request,
): { request: Request; params: Record<string, string> } {
  const parts = sorted(operation, given);
  const params = texts(parts.params);
  const headers = new Headers(asking.headers);
  for (const name of OF_THE_MESSAGE) headers.delete(name);
  for (const [name, value] of Object.entries(texts(parts.headers)))
    headers.set(name, headerText(name, value));
  if (operation.body) headers.set('content-type', 'application/json');
  const url = new URL(operationUrl(operation, { params, query: texts(parts.query) }), asking.url);
  const body = operation.body ? { body: JSON.stringify(parts.body) } : {};
  return {
    request: new Request(url, { method: operation.method, headers, ...body }),
    // As the framework gives them to a route.
    params: Object.fromEntries(
      Object.entries(params).map(([name, text]) => [name, encodeURIComponent(text)]),
    ),
  };
}

/** Headers that are about the message of MCP and not about who sent it. */
const OF_THE_MESSAGE = ['content-length', 'content-type', 'transfer-encoding', 'idempotency-key', 'accept'];

function sorted(operation: Operation, given: Record<string, unknown>): Record<Part, Record<string, unknown>> {
  const { partOf } = argumentsOf(operation);
  const unknown = Object.keys(given).filter((name) => !partOf.has(name));
  if (unknown.length > 0)
    throw validationError(
      unknown.map((field) => ({ field: field.slice(0, 60), reason: 'is not a known argument' })),
    );
  const parts: Record<Part, Record<string, unknown>> = { params: {}, query: {}, headers: {}, body: {} };
  for (const [name, value] of Object.entries(given)) parts[partOf.get(name) ?? 'body'][name] = value;
  return parts;
}

/** Assistants write null for what they leave out. */
function texts(values: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value),
    ]),
  );
}

function headerText(name: string, value: string): string {
  if (!/^[\x20-\x7e]*$/.test(value))
    throw validationError([{ field: name, reason: 'must be plain ASCII text' }]);
  return value;
}
