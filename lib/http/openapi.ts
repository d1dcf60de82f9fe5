import { type ErrorCode, STATUS_OF } from '#lib/errors.ts';
import { ERROR_MEANINGS, errorCodesOf } from './error-codes.ts';
import { isOfContract } from './contract-operations.ts';
import { hoistNamedSchemas, type Json, toJsonSchema } from './openapi-schemas.ts';
import { isForDashboard, isMultipart, type Operation, type WebhookDescription } from './operation.ts';
import { WARNING_HEADER } from './unknown-names.ts';
import type { z } from 'zod';

const DESCRIPTION = `The API of a Callwright service. Every answer puts its result in \`data\`; every failure is
\`{ "error": { "message", "statusCode", "code" } }\`. Send the workspace's key in the header \`x-api-key\`. Fields and
query parameters that an operation does not have are refused with \`VALIDATION_ERROR\`. The operations whose answers
describe the header \`${WARNING_HEADER}\` ignore them instead: they name the fields in \`message\` and the parameters in that
header; of these, only \`POST /outbound\` refuses unknown fields.`;

/** The schema of one event of a stream, for which OpenAPI 3.1 has no word (3.2 says `itemSchema`). */
export const EVENT_SCHEMA = 'x-event-schema';

/** Of the API's description (the contract, Versioning); the release has a version of its own (lib/version.ts). */
const API_VERSION = '1.0.0';

type Described = {
  operations: readonly Operation[];
  webhooks: readonly WebhookDescription[];
  publicUrl: string;
};

/** The OpenAPI 3.1 document of the public operations (dashboard-only ones are no promise to anybody). */
export function buildOpenApi({ operations, webhooks, publicUrl }: Described): Json {
  const shown = operations.filter((operation) => !isForDashboard(operation));
  const schemas: Json = { Error: ERROR_SCHEMA, ErrorCode: errorCodeSchema() };
  const paths: Record<string, Json> = {};
  for (const operation of shown) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = hoistNamedSchemas(describeOperation(operation), schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Callwright',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}/api` }],
    security: [{ apiKey: [] }],
    tags: [...new Set([...shown, ...webhooks].map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(
      webhooks.map((webhook) => [
        webhook.name,
        { post: hoistNamedSchemas(describeWebhook(webhook), schemas) },
      ]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      responses: SHARED_ANSWERS,
      schemas,
    },
  };
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
        code: { $ref: '#/components/schemas/ErrorCode' },
        details: { type: 'object', additionalProperties: true },
      },
    },
  },
};

function errorCodeSchema(): Json {
  return {
    type: 'string',
    description: 'A stable value to program against; more may come',
    oneOf: Object.entries(ERROR_MEANINGS).map(([code, meaning]) => ({
      const: code,
      title: String(STATUS_OF[code as ErrorCode]),
      description: meaning,
    })),
  };
}

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };

/** The failures that most operations have in common, by the name of their component. */
const SHARED_ANSWERS = {
  Unauthorized: describeFailure(['UNAUTHORIZED']),
  RateLimited: describeFailure(['RATE_LIMITED']),
  InternalError: describeFailure(['INTERNAL_ERROR']),
  NotReady: describeFailure(['NOT_READY']),
};
const SHARED_BY_CODE: Partial<Record<ErrorCode, keyof typeof SHARED_ANSWERS>> = {
  UNAUTHORIZED: 'Unauthorized',
  RATE_LIMITED: 'RateLimited',
  INTERNAL_ERROR: 'InternalError',
  NOT_READY: 'NotReady',
};

function describeFailure(codes: ErrorCode[]): Json {
  const waits = codes.includes('RATE_LIMITED') || codes.includes('NOT_READY');
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join('. '),
    ...(waits ? { headers: RETRY_AFTER } : {}),
    content: ERROR_CONTENT,
  };
}

function describeOperation(operation: Operation): Json {
  const parameters = [
    ...describeParameters(operation.params, 'path'),
    ...describeParameters(operation.query, 'query'),
    ...describeParameters(operation.headers, 'header'),
    ...(operation.servesRanges ? [RANGE_HEADER] : []),
  ];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.scope === 'public' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: describeBody(operation.body, operation.example) } : {}),
    responses: { ...describeSuccess(operation), ...describeFailures(operation) },
  };
}

function describeWebhook(webhook: WebhookDescription): Json {
  return {
    operationId: webhook.id,
    tags: [webhook.tag],
    summary: webhook.summary,
    description: webhook.description,
    security: [],
    parameters: describeParameters(webhook.headers, 'header'),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: toJsonSchema(webhook.body, 'output'), example: webhook.example },
      },
    },
    responses: { '2XX': { description: 'Received; the answer is read for the delivery log only' } },
    'x-codeSamples': [webhook.codeSample],
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

function describeBody(body: NonNullable<Operation['body']>, example: unknown): Json {
  if (!isMultipart(body)) {
    const content = { schema: toJsonSchema(body, 'input'), ...(example === undefined ? {} : { example }) };
    return { required: true, content: { 'application/json': content } };
  }
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

const RANGE_HEADER = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'One range of bytes; several, or other units, are answered with the whole',
  schema: { type: 'string', examples: ['bytes=0-65535'] },
};
const CONTENT_RANGE = {
  'Content-Range': { description: 'Which bytes of how many', schema: { type: 'string' } },
};

const IGNORED_PARAMETERS = {
  [WARNING_HEADER]: {
    description: 'Only where the query has parameters that the operation does not have: names them',
    schema: { type: 'string' },
  },
};

function describeSuccess(operation: Operation): Json {
  const content = operation.response
    ? { 'application/json': { schema: toJsonSchema(operation.response, 'output') } }
    : {
        [operation.produces ?? 'application/octet-stream']: {
          schema: { type: 'string', format: 'binary' },
          ...(operation.event ? { [EVENT_SCHEMA]: toJsonSchema(operation.event, 'output') } : {}),
        },
      };
  const headers = isOfContract(operation) ? { headers: IGNORED_PARAMETERS } : {};
  const whole = { [operation.status]: { description: operation.summary, ...headers, content } };
  if (!operation.servesRanges) return whole;
  return {
    ...whole,
    206: { description: 'The range that was asked for', headers: CONTENT_RANGE, content },
    416: { description: 'The range is outside the file; there is no body', headers: CONTENT_RANGE },
  };
}

/** One answer a status, with every code that comes with it. */
function describeFailures(operation: Operation): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    byStatus.set(STATUS_OF[code], [...(byStatus.get(STATUS_OF[code]) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const shared = codes.length === 1 && codes[0] ? SHARED_BY_CODE[codes[0]] : undefined;
      return [status, shared ? { $ref: `#/components/responses/${shared}` } : describeFailure(codes)];
    }),
  );
}
