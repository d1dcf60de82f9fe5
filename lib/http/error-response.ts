import { AppError, isAppError } from '#lib/errors.ts';

/** The contract's error body: `{ error: { message, statusCode, code, details? } }`. Unknown errors say nothing about themselves. */
export function errorResponse(error: unknown): Response {
  const known = isAppError(error)
    ? error
    : new AppError('INTERNAL_ERROR', 'Something went wrong on our side; the request id is in x-request-id');
  return Response.json(errorBody(known), { status: known.status, headers: errorHeaders(known) });
}

/** What an error's answer says in its header, whoever writes it. */
export function errorHeaders({ retryAfterSeconds, allow }: AppError): Record<string, string> {
  return {
    'cache-control': 'no-store',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(allow ? { allow: allow.join(', ') } : {}),
  };
}

export function errorBody(error: AppError) {
  return {
    error: {
      message: error.message,
      statusCode: error.status,
      code: error.code,
      ...(error.details ? { details: error.details } : {}),
    },
  };
}
