import { AppError } from '#lib/errors.ts';
import { appErrorOf, errorHeaders } from '#lib/http/error-response.ts';
import { describeError, type Logger } from '#lib/log.ts';
import type { Ids } from '#lib/ports/ids.ts';

/** What is answered without a route: the error, and a header with the id under which the log has it. */
export type Refusal = { error: AppError; headers: Record<string, string> };
export type Refuse = (method: string | undefined, error: unknown) => Refusal;

/** Logs why a request reached no route, as `route` does for those that do; what is no `AppError` is a fault of ours. */
export function createRefusals({ ids, log }: { ids: Ids; log: Logger }): Refuse {
  return (method, error) => {
    const requestId = ids.next('req');
    const known =
      appErrorOf(error) ??
      new AppError('INTERNAL_ERROR', 'Something went wrong on our side; the request id is in x-request-id');
    if (known === error)
      log.info({ event: 'request', requestId, method, status: known.status, code: known.code });
    else log.error({ event: 'request_crashed', requestId, method, error: describeError(error) });
    return { error: known, headers: { ...errorHeaders(known), 'x-request-id': requestId } };
  };
}
