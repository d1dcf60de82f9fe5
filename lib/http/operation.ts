import type { z } from 'zod';
import type { ErrorCode } from '#lib/errors.ts';

/**
 * Who may call. `public`: anybody. `workspace`: an API key, or a signed-in member (cookie, same origin, with
 * the workspace in `x-workspace-id`). `member`: a signed-in member of the workspace only. `user`: signed in, no workspace yet.
 */
export type Scope = 'public' | 'workspace' | 'member' | 'user';

/** In the query, for a signed-in member, where a browser sends no headers of ours (audio, event streams). */
export const WORKSPACE_PARAMETER = 'workspaceId';

/** The token of a question that was answered with yes (docs/decisions/0365). */
export const CONFIRMATION_HEADER = 'x-confirmation';

/** Names one intention: what is sent twice with it is done once. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What the body is: JSON checked by a zod schema, or a multipart stream that the handler reads itself. */
export type MultipartBody = { kind: 'multipart'; fileField: string; description: string };

/** Largest JSON body where an operation declares nothing else: a form, every character of it escaped. */
export const FORM_BYTES = 16 * 1024;
/** For prompts: 100,000 characters take 600,000 bytes when each is escaped, as some clients do outside of ASCII. */
export const LONG_TEXT_BYTES = 1024 * 1024;

export type Operation = {
  /** Unique, camelCase; becomes the OpenAPI operationId and the client's method name. */
  id: string;
  method: Method;
  /** Under `/api`, with `{name}` placeholders, e.g. `/agents/{agentId}`. */
  path: `/${string}`;
  scope: Scope;
  /** Smallest role that may call it from the dashboard; API keys act as `admin`. */
  role?: 'viewer' | 'member' | 'admin' | 'owner';
  tag: string;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType | MultipartBody;
  /** Largest JSON body in bytes, FORM_BYTES where it is left out; a larger one is 400 and not read. */
  maxBodyBytes?: number;
  /** How many values a JSON body may hold, lists and objects counted; 5,000 where it is left out. */
  maxBodyValues?: number;
  /** A body that breaks nothing when somebody pastes it as it stands. */
  example?: unknown;
  /** The whole JSON answer; `enveloped(data)` makes the usual one. For `produces` other than JSON, omitted. */
  response?: z.ZodType;
  /** Of anybody, a key is not even looked up: what says how the service is answers while its database does not. */
  ignoresCredentials?: boolean;
  /** Asked by pages of other origins, so that a browser asks with OPTIONS first (lib/http/widget-cors.ts). */
  crossOrigin?: boolean;
  /** Content type of a streamed answer (event stream, audio, CSV): the handler returns a `Response`. */
  produces?: string;
  /** Of an event stream: the JSON of each event. */
  event?: z.ZodType;
  status: 200 | 201 | 202;
  /** A streamed answer of which `Range` gets a part, or 416. */
  servesRanges?: boolean;
  /** Codes beyond those that follow from scope and input (`errorCodesOf`). Required of all that the API promises. */
  errors?: readonly ErrorCode[];
};

/** What every look-up of something by its id can answer. */
export const LOOK_UP_ERRORS = ['FORBIDDEN', 'NOT_FOUND'] as const;

/** A request that the service itself sends, to an address that whoever receives it chose. */
export type WebhookDescription = {
  name: string;
  /** Unique among the operations' ids. */
  id: string;
  tag: string;
  summary: string;
  description: string;
  headers: z.ZodObject;
  body: z.ZodType;
  example: unknown;
  /** How a receiver checks where it comes from. */
  codeSample: { lang: string; label: string; source: string };
};

/** Keeps the literal types, so that `route`, the OpenAPI builder and the client all know them. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** What only the dashboard calls is in no document, and no promise. */
export function isForDashboard(operation: Operation): boolean {
  return operation.path.startsWith('/dashboard/');
}

export function isMultipart(body: Operation['body']): body is MultipartBody {
  return body !== undefined && 'kind' in body && body.kind === 'multipart';
}

/** How much body a path takes: JSON up to `maxBytes`, or a file that the handler bounds while it streams. */
export type BodyLimit = { kind: 'json'; maxBytes: number } | { kind: 'upload' };

/** What is bounded: an operation, or a path of better-auth's. */
type Bounded = { body?: Operation['body']; maxBodyBytes?: number };

export function bodyLimitOf(operation: Bounded): BodyLimit {
  return isMultipart(operation.body)
    ? { kind: 'upload' }
    : { kind: 'json', maxBytes: maxJsonBytesOf(operation) };
}

export function maxJsonBytesOf(operation: Bounded): number {
  return operation.maxBodyBytes ?? FORM_BYTES;
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler receives, after parsing. */
export type OperationInput<O extends Operation> = {
  params: Parsed<O['params']>;
  query: Parsed<O['query']>;
  headers: Parsed<O['headers']>;
  body: Parsed<O['body']>;
};

/** What a client sends. */
export type OperationRequest<O extends Operation> = {
  params: Sent<O['params']>;
  query: Sent<O['query']>;
  body: Sent<O['body']>;
};

export type OperationResponse<O extends Operation> = Parsed<O['response']>;
