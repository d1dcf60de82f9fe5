import { z } from 'zod';
import { NO_SUCH_CALL } from '#lib/features/calls/web/contract.ts';
import { protocolsFor } from '#lib/features/calls/web/rules.ts';

/** What the service tells a browser that talks to an agent (docs/web-calls.md). */
const serverMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    conversationId: z.string(),
    understandsSpeech: z.boolean(),
    ticket: z.string(),
  }),
  z.object({ type: z.literal('clear') }),
  z.object({ type: z.literal('interim'), text: z.string() }),
  z.object({ type: z.literal('dropped'), reason: z.string() }),
  z.object({ type: z.literal('refused'), reason: z.string() }),
  z.object({ type: z.literal('ended') }),
]);
export type ServerMessage = z.output<typeof serverMessage>;

/** What a browser tells the service. */
export type ClientMessage =
  /** Words that were typed instead of spoken: a whole turn. */
  | { type: 'text'; text: string }
  /** Words that the browser itself recognised, as they become known. */
  | { type: 'interim'; text: string }
  | { type: 'recognized'; text: string }
  | { type: 'digit'; digit: string }
  | { type: 'hangup' };

export type TalkConnection = {
  sendFrame(frame: Int16Array): void;
  send(message: ClientMessage): void;
  /** Ends the talk from this side. */
  hangUp(): void;
};

export type TalkConnectionHandlers = {
  onFrame(frame: Int16Array): void;
  onMessage(message: ServerMessage): void;
  /** The connection is away and is being made again. */
  onInterrupted(): void;
  /** It came back. */
  onResumed(): void;
  /** It is over without the service having said so. */
  onLost(): void;
};

/** The service keeps the call for a browser that lost its connection for as long (docs/web-calls.md). */
const RESUME_WITHIN_MS = 10_000;
const RETRY_MS = 500;
/** A network that takes nothing must not fill the memory of the tab; what is late is of no use anyway. */
const MAX_BUFFERED_BYTES = 64 * 1024;

/**
 * The WebSocket of a talk. A connection that breaks is made again, with the ticket that the one before was given, for as
 * long as the service keeps the call.
 */
export function connectTalk(
  { url, protocols }: { url: string; protocols: string[] },
  handlers: TalkConnectionHandlers,
): TalkConnection {
  let socket: WebSocket;
  let named = protocols;
  let isOver = false;
  let hasOpened = false;
  let lostAt: number | undefined;

  function open(): void {
    const opened = new WebSocket(url, named);
    socket = opened;
    opened.binaryType = 'arraybuffer';
    opened.onopen = () => {
      if (lostAt !== undefined) handlers.onResumed();
      hasOpened = true;
      lostAt = undefined;
    };
    opened.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) return handlers.onFrame(new Int16Array(data));
      const message = serverMessage.safeParse(parseJson(data));
      if (!message.success) return undefined;
      if (message.data.type === 'ready') named = protocolsFor(message.data.ticket);
      if (message.data.type === 'ended' || message.data.type === 'refused') isOver = true;
      return handlers.onMessage(message.data);
    };
    opened.onclose = (event) => handleClose(event.code);
  }

  function handleClose(code: number): void {
    if (isOver) return;
    lostAt ??= Date.now();
    // A service that does not know the call (any more) does not know it later either.
    const isFinal = !hasOpened || code === NO_SUCH_CALL || Date.now() - lostAt > RESUME_WITHIN_MS;
    if (isFinal) {
      isOver = true;
      return handlers.onLost();
    }
    handlers.onInterrupted();
    setTimeout(() => {
      if (!isOver) open();
    }, RETRY_MS);
  }

  const send = (message: ClientMessage) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  open();
  return {
    sendFrame(frame) {
      if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < MAX_BUFFERED_BYTES)
        socket.send(frame.buffer as ArrayBuffer);
    },
    send,
    hangUp() {
      isOver = true;
      send({ type: 'hangup' });
      socket.close();
    },
  };
}

function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
