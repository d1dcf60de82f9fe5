import { formatVia, hostOf, parseVia, type Essentials } from './grammar.ts';
import {
  header,
  headerList,
  responseTo,
  serializeMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from './message.ts';
import {
  createClientTransaction,
  type ClientHandlers,
  type ClientTransaction,
} from './transaction-client.ts';
import { createServerTransaction, type ServerTransaction } from './transaction-server.ts';
import type { Timers } from './timers.ts';
import type { Flow } from './flow.ts';

/** Every branch of RFC 3261 begins so; others are of RFC 2543 and need not be unique (section 8.1.1.7). */
export const MAGIC_COOKIE = 'z9hG4bK';

/** What the transaction layer hands on. */
export type TransactionUser = {
  /** A request that is none of a known transaction. */
  onRequest(transaction: ServerTransaction, essentials: Essentials): void;
  /** The ACK of a 2xx, which is a transaction of its own (section 13.2.2.4). */
  onAck(request: SipRequest, essentials: Essentials): void;
  /** A response to a request that nobody here remembers. */
  onStrayResponse(response: SipResponse, essentials: Essentials, flow: Flow): void;
};

export type TransactionLayer = ReturnType<typeof createTransactionLayer>;

/**
 * Requests and their responses, repeated over UDP until they are answered (RFC 3261, section 17). With
 * `mostTransactions` under way nothing new is taken in: an answer costs more than none.
 */
export function createTransactionLayer(options: {
  timers: Timers;
  makeBranch(): string;
  mostTransactions: number;
  user: TransactionUser;
}) {
  const { timers, makeBranch, mostTransactions, user } = options;
  const clients = new Map<string, ClientTransaction>();
  const servers = new Map<string, ServerTransaction>();

  function receiveResponse(response: SipResponse, essentials: Essentials, flow: Flow): void {
    const client = clients.get(`${essentials.branch} ${essentials.cseqMethod}`);
    // A second Via is of a proxy that should have taken it away (section 8.1.3.3).
    if (headerList(response, 'via').length !== 1) return;
    if (client) client.receive(response);
    else user.onStrayResponse(response, essentials, flow);
  }

  function receiveRequest(request: SipRequest, essentials: Essentials, flow: Flow): void {
    const key = serverKey(request, essentials, request.method);
    const known = servers.get(key);
    if (known) return known.receive(request);
    if (request.method === 'ACK') {
      const invite = servers.get(serverKey(request, essentials, 'INVITE'));
      return invite?.isRefused() ? invite.receive(request) : user.onAck(request, essentials);
    }
    if (servers.size >= mostTransactions) return undefined;
    const transaction = createServerTransaction({
      request,
      flow: wayBack(essentials, flow),
      timers,
      onOver: () => servers.delete(key),
    });
    servers.set(key, transaction);
    if (request.method !== 'CANCEL') return user.onRequest(transaction, essentials);
    const invite = servers.get(serverKey(request, essentials, 'INVITE'));
    transaction.respond(responseTo(request, invite ? 200 : 481, invite?.toTag() ?? makeBranch()));
    return invite?.cancel();
  }

  return {
    /** A message from the wire whose essentials were read. */
    receive(message: SipMessage, essentials: Essentials, flow: Flow): void {
      if (message.kind === 'response') receiveResponse(message, essentials, flow);
      else receiveRequest(message, essentials, flow);
    },

    isKnown(message: SipMessage, essentials: Essentials): boolean {
      return message.kind === 'response'
        ? clients.has(`${essentials.branch} ${essentials.cseqMethod}`)
        : servers.has(serverKey(message, essentials, message.method)) ||
            servers.has(serverKey(message, essentials, 'INVITE'));
    },

    /** Sends a request that has no Via yet. `branch` is given where it has to be known beforehand. */
    request(
      given: SipRequest,
      flow: Flow,
      handlers: ClientHandlers,
      branch = makeBranch(),
    ): ClientTransaction {
      const request = withVia(given, flow, branch);
      const key = `${branch} ${request.method}`;
      const transaction = createClientTransaction({
        request,
        flow,
        timers,
        handlers,
        onOver: () => clients.delete(key),
      });
      clients.set(key, transaction);
      transaction.start();
      return transaction;
    },

    /** Sends an ACK of a 2xx: nothing answers it, whoever sends it repeats it for each repeated 2xx. */
    sendAck(request: SipRequest, flow: Flow): void {
      flow.send(serializeMessage(withVia(request, flow, makeBranch())));
    },

    size: () => clients.size + servers.size,
  };
}

function withVia(request: SipRequest, flow: Flow, branch: string): SipRequest {
  const via = formatVia({
    protocol: flow.protocol.toUpperCase(),
    host: hostOf(flow.local.address),
    port: flow.local.port,
    params: new Map([
      ['branch', branch],
      ['rport', ''],
    ]),
  });
  return { ...request, headers: new Map([...request.headers, ['via', [via]]]) };
}

/** What requests of one transaction have in common (section 17.2.3). */
function serverKey(
  request: SipRequest,
  { via, branch, callId, fromTag, seq }: Essentials,
  method: string,
): string {
  if (branch?.startsWith(MAGIC_COOKIE) && branch.length > MAGIC_COOKIE.length)
    return `${branch} ${via.host}:${via.port ?? ''} ${method}`;
  return `${callId} ${fromTag} ${seq} ${request.uri} ${header(request, 'via')} ${method}`;
}

/** Responses go to where the request came from, over UDP to the port that the Via asks for (RFC 3581). */
function wayBack({ via }: Essentials, flow: Flow): Flow {
  return flow.isReliable || via.params.has('rport') ? flow : flow.toPort(via.port ?? 5_060);
}

/** Writes into the topmost Via where the request really came from (sections 18.2.1 and RFC 3581). */
export function stampVia(request: SipRequest, { remote }: Flow): void {
  const [first = '', ...rest] = headerList(request, 'via');
  const via = parseVia(first);
  if (!via) return;
  if (via.params.has('rport')) via.params.set('rport', String(remote.port));
  if (via.params.has('rport') || via.host !== hostOf(remote.address))
    via.params.set('received', remote.address);
  request.headers.set('via', [formatVia(via), ...rest]);
}
