import { type AsyncQueue, createAsyncQueue } from '#lib/async-queue.ts';
import { createMediaInput } from '#lib/media/media-input.ts';
import { createMediaOutput, SILENT_FRAME } from '#lib/media/media-output.ts';
import type { Pacer } from '#lib/media/pacer.ts';
import type { ControlEvent, MediaLeg } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { type ClientMessage, readClientMessage, type ServerMessage } from './messages.ts';

/** The part of a WebSocket (package `ws`) that a leg uses. */
export type LegSocket = {
  readonly bufferedAmount: number;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
};

export type BrowserLeg = MediaLeg & {
  /** The browser came back on another connection, which replaces the one before. `ticket`: for the next one. */
  resume(socket: LegSocket, ticket?: string): void;
};

/** How long a call waits for a browser that lost its connection. */
const RESUME_WITHIN_MS = 10_000;
/** Silence that follows speech, so that the far end plays out what it gathered against uneven arrival. */
const TRAILING_FRAMES = 10;
/** A far end that reads nothing is not sent more: what is late is of no use, and memory has an end. */
const MOST_BUFFERED_BYTES = 256 * 1024;

export function leaveForAnother(socket: Pick<LegSocket, 'close'>): void {
  socket.close(4409, 'The call goes on over another connection');
}

/**
 * A call of a browser or an app over a WebSocket (docs/web-calls.md). Audio is mono, 16 bit, 16 kHz, both ways in binary
 * messages; words that were typed or recognised there, keys and the hang-up come as JSON.
 */
export function createBrowserLeg(options: {
  reference: string;
  socket: LegSocket;
  ticket?: string | undefined;
  /** OUTBOUND: the agent opens as if it had called, and the browser has answered by connecting. */
  direction: 'INBOUND' | 'OUTBOUND';
  /** Told to the browser first, on each connection. */
  greeting: Extract<ServerMessage, { type: 'ready' }>;
  clock: CallClock;
  pacer: Pacer;
  onClosed(): void;
}): BrowserLeg {
  const { reference, clock, pacer, direction } = options;
  const events: AsyncQueue<ControlEvent> = createAsyncQueue();
  const input = createMediaInput({ pacer });
  let socket: LegSocket | undefined;
  let waiting: AbortController | undefined;
  let trailing = TRAILING_FRAMES;
  let isOver = false;

  const output = createMediaOutput({
    pacer,
    clock,
    send(frame) {
      trailing = frame === SILENT_FRAME ? trailing + 1 : 0;
      if (trailing <= TRAILING_FRAMES) sendFrame(frame);
    },
  });

  function sendFrame(frame: Int16Array): void {
    if (!socket || socket.bufferedAmount > MOST_BUFFERED_BYTES) return;
    socket.send(new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength));
  }
  const tell = (message: ServerMessage) => socket?.send(JSON.stringify(message));

  function end(by: 'human' | 'agent' | 'carrier'): void {
    if (isOver) return;
    isOver = true;
    waiting?.abort();
    input.end();
    output.end();
    events.push({ type: 'hangup', atMs: clock.nowMs(), by });
    events.close();
    tell({ type: 'ended' });
    socket?.close(1000, 'The call is over');
    options.onClosed();
  }

  function handle(message: ClientMessage): void {
    const atMs = clock.nowMs();
    switch (message.type) {
      case 'hangup':
        return end('human');
      case 'digit':
        return events.push({ type: 'digit', atMs, digit: message.digit });
      case 'text':
        return events.push({ type: 'text', atMs, text: message.text, state: 'typed' });
      case 'recognized':
      case 'interim':
        return events.push({ type: 'text', atMs, text: message.text, state: message.type });
    }
  }

  function connect(connected: LegSocket, ticket?: string): void {
    const isCurrent = () => socket === connected && !isOver;
    waiting?.abort();
    if (socket) leaveForAnother(socket);
    socket = connected;
    connected.on('message', (data, isBinary) => {
      if (!isCurrent()) return;
      if (isBinary) return input.push(toSamples(data));
      const message = readClientMessage(data.toString('utf8'));
      if (message) handle(message);
    });
    connected.on('error', () => undefined);
    connected.on('close', () => {
      if (isCurrent()) void waitForReturn();
    });
    tell({ ...options.greeting, ...(ticket === undefined ? {} : { ticket }) });
  }

  async function waitForReturn(): Promise<void> {
    socket = undefined;
    const wait = new AbortController();
    waiting = wait;
    try {
      await clock.sleep(RESUME_WITHIN_MS, wait.signal);
    } catch {
      // It came back, or the call ended.
      return;
    }
    end('human');
  }

  const markAnswered = () => {
    if (!isOver) events.push({ type: 'answered', atMs: clock.nowMs(), by: 'human' });
  };

  connect(options.socket, options.ticket);
  if (direction === 'OUTBOUND') markAnswered();
  return {
    reference,
    clock,
    events,
    media: {
      onFrame: input.onFrame,
      write: output.write,
      clear() {
        tell({ type: 'clear' });
        return output.clear();
      },
      mark: output.mark,
      playedMs: output.playedMs,
    },
    async answer() {
      if (direction === 'INBOUND') markAnswered();
    },
    hangUp: async () => end('agent'),
    transfer: async () => ({ ok: false, reason: 'a call from a browser cannot be transferred' }),
    show: tell,
    resume: connect,
  };
}

/** A copy: the bytes of a message may begin at an odd place of a buffer that is used again. An odd last byte is left out. */
function toSamples(data: Buffer): Int16Array {
  const samples = new Int16Array(data.length >> 1);
  for (let index = 0; index < samples.length; index += 1) samples[index] = data.readInt16LE(index * 2);
  return samples;
}
