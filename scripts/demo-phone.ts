/**
 * Starts the service with a demo that a softphone on this machine can call, and says what to type into it: SIP on
 * loopback, a number with an agent, data in a folder of their own. Variables that are set win.
 *
 *   npm run demo:phone
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HOST = '127.0.0.1';
/** 5060 may be a softphone's own. */
const PORTS = [5060, 5070, 5080, 0];

process.env.SIP_LISTEN ??= await freeEndpoint();
process.env.DATA_DIR ??= './data/demo-phone';
await import('../server/start.ts');

async function freeEndpoint(): Promise<string> {
  for (const wanted of PORTS) {
    const socket = createSocket('udp4');
    try {
      socket.bind(wanted, HOST);
      await once(socket, 'listening');
      return `udp:${HOST}:${socket.address().port}`;
    } catch {
      // The next one may be free.
    } finally {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    }
  }
  throw new Error('No UDP port of this machine is free');
}
