import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { decodeG711, encodeG711 } from '#lib/media/g711.ts';
import { resample } from '#lib/media/resample.ts';

/** The signature that Twilio puts on a request: the address, and each field of the form by its name. */
export function signature(authToken: string, url: string, fields: Record<string, string> = {}): string {
  const signed = Object.keys(fields)
    .toSorted()
    .reduce((text, name) => `${text}${name}${fields[name]}`, url);
  return createHmac('sha1', authToken).update(Buffer.from(signed, 'utf8')).digest('base64');
}

const PACKET_BYTES = 160;
const PACKET_MS = 20;

/** The person's end of a Media Stream, in real time. */
export type StreamFarEnd = Awaited<ReturnType<typeof openFarEnd>>;

type Waiting = { sound: Buffer } | { mark: string };

/**
 * Opens a Media Stream as Twilio does: signed, with `connected`, `start`, and 20 ms of sound every 20 ms. What is sent to it
 * is played in real time, one packet after the other, and its marks come back as they are reached. Rejects where the
 * connection is refused.
 */
export async function openFarEnd(options: {
  url: string;
  authToken: string;
  /** Signed with another token. */
  signsWrongly?: boolean;
  start: { accountSid: string; callSid: string; customParameters: Record<string, string> };
  /** Marks never come back. */
  losesMarks?: boolean;
  /** So many packets are gathered before the first of them is played. */
  gathers?: number;
  onClosed(): void;
}) {
  const { url, start } = options;
  const token = options.signsWrongly ? 'another token' : options.authToken;
  const socket = new WebSocket(url, { headers: { 'x-twilio-signature': signature(token, url) } });
  await once(socket, 'open');
  const streamSid = `MZ${start.callSid.slice(2)}`;
  const sent: Buffer[] = [];
  const heard: Buffer[] = [];
  const messages: { event: string; atMs: number }[] = [];
  let saying: Buffer[] = [];
  let playing: Waiting[] = [];
  let hasGathered = false;
  let chunk = 0;
  let seq = 0;

  const tell = (message: Record<string, unknown>) => {
    if (socket.readyState === WebSocket.OPEN)
      socket.send(JSON.stringify({ ...message, sequenceNumber: String((seq += 1)), streamSid }));
  };
  const reached = (mark: string) => {
    if (!options.losesMarks) tell({ event: 'mark', mark: { name: mark } });
  };

  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as {
      event: string;
      streamSid: string;
      media?: { payload: string };
      mark?: { name: string };
    };
    if (message.streamSid !== streamSid) throw new Error('a message for another stream');
    messages.push({ event: message.event, atMs: performance.now() });
    if (message.media) {
      const bytes = Buffer.from(message.media.payload, 'base64');
      sent.push(bytes);
      for (let at = 0; at < bytes.length; at += PACKET_BYTES)
        playing.push({ sound: bytes.subarray(at, at + PACKET_BYTES) });
    } else if (message.mark) playing.push({ mark: message.mark.name });
    else if (message.event === 'clear') {
      for (const each of playing) if ('mark' in each) reached(each.mark);
      playing = [];
    }
  });
  socket.on('error', () => undefined);

  function play(): void {
    for (let next = playing[0]; next && 'mark' in next; next = playing[0]) {
      playing.shift();
      reached(next.mark);
    }
    const isGathering = !hasGathered && playing.length < (options.gathers ?? 0);
    hasGathered = !isGathering && playing.length > 0;
    const next = isGathering ? undefined : playing.shift();
    heard.push(next && 'sound' in next ? next.sound : Buffer.alloc(PACKET_BYTES, 0xff));
  }

  function speak(): void {
    const payload = (saying.shift() ?? Buffer.alloc(PACKET_BYTES, 0xff)).toString('base64');
    chunk += 1;
    const timestamp = String(chunk * PACKET_MS);
    tell({ event: 'media', media: { track: 'inbound', chunk: String(chunk), timestamp, payload } });
  }

  socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 };
  tell({ event: 'start', start: { ...start, streamSid, tracks: ['inbound'], mediaFormat } });
  const startedAtMs = performance.now();
  let packets = 0;
  const timer = setInterval(() => {
    // By absolute time: a timer that rings late has more to do.
    for (; packets * PACKET_MS < performance.now() - startedAtMs; packets += 1) {
      speak();
      play();
    }
  }, 5);
  socket.on('close', () => {
    clearInterval(timer);
    options.onClosed();
  });

  return {
    messages,
    /** Speaks from now on: mono, 16 kHz. */
    say(samples: Int16Array): void {
      const bytes = Buffer.from(encodeG711('mulaw', resample(samples, { fromHz: 16_000, toHz: 8_000 })));
      for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
        const packet = Buffer.alloc(PACKET_BYTES, 0xff);
        bytes.copy(packet, 0, at, at + PACKET_BYTES);
        saying.push(packet);
      }
    },
    hush: () => void (saying = []),
    /** All that was played until now, silence included, mono at 8 kHz: sample n sounded n / 8 ms after the start. */
    /** All that came to be played, without the silence where it came too late. */
    sent: () => decodeG711('mulaw', Buffer.concat(sent)),
    heard: () => decodeG711('mulaw', Buffer.concat(heard)),
    press: (digit: string) => tell({ event: 'dtmf', dtmf: { track: 'inbound_track', digit } }),
    send: (text: string) => socket.send(text),
    isOpen: () => socket.readyState === WebSocket.OPEN,
    /** The call is over, or goes on without the stream. */
    async stop(): Promise<void> {
      tell({ event: 'stop', stop: { accountSid: start.accountSid, callSid: start.callSid } });
      await delay(1);
      socket.close();
    },
    /** The network is gone. */
    drop: () => socket.terminate(),
  };
}
