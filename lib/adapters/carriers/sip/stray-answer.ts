import { type Essentials, parseNameAddr } from './grammar.ts';
import { header, headerList, type Headers, type SipRequest, type SipResponse } from './message.ts';

/** What a response to an INVITE that nobody remembers is answered with: an ACK, and for a 2xx the BYE after it. */
export function answerForgotten(response: SipResponse, { cseqMethod, seq, toTag }: Essentials): SipRequest[] {
  if (cseqMethod !== 'INVITE' || response.status < 200 || response.status >= 300 || toTag === undefined)
    return [];
  const contact = parseNameAddr(header(response, 'contact') ?? '')?.uri;
  if (contact === undefined) return [];
  const request = (method: string, number: number): SipRequest => {
    const headers: Headers = new Map([
      ['max-forwards', ['70']],
      ['from', [header(response, 'from') ?? '']],
      ['to', [header(response, 'to') ?? '']],
      ['call-id', [header(response, 'call-id') ?? '']],
      ['cseq', [`${number} ${method}`]],
    ]);
    const routes = headerList(response, 'record-route').toReversed();
    if (routes.length > 0) headers.set('route', routes);
    return { kind: 'request', method, uri: contact, headers, body: '' };
  };
  return [request('ACK', seq), request('BYE', seq + 1)];
}
