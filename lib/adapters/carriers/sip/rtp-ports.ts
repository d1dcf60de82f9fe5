import { createSocket, type Socket, type SocketOptions } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

/** Sound of a call that the kernel keeps while JavaScript is at work: more than a second of it. */
const RECEIVE_BUFFER_BYTES = 1 << 16;

/** The part of a UDP socket that sound needs. */
export type RtpSocket = {
  on(event: 'message', listener: (bytes: Buffer, from: { address: string; port: number }) => void): unknown;
  /** The bytes must not be changed until `done` is called. */
  send(bytes: Buffer, port: number, address: string, done: () => void): void;
};
export type RtpSockets = { rtp: RtpSocket; rtcp: RtpSocket; port: number; close(): void };

export type RtpPorts = {
  /** Two sockets: RTP on an even port, RTCP on the next (RFC 3550, section 11). Rejects where none is free. */
  open(address: string): Promise<RtpSockets>;
};

/** Hands out the ports from `first` to `last`, each after all others, so that late packets of a call find nobody. */
export function createRtpPorts({ first, last }: { first: number; last: number }): RtpPorts {
  const from = first + (first % 2);
  const pairs = Math.floor((last - from + 1) / 2);
  const used = new Set<number>();
  let turn = 0;

  async function open(address: string): Promise<RtpSockets> {
    for (let tried = 0; tried < pairs; tried += 1) {
      const port = from + 2 * (turn % pairs);
      turn += 1;
      if (used.has(port)) continue;
      used.add(port);
      const sockets = await openPair(address, port);
      if (!sockets) {
        used.delete(port);
        continue;
      }
      let isOpen = true;
      const close = () => {
        if (!isOpen) return;
        isOpen = false;
        used.delete(port);
        for (const socket of sockets) socket.close();
      };
      return { rtp: sockets[0], rtcp: sockets[1], port, close };
    }
    throw new Error(`No RTP port from ${first} to ${last} is free`);
  }
  return { open };
}

/**
 * Sound goes to addresses only. The system's look-up would answer them in a later turn of the event loop: all packets of a
 * moment would leave after everything else that this moment brings, and each would cost that turn.
 */
const lookup: SocketOptions['lookup'] = (address, options, found) =>
  found(null, address, isIPv6(address) ? 6 : 4);

/** Undefined where one of both is in use by somebody else. */
async function openPair(address: string, port: number): Promise<[Socket, Socket] | undefined> {
  const type = isIPv6(address) ? 'udp6' : 'udp4';
  const sockets: [Socket, Socket] = [
    createSocket({ type, lookup, recvBufferSize: RECEIVE_BUFFER_BYTES }),
    createSocket({ type, lookup }),
  ];
  try {
    for (const [index, socket] of sockets.entries()) {
      // Bound at once, as nothing has to be looked up: who listens afterwards hears nothing.
      const listening = once(socket, 'listening');
      socket.bind(port + index, address);
      await listening;
      // Errors of single packets (nobody listens there) are no errors of the call.
      socket.on('error', () => undefined);
    }
    return sockets;
  } catch (error) {
    for (const socket of sockets) socket.close();
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}
