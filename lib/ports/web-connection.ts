import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';

/** A connection that asked to become a WebSocket; `head` is what came on it after the request. */
export type WebConnection = {
  request: {
    method: string;
    url: string;
    headers: IncomingHttpHeaders;
    /** Of a web call: what the far end is told to come back with. */
    nextTicket?: string;
  };
  socket: Duplex;
  head: Buffer;
};
