import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody } from '#lib/http/error-response.ts';
import { endWith } from '#lib/web-connection.ts';
import type { Refusal } from './refusals.ts';

/** Answers on the bare connection, and ends it. */
export function endSocket(socket: Duplex, { error, headers }: Refusal): void {
  const body = JSON.stringify(errorBody(error));
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  endWith(
    socket,
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${lines.join('')}\r\n${body}`,
  );
}
