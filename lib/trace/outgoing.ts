import { AsyncLocalStorage } from 'node:async_hooks';
import { formatTraceparent, type TraceContext } from './context.ts';

const KEY = Symbol.for('callwright.outgoing-trace');
type Holder = { [KEY]?: AsyncLocalStorage<TraceContext> };

/** One for the process: Next gives routes copies of this module of their own. */
const storage = () => ((globalThis as Holder)[KEY] ??= new AsyncLocalStorage());

/**
 * Requests that `work` sends to tools and models tell that they belong to the trace (W3C Trace Context). Undefined: they
 * tell nothing, as where nobody collects traces.
 */
export function tellTrace<Result>(trace: TraceContext | undefined, work: () => Result): Result {
  return trace ? storage().run(trace, work) : work();
}

/** What a request to a tool or a model says of its trace. Ids alone: they are made of chance, or of a call's id by SHA-256. */
export function traceHeaders(): { traceparent?: string } {
  const trace = storage().getStore();
  return trace ? { traceparent: formatTraceparent(trace) } : {};
}

/** `fetch` for clients of models. */
export async function fetchInTrace(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { traceparent } = traceHeaders();
  if (traceparent === undefined) return fetch(url, init);
  const headers = new Headers(init.headers);
  headers.set('traceparent', traceparent);
  return fetch(url, { ...init, headers });
}
