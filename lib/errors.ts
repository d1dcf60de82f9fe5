/** Every code an API error can carry, with its HTTP status. `NOT_FOUND` and friends are stable; add, never rename. */
export const STATUS_OF = {
  VALIDATION_ERROR: 400,
  MALFORMED_REQUEST: 400,
  UNSUPPORTED_CONTENT_TYPE: 400,
  FILE_TOO_LARGE: 400,
  PAYLOAD_TOO_LARGE: 400,
  BODY_TIMEOUT: 408,
  UNSUPPORTED_ENCODING: 415,
  CONFLICT: 409,
  CONFIRMATION_REQUIRED: 428,
  AGENT_INACTIVE: 400,
  OPTED_OUT: 400,
  NO_OUTBOUND_PROMPT: 400,
  SINGLE_PROMPT_ACTIVE: 400,
  IDEMPOTENCY_KEY_REUSED: 400,
  INVALID_STATE: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  USAGE_LIMIT_EXCEEDED: 403,
  NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  RATE_LIMITED: 429,
  PROVIDER_FAILED: 500,
  NOT_READY: 503,
  INTERNAL_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

// Next loads this module several times (server, routes, pages): `instanceof` fails across the copies, a brand does not.
const BRAND = Symbol.for('callwright.AppError');

export class AppError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  /** Seconds a client should wait, for RATE_LIMITED and NOT_READY. */
  readonly retryAfterSeconds: number | undefined;
  /** The methods that the path takes, for METHOD_NOT_ALLOWED. */
  readonly allow: readonly string[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: Record<string, unknown>;
      retryAfterSeconds?: number;
      allow?: readonly string[];
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }

  get status(): number {
    return STATUS_OF[this.code];
  }
}

export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

export type FieldProblem = { field: string; reason: string };

/** Nobody reads more at once, and an answer must not grow with what was wrong about the request. */
const MAX_PROBLEMS = 20;

/**
 * 400 VALIDATION_ERROR whose message names each failing field as `<field>: <reason>` (contract, Errors); of more than
 * 20 problems the first 20 are told, and how many there are besides.
 */
export function validationError(problems: FieldProblem[]): AppError {
  const told = problems.slice(0, MAX_PROBLEMS);
  const rest = problems.length - told.length;
  const message = told.map((problem) => `${problem.field}: ${problem.reason}`).join('; ');
  return new AppError('VALIDATION_ERROR', rest > 0 ? `${message}; and ${rest} more` : message, {
    details: { problems: told },
  });
}

export function notFound(noun: string): AppError {
  return new AppError('NOT_FOUND', `${noun} not found`);
}

/** For a resource that exists in another workspace (contract, Authentication 3). */
export function forbidden(noun: string): AppError {
  return new AppError('FORBIDDEN', `${noun} belongs to another workspace`);
}
