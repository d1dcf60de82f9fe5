import type { Error as ErrorAnswer, ErrorCode } from './generated/types.gen.ts';

/** What the service answered instead of a result: `{ error: { code, message, statusCode, details } }`. */
export class CallwrightError extends Error {
  override readonly name = 'CallwrightError';
  /** The HTTP status. */
  readonly statusCode: number;
  /** Stable, to program against; undefined where something other than the service answered, such as a proxy. */
  readonly code: ErrorCode | undefined;
  readonly details: Record<string, unknown> | undefined;
  /** Quote it when you report a failure of the service. */
  readonly requestId: string | undefined;
  /** How long to wait before asking again, where the service says so (429, 503). */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, answer: unknown) {
    const error = isErrorAnswer(answer) ? answer.error : undefined;
    super(error?.message ?? `The service answered with status ${response.status}`);
    this.statusCode = response.status;
    this.code = error?.code;
    this.details = error?.details;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}

function isErrorAnswer(answer: unknown): answer is ErrorAnswer {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'error' in answer &&
    typeof answer.error === 'object' &&
    answer.error !== null &&
    'message' in answer.error &&
    typeof answer.error.message === 'string'
  );
}
