import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Address, Flow, Listener, LocalFor } from './flow.ts';

/** Datagrams of signalling that the kernel keeps while JavaScript is at work: 20 calls a second are some hundred. */
const RECEIVE_BUFFER_BYTES = 1 << 20;

/** SIP over UDP: a datagram is a message. */
export async function openUdp(options: {
  address: string;
  port: number;
  localFor: LocalFor;
  onBytes(bytes: Buffer, flow: Flow): void;
  onFailed(error: unknown): void;
}): Promise<Listener> {
  const { localFor, onBytes, onFailed } = options;
  const socket = createSocket({
    type: isIPv6(options.address) ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BUFFER_BYTES,
  });
  socket.bind(options.port, options.address);
  await once(socket, 'listening');
  const { address, port } = socket.address();

  const flowTo = (remote: Address): Flow => ({
    protocol: 'udp',
    isReliable: false,
    remote,
    local: localFor(remote.address, address, port),
    bound: address,
    send: (bytes) =>
      // Sent to a name or a port that nobody has, it fails later and elsewhere: transactions notice by themselves.
      socket.send(bytes, remote.port, remote.address, (error) => {
        if (error) onFailed(error);
      }),
    toPort: (other) => flowTo({ ...remote, port: other }),
  });

  socket.on('error', onFailed);
  socket.on('message', (bytes, { address: from, port: fromPort }) =>
    onBytes(bytes, flowTo({ address: from, port: fromPort })),
  );

  let closing: Promise<void> | undefined;
  return {
    protocol: 'udp',
    address,
    port,
    flowTo: async (destination) => flowTo({ address: destination.address, port: destination.port }),
    close: () => (closing ??= new Promise((resolve) => socket.close(() => resolve()))),
  };
}
