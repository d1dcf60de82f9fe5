import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './url-rule.ts';

/** While a name has further addresses, one that swallows packets does not use up the whole budget. */
const NEXT_ADDRESS_AFTER_MS = 3000;

export type TlsTrust = { ca?: string };

/**
 * Opens a socket to one of the addresses that were checked, in their order; only addresses, never a name, reach the
 * socket, so nothing resolves a second time. With https the certificate must be valid for the URL's host.
 */
export async function connectTo(
  target: Target,
  addresses: readonly string[],
  given: { trust: TlsTrust; signal: AbortSignal; onAddress: (address: string) => void },
): Promise<Socket> {
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    given.onAddress(address);
    const isLast = index === addresses.length - 1;
    const signal = isLast
      ? given.signal
      : AbortSignal.any([given.signal, AbortSignal.timeout(NEXT_ADDRESS_AFTER_MS)]);
    try {
      const socket = await openSocket(address, target.port, signal);
      return target.url.protocol === 'https:'
        ? await secure(socket, target, given.trust, given.signal)
        : socket;
    } catch (error) {
      given.signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

function openSocket(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  // A literal makes `net` skip every look-up; anything else must never come this far.
  if (isIP(address) === 0) throw new Error('only addresses are connected to');
  const socket = connectTcp({ host: address, port, autoSelectFamily: false });
  return settled(socket, 'connect', signal);
}

function secure(plain: Socket, target: Target, trust: TlsTrust, signal: AbortSignal): Promise<Socket> {
  const socket = connectTls({
    socket: plain,
    host: target.host,
    // Server name indication carries names only (RFC 6066); an address is checked against the certificate by `host`.
    ...(isIP(target.host) === 0 ? { servername: target.host } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Said aloud because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would turn it off.
    rejectUnauthorized: true,
    ...(trust.ca === undefined ? {} : { ca: trust.ca }),
  });
  return settled(socket, 'secureConnect', signal);
}

/** The socket once `event` came; destroyed and rejected on an error or when the signal aborts first. */
function settled<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      reject(error as Error);
    };
    const abort = () => fail(signal.reason);
    // The listener stays: after the promise is settled, a late error of a destroyed socket must not be unhandled.
    socket.on('error', fail);
    socket.once('close', () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    socket.once(event, () => {
      signal.removeEventListener('abort', abort);
      resolve(socket);
    });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
