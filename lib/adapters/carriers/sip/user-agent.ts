import { describeError, type Logger } from '#lib/log.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { nextHopOf } from './dialog.ts';
import { answerForgotten } from './stray-answer.ts';
import { type Essentials, faultOf, hostOf, parseUri, readEssentials, tagOf } from './grammar.ts';
import {
  header,
  headerList,
  parseMessage,
  responseTo,
  serializeMessage,
  type SipRequest,
} from './message.ts';
import { resolveUri } from './resolve.ts';
import type { SessionHost } from './session.ts';
import { createTimers } from './timers.ts';
import { createTransactionLayer, MAGIC_COOKIE, stampVia } from './transaction.ts';
import type { ClientHandlers, ClientTransaction } from './transaction-client.ts';
import type { ServerTransaction } from './transaction-server.ts';
import type { TrunkDigest } from './trunk-digest.ts';
import type { Flow } from './flow.ts';
import { openTransport, type TransportOptions } from './transport.ts';

/** Requests that are understood. REFER is answered with a refusal: nobody transfers our agent. */
const ALLOW = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK, INFO, NOTIFY';
const EXTENSIONS = new Set(['100rel', 'timer', 'replaces', 'norefersub']);
const MOST_TRANSACTIONS = 20_000;

export type UserAgent = Awaited<ReturnType<typeof openUserAgent>>;
export type SentRequest = { current(): ClientTransaction | undefined };

/** A call that somebody wants to begin. */
export type Invitation = {
  transaction: ServerTransaction;
  essentials: Essentials;
  localTag: string;
  host: SessionHost;
};

export type UserAgentOptions = Pick<TransportOptions, 'listen' | 'advertisedIp' | 'tls'> & {
  clock: Pick<CallClock, 'nowMs' | 'sleep'>;
  log: Logger;
  /** An unguessable word of letters and digits. */
  makeToken(): string;
  digest: TrunkDigest;
  /** Whether an address may begin calls here. Others get no answer to anything. */
  isAllowed(address: string): boolean;
  onInvite(invitation: Invitation): void;
  /** How messages travel; a test's network, or the real one. */
  openTransport?: typeof openTransport | undefined;
};

type Receive = (transaction: ServerTransaction, essentials: Essentials) => void;

