import { unavailableReason } from '#db/unavailable.ts';
import { AppError, isAppError } from '#lib/errors.ts';

const DATABASE_AGAIN_SECONDS = 2;

/** The error itself, or 503 NOT_READY for a database that could not carry out a statement now; undefined for others. */
export function appErrorOf(error: unknown): AppError | undefined {
  if (isAppError(error)) return error;
  const reason = unavailableReason(error);
  if (reason === undefined) return undefined;
  return new AppError('NOT_READY', `${reason}; try again`, {
    details: { missing: ['database'] },
    retryAfterSeconds: DATABASE_AGAIN_SECONDS,
    cause: error,
  });
}

/** The contract's error body: `{ error: { message, statusCode, code, details? } }`. Unknown errors say nothing about themselves. */
export function errorResponse(error: unknown): Response {
  const known =
    appErrorOf(error) ??
    new AppError('INTERNAL_ERROR', 'Something went wrong on our side; the request id is in x-request-id');
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
