import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { monotonicClock, systemClock } from '#lib/adapters/system/clock.ts';
import { createPacer } from '#lib/media/pacer.ts';
import type { ControlEvent, IncomingAnswer, IncomingCall, MediaLeg } from '#lib/ports/carrier.ts';
import { createTwilioCarrier } from './carrier.ts';
import { openTwilioDouble } from './double-testing.ts';
import { createTwilioRest } from './rest.ts';
import { createTwilioWeb } from './web.ts';

export type TestTwilio = Awaited<ReturnType<typeof openTestTwilio>>;

/** Longer waits are for what may never come; sound and its packets are timed by shorter ones. */
const PATIENCE_MS = 400;
const HURRIED = { part: 1 / 20, timeoutMs: 300 };

/**
 * The carrier behind an HTTP server of its own, and a double of Twilio, in real time. `isHurried`: whatever the carrier waits
 * for in vain it waits for a twentieth of the time.
 */
export async function openTestTwilio({ detectsMachines = true, isHurried = false } = {}) {
  const double = await openTwilioDouble();
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { accountSid, authToken, base: apiBase } = double;
  const settings = { accountSid, authToken, apiBase, detectsMachines, publicUrl };
  const incoming: IncomingCall[] = [];
  const connections: string[] = [];
  let answer: IncomingAnswer = { ok: true, callId: 'cnv_1' };

  const sleep: typeof monotonicClock.sleep = (ms, signal) =>
    monotonicClock.sleep(isHurried && ms >= PATIENCE_MS ? ms * HURRIED.part : ms, signal);

  const carrier = createTwilioCarrier({
    settings,
    rest: createTwilioRest(settings, isHurried ? { timeoutMs: HURRIED.timeoutMs } : {}),
    clock: { ...monotonicClock, sleep },
    now: systemClock.now,
    pacer: createPacer({
      clock: monotonicClock,
      onFailed: (error) => {
        throw error;
      },
    }),
    log: pino({ level: 'silent' }),
  });
  const web = createTwilioWeb(settings, {
    take: async (call) => {
      incoming.push(call);
      return answer;
    },
    isRunning: async () => false,
    tell: async (reference, news) => carrier.receive(reference, news),
  });

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const [topic = '', reference] = (request.url ?? '').split('/').slice(4).map(decodeURIComponent);
    const reply = await web.reply({
      topic,
      reference,
      url: request.url ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: Buffer.concat(parts).toString(),
    });
    response.writeHead(reply.status, { 'content-type': reply.contentType ?? 'text/plain' }).end(reply.body);
  };
  server.on('request', (request, response) => void serve(request, response));
  server.on('upgrade', (request, socket, head) => {
    const { method = '', url = '', headers } = request;
    if (!web.isGenuine({ url, headers, method })) return socket.destroy();
    connections.push(url);
    const reference = decodeURIComponent(url.split('/').at(-1) ?? '');
    carrier
      .connect(reference, { request: { method, url, headers }, socket, head })
      .catch(() => socket.destroy());
    return undefined;
  });

  return {
    double,
    carrier,
    settings,
    incoming,
    connections,
    voiceUrl: `${publicUrl}${web.incomingPath}`,
    /** What becomes of calls that come in from now on. */
    answerWith: (next: IncomingAnswer) => void (answer = next),
    async close(): Promise<void> {
      await carrier.close();
      await double.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The events of a leg, as they come. */
export function followEvents(leg: MediaLeg) {
  const events: ControlEvent[] = [];
  const changed = { next: Promise.withResolvers<void>() };
  let isOver = false;
  const notify = () => {
    changed.next.resolve();
    changed.next = Promise.withResolvers();
  };
  const read = async () => {
    for await (const event of leg.events) {
      events.push(event);
      notify();
    }
  };
  const done = read().then(() => {
    isOver = true;
    notify();
  });
  return {
    events,
    done,
    types: () => events.map(({ type }) => type),
    /** The first event of a kind, as soon as it comes. */
    async until<Type extends ControlEvent['type']>(
      type: Type,
    ): Promise<Extract<ControlEvent, { type: Type }>> {
      for (;;) {
        const found = events.find((event) => event.type === type);
        if (found) return found as Extract<ControlEvent, { type: Type }>;
        if (isOver) throw new Error(`no ${type} came: ${events.map((event) => event.type).join(', ')}`);
        await changed.next.promise;
      }
    },
  };
}
