import type { WebSocket } from 'ws';
import type { Pacer } from '#lib/media/pacer.ts';
import type { BrowserCarrier } from '#lib/ports/browser-carrier.ts';
import type { CallClock, Clock } from '#lib/ports/clock.ts';
import { upgradeConnection } from '#lib/web-connection.ts';
import { type BrowserLeg, createBrowserLeg } from './leg.ts';

/** A connection that answers no ping for two of these is gone, although nobody closed it. */
const PING_MS = 5_000;
/** A connection and the order to take its call reach this process one after the other, within moments. */
const MEET_WITHIN_MS = 10_000;

/** Calls over WebSockets, all of them in this process. */
export function createBrowserCarrier(options: {
  pacer: Pacer;
  clock: Clock;
  /** The one that the pacer goes by. */
  callClock: CallClock;
  /** Whether words are made of the sound; asked when a call begins. */
  understandsSpeech(): Promise<boolean>;
}): BrowserCarrier {
  const { clock } = options;
  const legs = new Map<string, BrowserLeg>();
  const meeting = new Map<string, PromiseWithResolvers<WebSocket>>();

  /** Where a connection and the order to take its call meet, whichever is first. */
  function meet(reference: string): PromiseWithResolvers<WebSocket> {
    const known = meeting.get(reference);
    if (known) return known;
    const place = Promise.withResolvers<WebSocket>();
    meeting.set(reference, place);
    // Whoever comes too late is told by `open`; a connection alone is closed.
    place.promise.catch(() => undefined);
    void clock.sleep(MEET_WITHIN_MS).then(() => {
      if (meeting.get(reference) === place) meeting.delete(reference);
      place.reject(new Error('the connection did not come'));
    });
    return place;
  }

  return {
    async open(reference, direction) {
      const socket = await meet(reference).promise;
      meeting.delete(reference);
      const understandsSpeech = await options.understandsSpeech();
      const leg = createBrowserLeg({
        reference,
        socket,
        direction,
        greeting: {
          type: 'ready',
          conversationId: reference,
          understandsSpeech,
        },
        clock: options.callClock,
        pacer: options.pacer,
        onClosed: () => legs.delete(reference),
      });
      legs.set(reference, leg);
      return leg;
    },

    async connect(reference, connection) {
      const socket = await upgradeConnection(connection);
      dropWhenGone(socket);
      const leg = legs.get(reference);
      if (leg) return leg.resume(socket);
      meet(reference).resolve(socket);
    },
  };
}

function dropWhenGone(socket: WebSocket): void {
  let isAlive = true;
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, PING_MS);
  timer.unref();
  socket.on('pong', () => (isAlive = true));
  socket.on('close', () => clearInterval(timer));
}
