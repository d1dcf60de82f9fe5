import { runtime } from '#lib/current-runtime.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { AppError, isAppError } from '#lib/errors.ts';
import { describeError } from '#lib/log.ts';
import type { Runtime } from '#lib/runtime.ts';
import type { FinishedSpan } from '#lib/ports/tracer.ts';
import { continueTrace, parseTraceparent, runInTrace } from '#lib/trace/context.ts';
import { tellTrace } from '#lib/trace/outgoing.ts';
import { type Base, splitBase } from './base.ts';
import { readJsonBody } from './body.ts';
import { BODY_BYTES_HEADER } from './content-length.ts';
import { errorCodesOf } from './error-codes.ts';
import { appErrorOf, errorResponse } from './error-response.ts';
import {
  isForDashboard,
  CONFIRMATION_HEADER,
  isMultipart,
  maxJsonBytesOf,
  type Operation,
  type OperationInput,
  type OperationResponse,
  type Scope,
} from './operation.ts';
import { parseOrThrow } from './parse.ts';
import { unknownFields, unknownParameters, warnOfParameters, withIgnoredFields } from './unknown-names.ts';
import { hasWrittenData, type WrittenJson } from './written-json.ts';

type ActorFor<S extends Scope> = S extends 'public'
  ? undefined
  : S extends 'user'
    ? { userId: string; email: string; sessionId: string }
    : Actor;

export type HandlerContext<O extends Operation> = OperationInput<O> & {
  actor: ActorFor<O['scope']>;
  request: Request;
  runtime: Runtime;
};

/** The database may have written `data` as JSON (see `WrittenJson`). */
type Written<Answer> = Answer extends { data: infer Data } ? { data: WrittenJson<Data> } : never;
type Answer<O extends Operation> = O['produces'] extends string
  ? Response
  : OperationResponse<O> | Written<OperationResponse<O>>;
type NextContext = { params: Promise<Record<string, string>> };
export type RouteHandler = (request: Request, context: NextContext) => Promise<Response>;

/**
 * Makes a Next route handler from an operation. Order: request id, who, scope, rate limit, parse, handler, check
 * of the answer, one log event. Curried so that the handler's types follow from the operation alone.
 */
export function route<O extends Operation>(operation: O) {
  return (handle: (context: HandlerContext<O>) => Promise<Answer<O>>): RouteHandler =>
    async (request, context) => {
      const services = runtime();
      const startedAt = performance.now();
      const asked = parseTraceparent(request.headers.get('traceparent'));
      const trace = continueTrace(asked);
      const event: Event = {
        event: 'request',
        requestId: services.ids.next('req'),
        traceId: trace.traceId,
        operation: operation.id,
        method: operation.method,
      };
      const told = services.tracer.isOn ? trace : undefined;
      const response = await runInTrace(trace, () => tellTrace(told, answer));
      const durationMs = performance.now() - startedAt;
      const { status } = response;
      Object.assign(event, { status, durationMs: Math.round(durationMs) });
      services.metrics.request({ operation: operation.id, status, seconds: durationMs / 1000 });
      services.log[status >= 500 ? 'error' : 'info'](event);
      if (services.tracer.isOn)
        services.tracer.record(
          spanOf(event, { trace, parentSpanId: asked?.spanId, endedAt: services.clock.now(), durationMs }),
        );
      response.headers.set('x-request-id', event.requestId);
      return response;

      async function answer(): Promise<Response> {
        try {
          const identity = await services.auth.identify(request, operation);
          event.workspaceId = identity.workspaceId;
          event.actor = identity.label;
          await services.rateLimiter.take(identity.rateKey, operation.id);
          const { input, base, ignored } = await parseInput(operation, request, await context.params);
          const answered = await handle({
            ...input,
            actor: withAnswers(identity.actor, { base, request }) as ActorFor<O['scope']>,
            request,
            runtime: services,
          }).catch((error: unknown) => {
            throw services.env.production ? error : undeclaredFailure(operation, error);
          });
          const response =
            answered instanceof Response
              ? answered
              : answerJson(operation, withIgnoredFields(answered, ignored.fields), services.env.production);
          warnOfParameters(response, ignored.parameters);
          return response;
        } catch (error) {
          describeFailure(event, error);
          return errorResponse(error);
        }
      }
    };
}

