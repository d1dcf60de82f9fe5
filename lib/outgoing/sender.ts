import { parseAllowlist } from './allowlist.ts';
import { connectTo, type TlsTrust } from './connect.ts';
import { type Answer, exchange, type Exchange } from './exchange.ts';
import { describeError, type Failure, timedOut } from './failures.ts';
import { type Resolvers, resolveTarget, systemResolvers } from './resolve.ts';
import { checkUrl } from './url-rule.ts';

/** Name, connection, TLS, headers and body of the answer together (contract, Delivery 2). */
export const BUDGET_MS = 10_000;

export type OutgoingRequest = {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body: Uint8Array;
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
  const budgetMs = options.budgetMs ?? BUDGET_MS;

  async function attempt(
    request: OutgoingRequest,
    signal: AbortSignal,
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
    return exchange(socket, { ...request, url: target.url }, { signal, onTimeout: () => timedOut(budgetMs) });
  }

  return {
    async send(request) {
      const startedAt = performance.now();
      const budget = new AbortController();
      const timer = setTimeout(() => budget.abort(new Error('the budget is spent')), budgetMs);
      let resolvedIp: string | undefined;
      try {
        const { answer, failure } = await attempt(request, budget.signal, (ip) => {
          resolvedIp = ip;
        });
        return { resolvedIp, durationMs: elapsed(startedAt), answer, failure };
      } catch (error) {
        const failure = budget.signal.aborted ? timedOut(budgetMs) : describeError(error);
        return { resolvedIp, durationMs: elapsed(startedAt), answer: undefined, failure };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function failed(failure: Failure): Exchange {
  return { answer: undefined, failure };
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
