import type { z } from 'zod';
import {
  CONFIRMATION_HEADER,
  IDEMPOTENCY_HEADER,
  type Operation,
  type OperationRequest,
  type OperationResponse,
} from './operation.ts';

/** An answer with an error status, in the contract's error form. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: { field: string; reason: string }[];
  /** Of a 409: what the fields hold that somebody else changed meanwhile. */
  readonly current: Record<string, unknown> | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    problems: { field: string; reason: string }[],
    current?: Record<string, unknown>,
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.current = current;
  }
}

type Given<O extends Operation> = {
  [
    K in keyof OperationRequest<O> as OperationRequest<O>[K] extends undefined ? never : K
  ]: OperationRequest<O>[K];
};

/** The address of an operation with its parameters filled in, relative to the origin. */
export function operationUrl<O extends Operation>(
  operation: O,
  given: { params?: unknown; query?: unknown },
): string {
  const params = (given.params ?? {}) as Record<string, string>;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const query = Object.entries((given.query ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString();
  return `/api${path}${search ? `?${search}` : ''}`;
}

/**
 * Calls an operation from the browser with the session cookie. The types follow from the operation; a failure is
 * an `ApiError` whose `problems` name the wrong fields.
 */
export async function callOperation<O extends Operation>(
  operation: O,
  given: Given<O>,
  scope: Scope = {},
): Promise<OperationResponse<O>> {
  // Whoever may give up asking asks alone.
  const isAlone = scope.signal !== undefined || given['body' as keyof typeof given] instanceof FormData;
  if (operation.method !== 'POST' || isAlone) return send(operation, given, scope);
  // A button pressed twice at once means one note, one link, one campaign.
  const key = JSON.stringify([operation.id, scope.workspaceId, given]);
  const running = (posts.get(key) ?? sendKeyed(key, operation, given, scope)) as Promise<
    OperationResponse<O>
  >;
  posts.set(key, running);
  return running.finally(() => posts.delete(key));
}

type Scope = {
  workspaceId?: string;
  signal?: AbortSignal | undefined;
  /** The token of what was shown before somebody said yes. */
  confirmation?: string | undefined;
};

/** The requests that make something and are not answered yet. */
const posts = new Map<string, Promise<unknown>>();

/** The `Idempotency-Key` of what is being made, by what was asked for. */
const keys = new Map<string, string>();
/** For as long after the answer a second press means the first one. */
const SECOND_PRESS_MS = 1_000;

/** Sends what the service makes once for a key: whoever asks again after a lost answer sends the same one. */
async function sendKeyed<O extends Operation>(
  asked: string,
  operation: O,
  given: Given<O>,
  scope: Scope,
): Promise<OperationResponse<O>> {
  if (!operation.headers?.shape[IDEMPOTENCY_HEADER]) return send(operation, given, scope);
  const key = keys.get(asked) ?? newKey();
  keys.set(asked, key);
  const forget = () => {
    if (keys.get(asked) === key) keys.delete(asked);
  };
  try {
    const answer = await send(operation, given, { ...scope, idempotencyKey: key });
    setTimeout(forget, SECOND_PRESS_MS);
    return answer;
  } catch (error) {
    // Refused: nothing was made. Of what was lost on the way nobody knows.
    if (error instanceof ApiError && error.status < 500) forget();
    throw error;
  }
}

/** `crypto.randomUUID` is for secure pages only. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
}

async function send<O extends Operation>(
  operation: O,
  given: Given<O>,
  scope: Scope & { idempotencyKey?: string },
): Promise<OperationResponse<O>> {
  // What was deleted may be made again.
  if (operation.method === 'DELETE') keys.clear();
  const { body, ...address } = given as { params?: unknown; query?: unknown; body?: unknown };
  const response = await fetch(operationUrl(operation, address), {
    method: operation.method,
    headers: {
      ...(scope.workspaceId ? { 'x-workspace-id': scope.workspaceId } : {}),
      ...(scope.confirmation ? { [CONFIRMATION_HEADER]: scope.confirmation } : {}),
      ...(scope.idempotencyKey ? { [IDEMPOTENCY_HEADER]: scope.idempotencyKey } : {}),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(scope.signal ? { signal: scope.signal } : {}),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw toApiError(response.status, answer);
  return answer as OperationResponse<O>;
}

type ErrorAnswer = {
  error?: {
    message?: string;
    code?: string;
    details?: { problems?: { field: string; reason: string }[]; current?: Record<string, unknown> };
  };
};

/** Tells `signedOut` whenever an answer says that the session has ended. */
export const session = new EventTarget();

export function toApiError(status: number, answer: unknown): ApiError {
  if (status === 401) session.dispatchEvent(new Event('signedOut'));
  const error = (answer as ErrorAnswer | undefined)?.error;
  return new ApiError(
    status,
    error?.code ?? 'UNREADABLE_ANSWER',
    error?.message ?? `The service answered ${status}`,
    error?.details?.problems ?? [],
    error?.details?.current,
  );
}

export type DataOf<O extends Operation> = O['response'] extends z.ZodType
  ? z.output<O['response']> extends { data: infer D }
    ? D
    : never
  : never;
