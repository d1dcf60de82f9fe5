import { traceHeaders } from '#lib/trace/outgoing.ts';
import { parseAllowlist } from './allowlist.ts';
import { connectTo, type TlsTrust } from './connect.ts';
import { type Answer, exchange, type Exchange, type Listener, MAX_ANSWER_BYTES } from './exchange.ts';
import { describeError, type Failure, timedOut } from './failures.ts';
import { type Resolvers, resolveTarget, systemResolvers } from './resolve.ts';
import { checkUrl } from './url-rule.ts';

/** Name, connection, TLS, headers and body of the answer together (contract, Delivery 2). */
export const BUDGET_MS = 10_000;

export type OutgoingRequest = Listener & {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Instead of the sender's own. */
  budgetMs?: number;
  /** Instead of `MAX_ANSWER_BYTES`. */
  maxAnswerBytes?: number;
  /** Gives the request up. */
  signal?: AbortSignal;
};

export type Outcome = {
  /** The address that was connected to (or last tried); undefined when it came to none. */
  resolvedIp: string | undefined;
  durationMs: number;
  /** What came of an answer, even when it broke off. */
  answer: Answer | undefined;
  /** undefined: a complete answer came, whatever its status, or as much of it as is read. */
  failure: Failure | undefined;
};

export type Sender = { send(request: OutgoingRequest): Promise<Outcome> };

/**
 * The one way out of the service, for webhooks and for tools that call an address somebody typed in. Never throws:
 * refusals and errors are part of the outcome. Every request has a socket of its own; holds nothing between requests.
 */
export function createSender(options: {
  allowlist: readonly string[];
  resolvers?: Resolvers;
  trust?: TlsTrust;
  budgetMs?: number;
}): Sender {
  const allowlist = parseAllowlist(options.allowlist);
  const resolvers = options.resolvers ?? systemResolvers;
  const usualBudgetMs = options.budgetMs ?? BUDGET_MS;

  async function attempt(
    request: OutgoingRequest,
    { signal, budgetMs }: { signal: AbortSignal; budgetMs: number },
    onAddress: (ip: string) => void,
  ): Promise<Exchange> {
    const target = checkUrl(request.url, allowlist);
    if (!target.ok) return failed({ kind: 'refused', reason: `The address is refused: ${target.reason}.` });
    const resolution = await resolveTarget(target, allowlist, resolvers, signal);
    if (!resolution.ok) {
      const prefix =
        resolution.kind === 'refused' ? 'The address is refused' : 'The name could not be resolved';
      return failed({ kind: resolution.kind, reason: `${prefix}: ${resolution.reason}.` });
    }
    const socket = await connectTo(target, resolution.addresses, {
      trust: options.trust ?? {},
      signal,
      onAddress,
    });
    const { maxAnswerBytes = MAX_ANSWER_BYTES } = request;
    const { onHead, onPart } = request;
    const limits = { signal, maxAnswerBytes, onHead, onPart, onTimeout: () => timedOut(budgetMs) };
    const headers = withTrace(request.headers);
    return exchange(socket, { ...request, headers, url: target.url }, limits);
  }

  return {
    async send(request) {
      const startedAt = performance.now();
      const { budgetMs = usualBudgetMs } = request;
      const budget = new AbortController();
      const timer = setTimeout(() => budget.abort(new Error('the budget is spent')), budgetMs);
      const giveUp = () => budget.abort(new Error('given up'));
      request.signal?.addEventListener('abort', giveUp, { once: true });
      if (request.signal?.aborted) giveUp();
      let resolvedIp: string | undefined;
      try {
        const { answer, failure } = await attempt(request, { signal: budget.signal, budgetMs }, (ip) => {
          resolvedIp = ip;
        });
        return { resolvedIp, durationMs: elapsed(startedAt), answer, failure };
      } catch (error) {
        const failure = budget.signal.aborted ? timedOut(budgetMs) : describeError(error);
        return { resolvedIp, durationMs: elapsed(startedAt), answer: undefined, failure };
      } finally {
        clearTimeout(timer);
        request.signal?.removeEventListener('abort', giveUp);
      }
    },
  };
}

/** What somebody has configured, and what a webhook says of its own span, stays. */
function withTrace(headers: Record<string, string>): Record<string, string> {
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent');
  return isGiven ? headers : { ...headers, ...traceHeaders() };
}

function failed(failure: Failure): Exchange {
  return { answer: undefined, failure };
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
