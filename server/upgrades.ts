import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError, isAppError } from '#lib/errors.ts';
import { describeError, type Logger } from '#lib/log.ts';
import { endSocket } from './end-socket.ts';

export type Upgrade = { request: IncomingMessage; url: URL; socket: Socket; head: Buffer };

/**
 * A path on which connections of calls are taken. `take` finds out whose it is and hands it to the process of its call
 * (`handOver`); what it throws is answered in the API's form, and the connection closed.
 */
export type UpgradeDoor = { path: string; take(upgrade: Upgrade): Promise<void> };

/** Somebody who asks for a connection and then says nothing. */
const TAKEN_WITHIN_MS = 10_000;

/**
 * Takes WebSocket upgrades on the paths of `doors`, in every role that holds calls; `otherwise` gets the rest, which is
 * closed where that is undefined.
 */
export function takeUpgrades(
  server: Server,
  options: {
    doors: readonly UpgradeDoor[];
    otherwise?: ((request: IncomingMessage, socket: Duplex, head: Buffer) => boolean) | undefined;
    log: Logger;
  },
): void {
  const { doors, otherwise, log } = options;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refuse = (error: AppError) => endSocket(socket, error);
    // A connection that breaks while it is looked at must not end the service.
    socket.on('error', () => socket.destroy());
    const url = URL.canParse(request.url ?? '', 'http://localhost')
      ? new URL(request.url ?? '', 'http://localhost')
      : undefined;
    const door = doors.find(({ path }) => path === url?.pathname);
    if (!door || !url || !(socket instanceof Socket)) {
      if (!otherwise?.(request, socket, head)) refuse(new AppError('ROUTE_NOT_FOUND', 'Route not found'));
      return;
    }
    socket.setTimeout(TAKEN_WITHIN_MS, () => socket.destroy());
    door.take({ request, url, socket, head }).catch((error: unknown) => {
      if (!isAppError(error)) log.error({ event: 'upgrade_failed', error: describeError(error) });
      refuse(isAppError(error) ? error : new AppError('INTERNAL_ERROR', 'Something went wrong on our side'));
    });
  });
}
