import type { WebSocket } from 'ws';
import type { Pacer } from '#lib/media/pacer.ts';
import { type BrowserCarrier, NO_SUCH_CALL } from '#lib/ports/browser-carrier.ts';
import type { CallClock, Clock } from '#lib/ports/clock.ts';
import { refuseConnection, refuseSocket, upgradeConnection } from '#lib/web-connection.ts';
import { type BrowserLeg, createBrowserLeg, leaveForAnother } from './leg.ts';

/** A connection that answers no ping for two of these is gone, although nobody closed it. */
const PING_MS = 5_000;
/** A connection and the order to take its call reach this process one after the other, within moments. */
const MEET_WITHIN_MS = 10_000;
/** References of calls that ended, kept to tell who comes back to one. */
const MOST_ENDED = 10_000;

/** Where a connection and the order to take its call meet. The latest connection counts: an earlier one may be gone. */
type Meeting = {
  socket: WebSocket | undefined;
  ticket: string | undefined;
  came: PromiseWithResolvers<void>;
  isAwaited: boolean;
};

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
  const meetings = new Map<string, Meeting>();
  const ended = new Set<string>();

  function meet(reference: string): Meeting {
    const known = meetings.get(reference);
    if (known) return known;
    const meeting: Meeting = {
      socket: undefined,
      ticket: undefined,
      came: Promise.withResolvers(),
      isAwaited: false,
    };
    meetings.set(reference, meeting);
    void expire(reference, meeting);
    return meeting;
  }

  async function expire(reference: string, meeting: Meeting): Promise<void> {
    await clock.sleep(MEET_WITHIN_MS);
    if (meetings.get(reference) !== meeting) return undefined;
    if (meeting.isAwaited && meeting.socket) return expire(reference, meeting);
    meetings.delete(reference);
    // Without `open` nobody listens.
    meeting.came.promise.catch(() => undefined);
    meeting.came.reject(new Error('the connection did not come'));
    if (meeting.socket) refuseSocket(meeting.socket, NO_SUCH_CALL, 'There is no such call');
    return undefined;
  }

  function bring(meeting: Meeting, socket: WebSocket, ticket: string | undefined): void {
    if (meeting.socket) leaveForAnother(meeting.socket);
    meeting.socket = socket;
    meeting.ticket = ticket;
    meeting.came.resolve();
    socket.on('close', () => {
      if (meeting.socket !== socket) return;
      meeting.socket = undefined;
      meeting.came = Promise.withResolvers();
    });
  }

  function end(reference: string): void {
    legs.delete(reference);
    ended.add(reference);
    const [oldest] = ended;
    if (ended.size > MOST_ENDED && oldest !== undefined) ended.delete(oldest);
  }

  return {
    async open(reference, direction) {
      const meeting = meet(reference);
      meeting.isAwaited = true;
      let understandsSpeech = false;
      do {
        await meeting.came.promise;
        understandsSpeech = await options.understandsSpeech();
        // It may have been lost meanwhile.
      } while (!meeting.socket);
      meetings.delete(reference);
      const leg = createBrowserLeg({
        reference,
        socket: meeting.socket,
        ticket: meeting.ticket,
        direction,
        greeting: {
          type: 'ready',
          conversationId: reference,
          understandsSpeech,
        },
        clock: options.callClock,
        pacer: options.pacer,
        onClosed: () => end(reference),
      });
      legs.set(reference, leg);
      return leg;
    },

    async connect(reference, connection) {
      if (ended.has(reference)) return refuseConnection(connection, NO_SUCH_CALL, 'The call is over');
      const socket = await upgradeConnection(connection);
      dropWhenGone(socket);
      const { nextTicket } = connection.request;
      const leg = legs.get(reference);
      if (leg) return leg.resume(socket, nextTicket);
      // It may have ended during the handshake.
      if (ended.has(reference)) return refuseSocket(socket, NO_SUCH_CALL, 'The call is over');
      bring(meet(reference), socket, nextTicket);
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
