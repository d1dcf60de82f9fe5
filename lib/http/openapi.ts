import { z } from 'zod';
import { isMultipart, type Operation } from './operation.ts';

type Json = Record<string, unknown>;

const DESCRIPTION = `The API of a Callwright service. Every answer puts its result in \`data\`; every failure is
\`{ "error": { "message", "statusCode", "code" } }\`. Send the workspace's key in the header \`x-api-key\`.`;

const STATUS_TEXT: Record<number, string> = {
  400: 'Malformed request; a body or query that fails validation has code VALIDATION_ERROR and names each failing field',
  401: 'The key is missing or invalid',
  403: 'The resource belongs to another workspace, or the monthly usage limit is reached (USAGE_LIMIT_EXCEEDED)',
  404: 'Not found',
  408: 'The body did not arrive within ten seconds (BODY_TIMEOUT)',
  413: 'The body is larger than this operation takes (PAYLOAD_TOO_LARGE)',
  429: 'Too many requests; wait as long as Retry-After says',
  500: 'Failure while handling the request',
  503: 'Not ready yet',
};

/** The OpenAPI 3.1 document of the public operations (dashboard-only ones are no promise to anybody). */
export function buildOpenApi(operations: readonly Operation[], publicUrl: string, version: string): Json {
  const schemas: Json = { Error: ERROR_SCHEMA };
  const paths: Record<string, Json> = {};
  for (const operation of operations.filter(isPublic)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = hoistNamedSchemas(describeOperation(operation), schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Callwright',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/api` }],
    security: [{ apiKey: [] }],
    tags: [...new Set(operations.filter(isPublic).map((operation) => operation.tag))].map((name) => ({
      name,
    })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas,
    },
  };
}

/** Schemas with a `meta({ id })` come as `$defs` of each place that uses them; the document names each one once. */
function hoistNamedSchemas(node: unknown, schemas: Json): unknown {
  if (Array.isArray(node)) return node.map((child) => hoistNamedSchemas(child, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const out: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === '$defs') {
      for (const [name, schema] of Object.entries(value as Json))
        schemas[name] = hoistNamedSchemas(withoutId(schema as Json), schemas);
    } else if (key === '$ref' && typeof value === 'string') {
      out.$ref = value.replace('#/$defs/', '#/components/schemas/');
    } else {
      out[key] = hoistNamedSchemas(value, schemas);
    }
  }
  return out;
}

function withoutId(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'id'));
}

function isPublic(operation: Operation): boolean {
  return !operation.path.startsWith('/dashboard/');
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'statusCode'],
      properties: {
        message: {
          type: 'string',
          description: 'For a person; names each failing field as `<field>: <reason>`',
        },
        statusCode: { type: 'integer', description: 'Repeats the HTTP status' },
        code: { type: 'string', description: 'A stable value to program against' },
        details: { type: 'object', additionalProperties: true },
      },
    },
  },
};

function describeOperation(operation: Operation): Json {
  const parameters = [
    ...describeParameters(operation.params, 'path'),
    ...describeParameters(operation.query, 'query'),
    ...describeParameters(operation.headers, 'header'),
  ];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.scope === 'public' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: describeBody(operation.body) } : {}),
    responses: describeResponses(operation),
  };
}

function describeParameters(schema: z.ZodObject | undefined, location: 'path' | 'query' | 'header'): Json[] {
  if (!schema) return [];
  const json = toJsonSchema(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(json.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: location,
      required: location === 'path' || (json.required ?? []).includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
}

function describeBody(body: NonNullable<Operation['body']>): Json {
  if (!isMultipart(body))
    return { required: true, content: { 'application/json': { schema: toJsonSchema(body, 'input') } } };
  const schema = {
    type: 'object',
    required: [body.fileField],
    properties: {
      [body.fileField]: {
        type: 'string',
        contentMediaType: 'application/octet-stream',
        description: body.description,
      },
    },
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function describeResponses(operation: Operation): Json {
  const success = operation.response
    ? { 'application/json': { schema: toJsonSchema(operation.response, 'output') } }
    : { [operation.produces ?? 'application/octet-stream']: { schema: { type: 'string' } } };
  const responses: Json = { [operation.status]: { description: operation.summary, content: success } };
  for (const status of errorStatuses(operation)) {
    responses[status] = {
      description: STATUS_TEXT[status],
      ...(status === 429
        ? { headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } } }
        : {}),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return responses;
}

/** Statuses that follow from what an operation declares, plus those it names itself. */
function errorStatuses(operation: Operation): number[] {
  const statuses = new Set<number>([...(operation.errors ?? []), 429, 500]);
  if (operation.scope !== 'public') statuses.add(401).add(403);
  if (operation.params || operation.query || operation.headers || operation.body) statuses.add(400);
  if (operation.params) statuses.add(404);
  if (operation.body && !isMultipart(operation.body)) statuses.add(408).add(413);
  return [...statuses].sort((a, b) => a - b);
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const override = z.globalRegistry.get(zodSchema)?.override;
      if (!override) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, override);
    },
  }) as Json;
  delete json.$schema;
  return json;
}
