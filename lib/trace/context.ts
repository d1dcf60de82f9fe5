import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';

/** Where something belongs in a trace: W3C Trace Context, level 1. */
export type TraceContext = {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 of them: the span below which others stand. */
  spanId: string;
  /** Whether whoever began the trace wants it kept. */
  isSampled: boolean;
};

const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** Reads a `traceparent` header; undefined where it is none that may be continued (section 3.2.2 there). */
export function parseTraceparent(header: string | null | undefined): TraceContext | undefined {
  const [, version, traceId, spanId, flags, more] = FORM.exec(header?.trim() ?? '') ?? [];
  if (!version || !traceId || !spanId || !flags) return undefined;
  if (version === 'ff' || traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  // Only versions that do not exist yet may have more.
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** A span of its own below the one that a caller names, or of a new trace. */
export function continueTrace(from: TraceContext | undefined): TraceContext {
  const spanId = randomBytes(8).toString('hex');
  return from ? { ...from, spanId } : { traceId: randomBytes(16).toString('hex'), spanId, isSampled: true };
}

/**
 * The span of a call, a delivery or a document, from its id: whichever process works on it, and whichever goes on after
 * one has died, means the same span. `from` is where it was asked for; without it the trace has its id from there too.
 */
export function traceOf(id: string, from: TraceContext | undefined): TraceContext {
  const hash = createHash('sha256').update(id).digest('hex');
  const spanId = hash.slice(0, 16);
  return from ? { ...from, spanId } : { traceId: hash.slice(32), spanId, isSampled: true };
}

const KEY = Symbol.for('callwright.trace');
type Holder = { [KEY]?: AsyncLocalStorage<TraceContext> };

/** One for the process: Next gives routes copies of this module of their own. */
const storage = () => ((globalThis as Holder)[KEY] ??= new AsyncLocalStorage());

/** Whatever `work` begins belongs to the trace. */
export function runInTrace<Result>(trace: TraceContext, work: () => Result): Result {
  return storage().run(trace, work);
}

/** Of the request that is being answered; undefined in work that no request began. */
export function currentTrace(): TraceContext | undefined {
  return storage().getStore();
}
