import { z } from 'zod';

/*
 * A Media Stream, as Twilio speaks it over a WebSocket: JSON in text messages, sound as mu-law at 8 kHz in base64
 * (twilio.com/docs/voice/media-streams/websocket-messages).
 */

/** The part of a WebSocket (package `ws`) that is used. */
export type StreamSocket = {
  readonly bufferedAmount: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
};

const message = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connected') }),
  z.object({
    event: z.literal('start'),
    streamSid: z.string().max(100),
    start: z.object({
      accountSid: z.string().max(100),
      callSid: z.string().max(100),
      customParameters: z.record(z.string(), z.unknown()).default({}),
      mediaFormat: z
        .object({ encoding: z.string(), sampleRate: z.coerce.number(), channels: z.coerce.number() })
        .optional(),
    }),
  }),
  z.object({
    event: z.literal('media'),
    media: z.object({ track: z.string().default('inbound'), payload: z.string() }),
  }),
  z.object({ event: z.literal('mark'), mark: z.object({ name: z.string() }) }),
  z.object({ event: z.literal('dtmf'), dtmf: z.object({ digit: z.string().regex(/^[0-9*#A-D]$/) }) }),
  z.object({ event: z.literal('stop') }),
]);

export type StreamStart = {
  streamSid: string;
  accountSid: string;
  callSid: string;
  parameters: Record<string, unknown>;
};

export type StreamHandlers = {
  /** Once, before anything else. */
  onStart(start: StreamStart): void;
  /** Mu-law at 8 kHz, of any length. */
  onSound(bytes: Buffer): void;
  onMark(name: string): void;
  onDigit(digit: string): void;
  /** The stream ended because the call did, or was given other instructions. */
  onStop(): void;
  /** The connection is gone; comes after `onStop`, or instead of it. */
  onClosed(): void;
};

export type TwilioStream = ReturnType<typeof openStream>;

/** A far end that reads nothing is not sent more: what is late is of no use, and memory has an end. */
const MOST_BUFFERED_BYTES = 512 * 1024;

/** Follows a connection; nothing is told before a `start` that can be used, and nothing after the close. */
export function openStream(socket: StreamSocket, handlers: StreamHandlers) {
  let streamSid: string | undefined;
  let isClosed = false;

  function tell(body: Record<string, unknown>): void {
    if (isClosed || streamSid === undefined || socket.bufferedAmount > MOST_BUFFERED_BYTES) return;
    socket.send(JSON.stringify({ ...body, streamSid }));
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    socket.close(1000, 'The stream is over');
  }

  function handle(read: z.output<typeof message>): void {
    if (read.event === 'start') {
      const { accountSid, callSid, customParameters, mediaFormat } = read.start;
      if (streamSid !== undefined) return undefined;
      if (mediaFormat && !isTelephoneSound(mediaFormat)) return close();
      streamSid = read.streamSid;
      return handlers.onStart({ streamSid, accountSid, callSid, parameters: customParameters });
    }
    if (streamSid === undefined) return undefined;
    switch (read.event) {
      case 'media':
        // What we send comes back on a track of its own where both were asked for.
        if (read.media.track !== 'outbound') handlers.onSound(Buffer.from(read.media.payload, 'base64'));
        return undefined;
      case 'mark':
        return handlers.onMark(read.mark.name);
      case 'dtmf':
        return handlers.onDigit(read.dtmf.digit);
      case 'stop':
        return handlers.onStop();
      case 'connected':
        return undefined;
    }
  }

  socket.on('message', (data, isBinary) => {
    if (isClosed || isBinary) return;
    const read = readMessage(data.toString('utf8'));
    if (read) handle(read);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
    handlers.onClosed();
  });

  return {
    sendSound: (bytes: Uint8Array) =>
      tell({ event: 'media', media: { payload: Buffer.from(bytes).toString('base64') } }),
    sendMark: (name: string) => tell({ event: 'mark', mark: { name } }),
    sendClear: () => tell({ event: 'clear' }),
    close,
  };
}

const isTelephoneSound = (format: { encoding: string; sampleRate: number; channels: number }) =>
  format.encoding === 'audio/x-mulaw' && format.sampleRate === 8_000 && format.channels === 1;

/** Undefined for what is no message of this protocol: later versions may have more. */
function readMessage(text: string): z.output<typeof message> | undefined {
  try {
    const read = message.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
