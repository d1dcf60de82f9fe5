import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';
import type { Conversations } from '#lib/conversation-process/conversations.ts';
import { levelDb } from '#lib/media/level.ts';
import { FRAME_MS, FRAME_SAMPLES } from '#lib/ports/media.ts';

const LOUD_DB = -45;
/** Whoever waits longer has waited in vain; the call goes on without what was waited for. */
const MOST_WAITED_MS = 45_000;

/** A server to which the browser of one call connects. */
export async function serveCall(conversations: Pick<Conversations, 'connect'>, reference: string) {
  const http = createServer();
  http.on('upgrade', (request, socket, head) => {
    const { method = '', url = '', headers } = request;
    void conversations.connect('browser', reference, { request: { method, url, headers }, socket, head });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/`,
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}

export type Caller = Awaited<ReturnType<typeof connectCaller>>;

/** A caller over a WebSocket leg, in real time: sends a frame each 20 ms, and notes when the agent is heard. */
export async function connectCaller(url: string) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let speech: Int16Array = new Int16Array(0);
  let at = 0;
  let agentLoudMs = 0;
  let isOver = false;
  let sentMs = performance.now();
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return;
    const frame = new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
    if (levelDb(frame) > LOUD_DB) agentLoudMs = performance.now();
  });
  const timer = setInterval(() => {
    while (sentMs + FRAME_MS <= performance.now()) {
      sentMs += FRAME_MS;
      const frame = new Int16Array(FRAME_SAMPLES);
      frame.set(speech.subarray(at, at + FRAME_SAMPLES));
      at = Math.min(speech.length, at + FRAME_SAMPLES);
      if (socket.readyState === WebSocket.OPEN) socket.send(new Uint8Array(frame.buffer));
    }
  }, 5);
  socket.on('close', () => {
    isOver = true;
    clearInterval(timer);
  });
  const until = async (isDone: () => boolean) => {
    const untilMs = performance.now() + MOST_WAITED_MS;
    while (!isDone() && !isOver && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const tell = (message: Record<string, unknown>) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  return {
    /** Resolves when the last sample is sent; gives that moment. */
    async say(samples: Int16Array): Promise<number> {
      [speech, at] = [samples, 0];
      await until(() => at >= speech.length);
      return performance.now();
    },
    async agentWasHeard(): Promise<number> {
      const fromMs = performance.now();
      await until(() => agentLoudMs >= fromMs);
      return agentLoudMs;
    },
    isQuietFor: (ms: number) => until(() => performance.now() - agentLoudMs > ms),
    wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
    /** The call is over, or nothing of it is to be expected any more. */
    isOver: () => until(() => isOver),
    press: (digit: string) => tell({ type: 'digit', digit }),
    hangUp: () => tell({ type: 'hangup' }),
  };
}
