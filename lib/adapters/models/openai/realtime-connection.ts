import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { AppError } from '#lib/errors.ts';
import type { ProviderFailureKind } from '#lib/ports/provider-failure.ts';
import { traceHeaders } from '#lib/trace/outgoing.ts';
import { errorOf, kindOfStatus } from './failure.ts';

/** A server that has not taken the connection by then is down. */
const CONNECT_MS = 5_000;
/** The most that is read of a refusal. */
const REFUSAL_BYTES = 4_096;

export type RealtimeEvent = { type: string } & Record<string, unknown>;

export type RealtimeConnection = {
  /** Sends now, or not at all while there is no connection: `onReady` sends again what is still needed. */
  send(event: Record<string, unknown>): void;
  /** Connects where there is no connection and none is on its way. */
  ensure(): void;
  /** Leaves a connection that does not answer any more; the next `ensure` makes a new one. */
  drop(): void;
  close(): void;
};

/**
 * A WebSocket to OpenAI's Realtime API or a compatible server, made again by `ensure` when it was lost. `onReady` comes
 * after each connection and its `session`; `onLost` with the reason when it broke or could not be made.
 */
export function createRealtimeConnection(options: {
  /** What is behind it, at the beginning of a sentence: "The transcription server". */
  name: string;
  apiKey: string;
  baseUrl: string | undefined;
  /** The query of the address, e.g. `intent=transcription`. */
  query: string;
  session: Record<string, unknown>;
  onReady(): void;
  onEvent(event: RealtimeEvent): void;
  /** `wasReady`: it had been made, so that trying again at once may help. */
  onLost(error: AppError, wasReady: boolean): void;
}): RealtimeConnection {
  let socket: WebSocket | undefined;
  let isClosed = false;

  function connect(): void {
    const opened = new WebSocket(realtimeUrl(options.baseUrl, options.query), {
      headers: { authorization: `Bearer ${options.apiKey}`, ...traceHeaders() },
      handshakeTimeout: CONNECT_MS,
      perMessageDeflate: false,
      // Events are short; a server that sends more is broken.
      maxPayload: 4_000_000,
    });
    socket = opened;
    const problem = watchProblems(opened, options.name);
    opened.on('open', () => {
      opened.send(JSON.stringify({ type: 'session.update', session: options.session }));
      if (socket === opened) options.onReady();
    });
    opened.on('message', (data: Buffer) => {
      const event = readEvent(data.toString());
      if (socket === opened && event) options.onEvent(event);
    });
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = undefined;
      const { wasReady, error } = problem();
      if (!isClosed) options.onLost(error, wasReady);
    });
  }

  function leave(): void {
    const left = socket;
    socket = undefined;
    left?.terminate();
  }

  return {
    send(event) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event));
    },
    ensure() {
      if (!socket && !isClosed) connect();
    },
    drop: leave,
    close() {
      isClosed = true;
      leave();
    },
  };
}

/** Follows a connection; gives why it is closed, once it is. */
function watchProblems(opened: WebSocket, name: string): () => { wasReady: boolean; error: AppError } {
  let wasReady = false;
  let isRefused = false;
  let kind: ProviderFailureKind = 'broke_off';
  let reason = `The connection to ${lowerFirst(name)} was lost.`;
  opened.on('open', () => {
    wasReady = true;
  });
  opened.on('unexpected-response', (_request, response: IncomingMessage) => {
    isRefused = true;
    void readRefusal(response).then((said) => {
      const status = response.statusCode ?? 0;
      kind = kindOfStatus(status, said);
      reason = `${name} refused the connection: ${status} ${said}`.trim();
      opened.terminate();
    });
  });
  opened.on('error', (error) => {
    if (isRefused) return;
    if (!wasReady) kind = 'no_connection';
    reason = `${name} cannot be reached: ${error.message}`;
  });
  return () => ({ wasReady, error: new AppError('PROVIDER_FAILED', reason, { details: { kind } }) });
}

/** The message of a refusal, as far as it says one. */
async function readRefusal(response: IncomingMessage): Promise<string> {
  let body = '';
  try {
    for await (const part of response) {
      body += String(part);
      if (body.length > REFUSAL_BYTES) break;
    }
    const { code, message } = errorOf(JSON.parse(body));
    return [code, message].filter((part) => part !== '').join(': ');
  } catch {
    return '';
  }
}

/**
 * Whether a server takes connections: `missing` where it answers them as an ordinary request, `unanswered` where it does
 * not answer at all.
 */
export function probeRealtime(options: {
  apiKey: string;
  baseUrl: string | undefined;
  query: string;
  limitMs: number;
}): Promise<'there' | 'missing' | 'unanswered'> {
  const socket = new WebSocket(realtimeUrl(options.baseUrl, options.query), {
    headers: { authorization: `Bearer ${options.apiKey}` },
    handshakeTimeout: options.limitMs,
  });
  return new Promise((resolve) => {
    socket.once('open', () => {
      resolve('there');
      socket.terminate();
    });
    socket.once('unexpected-response', (request, { statusCode = 0 }) => {
      // A key that is refused, or too many connections: it is there.
      const isThere = statusCode === 401 || statusCode === 403 || statusCode === 429 || statusCode >= 502;
      resolve(isThere ? 'there' : 'missing');
      request.destroy();
    });
    socket.on('error', () => resolve('unanswered'));
  });
}

/** `https://host/v1` becomes `wss://host/v1/realtime?…`. */
function realtimeUrl(baseUrl: string | undefined, query: string): string {
  return `${(baseUrl ?? 'https://api.openai.com/v1').replace(/^http/, 'ws')}/realtime?${query}`;
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function readEvent(text: string): RealtimeEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is RealtimeEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
