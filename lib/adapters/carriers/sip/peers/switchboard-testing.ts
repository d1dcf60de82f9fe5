import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { parseMessage, serializeMessage, type SipMessage } from '../message.ts';
import { parseUri, parseVia } from '../grammar.ts';

const HOST = '127.0.0.1';

/**
 * A trunk for several telephones on this machine: a proxy without memory (RFC 3261, section 16.11) that sends each request
 * to the port that its number has. What follows within a call goes directly.
 */
export async function openSwitchboard(): Promise<{
  uri: string;
  /** `number` rings at the telephone on `port`. */
  connect(number: string, port: number): void;
  close(): void;
}> {
  const socket = createSocket('udp4');
  socket.bind(0, HOST);
  await once(socket, 'listening');
  const own = socket.address().port;
  const ports = new Map<string, number>();
  const send = (message: SipMessage, port: number) => socket.send(serializeMessage(message), port, HOST);

  socket.on('message', (bytes, from) => {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) return;
    const { message } = parsed;
    const vias = message.headers.get('via') ?? [];
    if (message.kind === 'response') {
      const rest = vias.slice(1);
      const via = parseVia(rest[0] ?? '');
      message.headers.set('via', rest);
      return via && send(message, Number(via.params.get('rport') ?? via.port));
    }
    const port = ports.get(parseUri(message.uri)?.user ?? '');
    if (port === undefined) return;
    const [first = '', ...others] = vias;
    const branch = parseVia(first)?.params.get('branch');
    const seen = first.replace(/;rport(?=;|$)/, `;rport=${from.port}`);
    message.headers.set('via', [`SIP/2.0/UDP ${HOST}:${own};branch=${branch}.board`, seen, ...others]);
    send(message, port);
  });
  return {
    uri: `sip:${HOST}:${own}`,
    connect: (number, port) => void ports.set(number, port),
    close: () => void socket.close(),
  };
}
