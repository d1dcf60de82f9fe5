import { WebSocket } from 'ws';
import { AppError } from '#lib/errors.ts';

/** A server that has not taken the connection by then is down. */
const CONNECT_MS = 5_000;

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
      headers: { authorization: `Bearer ${options.apiKey}` },
      handshakeTimeout: CONNECT_MS,
      perMessageDeflate: false,
      // Events are short; a server that sends more is broken.
      maxPayload: 1_000_000,
    });
    socket = opened;
    let wasReady = false;
    let reason = 'The connection to the transcription server was lost.';
    opened.on('open', () => {
      wasReady = true;
      opened.send(JSON.stringify({ type: 'session.update', session: options.session }));
      if (socket === opened) options.onReady();
    });
    opened.on('message', (data: Buffer) => {
      const event = readEvent(data.toString());
      if (socket === opened && event) options.onEvent(event);
    });
    opened.on('error', (error) => {
      reason = `The transcription server cannot be reached: ${error.message}`;
    });
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = undefined;
      if (!isClosed) options.onLost(new AppError('PROVIDER_FAILED', reason), wasReady);
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

/** `https://host/v1` becomes `wss://host/v1/realtime?…`. */
function realtimeUrl(baseUrl: string | undefined, query: string): string {
  return `${(baseUrl ?? 'https://api.openai.com/v1').replace(/^http/, 'ws')}/realtime?${query}`;
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