/** Who acts, with what they read before and what they said yes to. */
function withAnswers(
  actor: unknown,
  { base, request }: { base: Base | undefined; request: Request },
): unknown {
  const confirmation = request.headers.get(CONFIRMATION_HEADER) ?? undefined;
  if (typeof actor !== 'object' || (base === undefined && confirmation === undefined)) return actor;
  return { ...actor, base, confirmation };
}

type Event = Record<string, unknown> & { requestId: string; operation: string; status?: number };

function spanOf(
  { operation, requestId, workspaceId, status = 0, method }: Event,
  { durationMs, ...span }: Pick<FinishedSpan, 'trace' | 'parentSpanId' | 'endedAt'> & { durationMs: number },
): FinishedSpan {
  return {
    ...span,
    name: operation,
    kind: 'server',
    startedAt: new Date(span.endedAt.getTime() - durationMs),
    attributes: {
      'http.request.method': String(method),
      'http.response.status_code': status,
      'callwright.request_id': requestId,
      'callwright.workspace_id': typeof workspaceId === 'string' ? workspaceId : undefined,
    },
    error: status >= 500 ? String(status) : undefined,
  };
}

async function parseInput<O extends Operation>(
  operation: O,
  request: Request,
  params: Record<string, string>,
): Promise<{
  input: OperationInput<O>;
  base: Base | undefined;
  ignored: { fields: string[]; parameters: string[] };
}> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const parameters = unknownParameters(operation, query);
  const headers = Object.fromEntries(request.headers);
  const body =
    operation.body && !isMultipart(operation.body)
      ? { schema: operation.body, sent: await readJsonBody(request, { maxBytes: maxJsonBytesOf(operation) }) }
      : undefined;
  const { base, ...input } = {
    params: operation.params ? parseOrThrow(operation.params, decodeParams(params), 'path') : undefined,
    query: operation.query ? parseOrThrow(operation.query, query, 'query') : undefined,
    headers: operation.headers ? parseOrThrow(operation.headers, headers, 'headers') : undefined,
    ...splitBase(body ? parseOrThrow(body.schema, body.sent, 'body', operation.maxBodyValues) : undefined),
  };
  const fields = body ? unknownFields(body.schema, body.sent) : [];
  return { input: input as OperationInput<O>, base, ignored: { fields, parameters } };
}

/** Next hands over path segments still percent-encoded. */
function decodeParams(params: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw new AppError('MALFORMED_REQUEST', 'The path is not valid percent-encoded UTF-8');
  }
}

function answerJson(operation: Operation, answer: unknown, production: boolean): Response {
  const body = hasWrittenData(answer)
    ? writtenBody(operation, answer.data, production)
    : JSON.stringify(checked(operation, answer, production));
  return new Response(body, {
    status: operation.status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      [BODY_BYTES_HEADER]: String(Buffer.byteLength(body)),
    },
  });
}

/** The query names each field of it, so production does not look again; development and tests do. */
function writtenBody(operation: Operation, data: WrittenJson<unknown>, production: boolean): string {
  if (!production) checked(operation, { data: data.parse() }, production);
  return `{"data":${data.writtenJson}}`;
}

function checked(operation: Operation, answer: unknown, production: boolean): unknown {
  if (!operation.response) throw new Error(`${operation.id} answers JSON but declares no response`);
  const result = operation.response.safeParse(answer);
  // A wrong answer is our own fault: loud in development and tests. In production the client gets what there is
  // only when it has the declared shape, because undeclared fields could leak another feature's data.
  if (!result.success) {
    throw new Error(
      `${operation.id} answered against its own schema: ${result.error.message}${production ? '' : JSON.stringify(answer)}`,
    );
  }
  return result.data;
}

/**
 * A public operation says every code that it fails with; one that it does not say is a mistake in its contract, and loud
 * wherever it can be mended. Who may call at all was decided before.
 */
function undeclaredFailure(operation: Operation, error: unknown): unknown {
  if (!isAppError(error) || isForDashboard(operation) || errorCodesOf(operation).includes(error.code))
    return error;
  return new Error(`${operation.id} fails with ${error.code}, which its contract does not declare`, {
    cause: error,
  });
}

function describeFailure(event: Event, error: unknown): void {
  const known = appErrorOf(error);
  if (known) event.code = known.code;
  // Of a database that is away the log tells what it was.
  if (!isAppError(error)) event.error = describeError(error);
}
