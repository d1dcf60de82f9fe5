import { AppError, isAppError } from '#lib/errors.ts';

/** The contract's error body: `{ error: { message, statusCode, code, details? } }`. Unknown errors say nothing about themselves. */
export function errorResponse(error: unknown): Response {
  const known = isAppError(error)
    ? error
    : new AppError('INTERNAL_ERROR', 'Something went wrong on our side; the request id is in x-request-id');
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (known.retryAfterSeconds !== undefined) headers['retry-after'] = String(known.retryAfterSeconds);
  return Response.json(errorBody(known), { status: known.status, headers });
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