/** The core of RFC 3261, section 8: what comes from the wire finds its transaction, its dialog, or nobody. */
export async function openUserAgent(options: UserAgentOptions) {
  const { clock, log, makeToken, digest, isAllowed, onInvite } = options;
  const onFailed = (error: unknown) => log.error({ event: 'sip_failed', error: describeError(error) });
  const timers = createTimers(clock, onFailed);
  const dialogs = new Map<string, Receive>();
  const acks = new Map<string, (ack: SipRequest, essentials: Essentials) => void>();
  /** INVITEs under way, by what a copy that came another way has in common with them (section 8.2.2.2). */
  const inviting = new Map<string, string>();

  const layer = createTransactionLayer({
    timers,
    makeBranch: () => `${MAGIC_COOKIE}${makeToken()}`,
    mostTransactions: MOST_TRANSACTIONS,
    user: {
      onRequest: receiveRequest,
      onAck: (request, essentials) => acks.get(keyOf(essentials))?.(request, essentials),
      onStrayResponse(response, essentials, flow) {
        if (!isAllowed(flow.remote.address) && !digest.hasReached(flow.remote.address)) return;
        for (const request of answerForgotten(response, essentials))
          if (request.method === 'ACK') layer.sendAck(request, flow);
          else layer.request(request, flow, { onResponse: () => {}, onFailed: () => {} });
      },
    },
  });
  const transport = await (options.openTransport ?? openTransport)({
    ...options,
    isWelcome: isAllowed,
    onBytes: receiveBytes,
  });

  function receiveBytes(bytes: Buffer, flow: Flow): void {
    try {
      receiveMessage(bytes, flow);
    } catch (error) {
      onFailed(error);
    }
  }

  function receiveMessage(bytes: Buffer, flow: Flow): void {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) return undefined;
    const { message } = parsed;
    const read = readEssentials(message);
    if (!read.ok) return undefined;
    const { essentials } = read;
    if (message.kind === 'response') return layer.receive(message, essentials, flow);
    // Who is not allowed to call may still end a call that we began: its tags are known to nobody else.
    const isKnown = dialogs.has(keyOf(essentials)) || layer.isKnown(message, essentials);
    if (!isKnown && !isAllowed(flow.remote.address)) return undefined;
    stampVia(message, flow);
    const fault = message.method === 'ACK' ? undefined : faultOf(message);
    if (!fault) return layer.receive(message, essentials, flow);
    const response = { ...responseTo(message, fault.status, makeToken()), reason: fault.reason };
    return flow.send(serializeMessage(response));
  }

  function receiveRequest(transaction: ServerTransaction, essentials: Essentials): void {
    const { request } = transaction;
    if (essentials.toTag !== undefined) {
      const receive = dialogs.get(keyOf(essentials));
      if (receive) return receive(transaction, essentials);
      return transaction.respond(responseTo(request, 481, makeToken()));
    }
    const refuse = (status: number, name?: string, value?: string) => {
      const response = responseTo(request, status, makeToken());
      if (name !== undefined && value !== undefined) response.headers.set(name, [value]);
      transaction.respond(response);
    };
    if (!parseUri(request.uri)) return refuse(416);
    const unknown = headerList(request, 'require').filter((tag) => !EXTENSIONS.has(tag.toLowerCase()));
    if (unknown.length > 0) return refuse(420, 'unsupported', unknown.join(', '));
    if (request.method === 'OPTIONS') return refuse(200, 'allow', ALLOW);
    if (request.method === 'BYE') return refuse(481);
    if (request.method !== 'INVITE') return refuse(405, 'allow', ALLOW);
    return receiveInvite(transaction, essentials);
  }

  function receiveInvite(transaction: ServerTransaction, essentials: Essentials): void {
    const { callId, fromTag, seq } = essentials;
    const same = `${callId} ${fromTag} ${seq}`;
    const branch = essentials.branch ?? '';
    const localTag = makeToken();
    if ((inviting.get(same) ?? branch) !== branch)
      return transaction.respond(responseTo(transaction.request, 482, localTag));
    inviting.set(same, branch);
    timers.after(32_000, () => inviting.delete(same));
    transaction.respond(responseTo(transaction.request, 100));
    return onInvite({ transaction, essentials, localTag, host: hostFor(transaction.flow) });
  }

  /** What sessions need; `flow`: the way that the peer came, where there is one. */
  function hostFor(flow: Flow): SessionHost {
    return {
      timers,
      allow: ALLOW,
      contact: () => contactOn(flow),
      send: (request, handlers, onSeq) =>
        void send(request, handlers, { via: flow, onChallenged: (again) => onSeq(seqOf(again)) }),
      sendAck: (request) =>
        void flowFor(request, flow).then((found) => layer.sendAck(request, found), onFailed),
      register(key, receive) {
        dialogs.set(key, receive);
        return () => dialogs.delete(key);
      },
      registerAck(key, receive) {
        acks.set(key, receive);
        return () => acks.delete(key);
      },
    };
  }

  /** The way to the next hop: the one that is known, where the peer cannot be reached at what it says it is. */
  async function flowFor(request: SipRequest, known: Flow | undefined): Promise<Flow> {
    const hop = nextHopOf(request);
    const host = parseUri(hop)?.host;
    if (
      known &&
      (known.isReliable || host === hostOf(known.remote.address)) &&
      headerList(request, 'route').length === 0
    )
      return known.isReliable ? known : transport.flowTo(await resolveUri(hop));
    return transport.flowTo(await resolveUri(hop));
  }

  /**
   * Sends a request; answers one challenge of each kind, if it is the trunk's. A request that has no way to go fails as unreachable. What is
   * returned tells the transaction that is under way.
   */
  async function send(
    given: SipRequest,
    handlers: ClientHandlers,
    how: {
      via?: Flow | undefined;
      branch?: string | undefined;
      onChallenged?: (again: SipRequest) => void;
    } = {},
  ): Promise<SentRequest> {
    let transaction: ClientTransaction | undefined;
    const start = (request: SipRequest, flow: Flow, branch?: string) => {
      transaction = layer.request(
        request,
        flow,
        {
          ...handlers,
          onResponse: (response) => {
            const isChallenge = response.status === 401 || response.status === 407;
            const answer = isChallenge ? digest.answer(request, response, flow) : undefined;
            if (!answer) return handlers.onResponse(response);
            const again = withHigherSeq(request, answer);
            how.onChallenged?.(again);
            // Known beforehand like the first, see `branch`.
            return start(again, flow, branch && `${branch.replace(/-\d+$/, '')}-${seqOf(again)}`);
          },
        },
        branch,
      );
    };
    try {
      const flow = await flowFor(given, how.via);
      if (tagOf(header(given, 'to')) === undefined) digest.reached(flow.remote.address);
      start(given, flow, how.branch);
    } catch (error) {
      log.info({ event: 'sip_unreachable', error: describeError(error) });
      handlers.onFailed('unreachable');
    }
    return { current: () => transaction };
  }

  const contactOn = (flow: Flow) => {
    const { address, port } = flow.local;
    const transportParam = flow.protocol === 'udp' ? '' : `;transport=${flow.protocol}`;
    return `<sip:callwright@${hostOf(address)}:${port}${transportParam}>`;
  };

  return {
    timers,
    listening: transport.listening,
    hostFor,
    send,
    contactOn,
    allow: ALLOW,
    /** The way to the trunk. */
    async flowTo(uri: string): Promise<Flow> {
      const flow = await transport.flowTo(await resolveUri(uri));
      digest.reached(flow.remote.address);
      return flow;
    },
    /** Sends a CANCEL: the same branch as its INVITE, and no transaction of ours to wait for. */
    sendWithBranch: (request: SipRequest, flow: Flow, branch: string, handlers: ClientHandlers) =>
      layer.request(request, flow, handlers, branch),
    size: () => ({ transactions: layer.size(), dialogs: dialogs.size }),
    close: () => transport.close(),
  };
}

/** Requests of the peer have its tag in From and ours in To. */
const keyOf = ({ callId, fromTag, toTag }: Essentials) => `${callId} ${toTag ?? ''} ${fromTag ?? ''}`;

/** The same request once more (section 22.2): the next number, and what proves who we are. */
function withHigherSeq(request: SipRequest, proof: { name: string; value: string }): SipRequest {
  const seq = seqOf(request) + 1;
  const headers = new Map(request.headers);
  headers.delete('via');
  headers.set('cseq', [`${seq} ${request.method}`]);
  headers.set(proof.name, [proof.value]);
  return { ...request, headers };
}

const seqOf = (request: SipRequest) => Number.parseInt(header(request, 'cseq') ?? '1', 10);
