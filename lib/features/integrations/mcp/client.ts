import {
  Client,
  type ConnectOptions,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { createOutgoingFetch, type Fetch } from '#lib/outgoing/fetch.ts';
import { rejectedWhenAborted } from '#lib/outgoing/resolve.ts';
import type { Sender } from '#lib/outgoing/sender.ts';
import type { Heard } from '../http/answer.ts';
import { readResult } from './result.ts';
import { type ListedTool, MCP_LIMITS } from './tool.ts';

export type McpServer = {
  sender: Sender;
  address: string;
  headers: Record<string, string>;
  /** Of the protocol, as the server was found to speak it; null: not asked yet. */
  protocolVersion: string | null;
  /** For one listing, or one use with everything that belongs to it. */
  timeoutMs: number;
  maxAnswerBytes?: number;
};

export type Listing =
  | { ok: true; tools: ListedTool[]; protocolVersion: string | null }
  | { ok: false; reason: string };

/** Asks a server for its tools, page by page, as far as anybody would read. */
export async function listServerTools(server: McpServer): Promise<Listing> {
  return inSession<Listing>({ ...server, protocolVersion: null }, async (client, options) => {
    const tools: ListedTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MCP_LIMITS.pages; page += 1) {
      // Not `listTools()`, which walks up to 64 pages by itself.
      const answer = await client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        options,
      );
      tools.push(...answer.tools);
      cursor = answer.nextCursor;
      if (cursor === undefined || tools.length > MCP_LIMITS.tools) break;
    }
    return { ok: true, tools, protocolVersion: client.getNegotiatedProtocolVersion() ?? null };
  }).catch(({ reason }: McpFailure) => ({ ok: false, reason }) as const);
}

/** Uses a tool of a server: a session of its own each time (docs/decisions/0296), which is ended afterwards. */
export async function callServerTool(
  server: McpServer,
  call: { name: string; arguments: Record<string, unknown> },
): Promise<{ heard: Heard; isTheirFault: boolean }> {
  const use = (known: McpServer) =>
    inSession(known, async (client, options) => readResult(await client.callTool(call, options)));
  try {
    const heard = await use(server).catch((failure: McpFailure) => {
      // Nothing was done yet: the server has forgotten the session, or speaks another version by now.
      if (failure.isOfSession) return use({ ...server, protocolVersion: null });
      throw failure;
    });
    return { heard, isTheirFault: false };
  } catch (error) {
    const { reason, isRefusal } = error as McpFailure;
    return { heard: { ok: false, reason }, isTheirFault: !isRefusal };
  }
}

/** Why a session came to nothing: one sentence. */
type McpFailure = {
  reason: string;
  /** The server does not know the session, or the version of the protocol; it has done nothing. */
  isOfSession: boolean;
  /** The server works, and refuses what it was asked for. */
  isRefusal: boolean;
};

type Options = { signal: AbortSignal; timeout: number; maxTotalTimeout: number };

/** Rejects with a `McpFailure`. */
async function inSession<Result>(
  server: McpServer,
  work: (client: Client, options: Options) => Promise<Result>,
): Promise<Result> {
  const { address, headers, timeoutMs, maxAnswerBytes = MCP_LIMITS.answerBytes } = server;
  let outgoing: string | undefined;
  const broken = new AbortController();
  const onFailure = (reason: string) => {
    outgoing ??= reason;
    // The library would wait out its time for the rest of a stream that broke off.
    broken.abort(new Error(reason));
  };
  const fetch = createOutgoingFetch(server.sender, { budgetMs: timeoutMs, maxAnswerBytes, onFailure });
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    fetch: withoutListening(fetch),
    // No redirect is followed, as everywhere.
    requestInit: { headers, redirect: 'manual' },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const client = createClient();
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), broken.signal]);
  const options = { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs };
  try {
    const done = client
      .connect(transport, { ...options, ...known(server.protocolVersion) })
      .then(() => work(client, options));
    // Not every step of the library heeds the signal.
    return await Promise.race([done, rejectedWhenAborted(signal)]);
  } catch (error) {
    const isModern = isSessionless(server.protocolVersion);
    throw failureOf(error, { outgoing, isModern, hasSession: transport.sessionId !== undefined });
  } finally {
    // Nobody waits for a goodbye: it has the time of its own request, and no say in the result.
    void transport
      .terminateSession()
      .catch(() => undefined)
      .then(() => client.close())
      .catch(() => undefined);
  }
}

function createClient(): Client {
  return new Client(
    { name: 'callwright', version: '1' },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto' },
      // What a server wants to ask the person, or the model, is answered by nobody here.
      inputRequired: { autoFulfill: false },
      // What a server says its answers look like is a schema of its own; checking it would run its patterns here.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
}

/** Servers may push over a stream that stays open; nobody here listens. */
function withoutListening(fetch: Fetch): Fetch {
  return async (url, init) =>
    init?.method === 'GET' ? new Response(null, { status: 405 }) : fetch(url, init);
}

/** Without asking the server again which version it speaks: one request less for each use. */
function known(protocolVersion: string | null): Pick<ConnectOptions, 'prior'> {
  if (protocolVersion === null) return {};
  if (!isSessionless(protocolVersion)) return { prior: { kind: 'legacy' } };
  return {
    prior: {
      kind: 'modern',
      discover: { supportedVersions: [protocolVersion], capabilities: { tools: {} } },
    },
  };
}

/** Versions are dates; since this one there are no sessions to open. */
function isSessionless(protocolVersion: string | null): boolean {
  return protocolVersion !== null && protocolVersion >= '2026-07-28';
}

/** `outgoing`: what the sender said of it, which is nearer to the cause than what the library makes of it. */
function failureOf(
  error: unknown,
  given: { outgoing: string | undefined; hasSession: boolean; isModern: boolean },
): McpFailure {
  const plain = { isOfSession: false, isRefusal: false };
  if (given.outgoing !== undefined) return { ...plain, reason: given.outgoing };
  if (error instanceof SdkHttpError)
    return {
      ...plain,
      reason: `The server answered with status ${error.status}.`,
      // A server without sessions that wants one by now refuses the request as malformed.
      isOfSession: given.isModern
        ? [400, 404, 405, 406].includes(error.status)
        : error.status === 404 && given.hasSession,
    };
  if (error instanceof ProtocolError)
    return {
      reason: `The server refused it: ${error.message.slice(0, 300).toWellFormed()}`,
      isOfSession: error.code === UNSUPPORTED_VERSION,
      isRefusal: true,
    };
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType)
    return {
      ...plain,
      isRefusal: true,
      reason: 'The server asks for something that only a person can answer.',
    };
  if (isTimeout(error)) return { ...plain, reason: 'The server did not answer in time.' };
  return { ...plain, reason: 'The server does not speak MCP over streamable HTTP at this address.' };
}

const UNSUPPORTED_VERSION = -32_022;

function isTimeout(error: unknown): boolean {
  if (error instanceof SdkError) return error.code === SdkErrorCode.RequestTimeout;
  return error instanceof Error && /timeout|timed out|aborted/i.test(`${error.name} ${error.message}`);
}
