import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import next from 'next';
import type { Env } from '#lib/env.ts';
import { CONFIG_READ_BY_NODE, distDir, ROOT } from './build.ts';

/**
 * Opens Next for our own HTTP server. With its first request Next listens for upgrades, on the server of that request where
 * it was given no other, and ends every socket whose path one of its routes has, those of calls that wait for their process
 * too (docs/decisions/0364). So it is given a server that never listens, and hears there what is meant for it.
 */
export async function openNext({ env, development }: { env: Env; development: boolean }): Promise<{
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Takes the connection over which pages reload in development; false for every other. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}> {
  Object.assign(process.env, CONFIG_READ_BY_NODE, { NODE_ENV: development ? 'development' : 'production' });
  const upgrades = new Server();
  const app = next({
    dev: development,
    dir: ROOT,
    hostname: env.host,
    port: env.port,
    conf: { distDir },
    httpServer: upgrades,
  });
  await app.prepare();
  return {
    handle: app.getRequestHandler(),
    upgrade(request, socket, head) {
      if (!development || !request.url?.startsWith('/_next/')) return false;
      // Before the first request nobody listens: the page, still open from before a restart, asks again.
      if (!upgrades.emit('upgrade', request, socket, head)) socket.destroy();
      return true;
    },
  };
}
