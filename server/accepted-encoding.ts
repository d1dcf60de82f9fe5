import type { IncomingMessage } from 'node:http';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

/** The shortest form that a client takes. */
export function acceptedEncoding({ headers }: IncomingMessage): ContentEncoding {
  const names = String(headers['accept-encoding'] ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim());
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : 'identity';
}
