import { parseNameAddr, parseUri, tagOf } from './grammar.ts';
import { header, headerList, type Headers, type SipRequest, type SipResponse } from './message.ts';

/** What two user agents know of each other during a call (RFC 3261, section 12). */
export type Dialog = {
  callId: string;
  localTag: string;
  remoteTag: string;
  /** From and To of our requests, tags included. */
  local: string;
  remote: string;
  localSeq: number;
  /** Of the last request that was taken; undefined before the first. */
  remoteSeq: number | undefined;
  /** Where the peer wants its requests: its last Contact. */
  target: string;
  /** Proxies that want to see every request, the nearest first. */
  routes: readonly string[];
};

/** How a dialog is found again: requests carry both tags, whoever sends them. */
export const dialogKey = (callId: string, localTag: string, remoteTag: string) =>
  `${callId} ${localTag} ${remoteTag}`;

/** The dialog that our INVITE has with the peer that sent this response; undefined where the response has no tag. */
export function dialogOfResponse(invite: SipRequest, response: SipResponse): Dialog | undefined {
  const local = header(invite, 'from') ?? '';
  const remote = header(response, 'to') ?? '';
  const remoteTag = tagOf(remote);
  if (remoteTag === undefined) return undefined;
  return {
    callId: header(invite, 'call-id') ?? '',
    localTag: tagOf(local) ?? '',
    remoteTag,
    local,
    remote,
    localSeq: Number.parseInt(header(invite, 'cseq') ?? '1', 10),
    remoteSeq: undefined,
    target: contactOf(response) ?? invite.uri,
    routes: headerList(response, 'record-route').toReversed(),
  };
}

/** The dialog with the peer that sent this INVITE, once it is answered with `localTag`. */
export function dialogOfRequest(invite: SipRequest, localTag: string): Dialog {
  const remote = header(invite, 'from') ?? '';
  return {
    callId: header(invite, 'call-id') ?? '',
    localTag,
    // RFC 2543 peers have no tag.
    remoteTag: tagOf(remote) ?? '',
    local: `${header(invite, 'to') ?? ''};tag=${localTag}`,
    remote,
    localSeq: 0,
    remoteSeq: Number.parseInt(header(invite, 'cseq') ?? '0', 10),
    target: contactOf(invite) ?? parseNameAddr(remote)?.uri ?? '',
    routes: [...headerList(invite, 'record-route')],
  };
}

/** A request of the peer that is older than one that came before is not in order (section 12.2.2). */
export function takeInOrder(dialog: Dialog, seq: number): boolean {
  if (dialog.remoteSeq !== undefined && seq <= dialog.remoteSeq) return false;
  dialog.remoteSeq = seq;
  return true;
}

/** A target refresh: re-INVITE and UPDATE, and their 2xx, may bring another Contact. */
export function refreshTarget(dialog: Dialog, message: SipRequest | SipResponse): void {
  dialog.target = contactOf(message) ?? dialog.target;
}

/** A request within the dialog, without Via. An ACK has the number of its INVITE; all others count on. */
export function requestWithin(dialog: Dialog, method: string, seq?: number): SipRequest {
  if (seq === undefined) dialog.localSeq += 1;
  const headers: Headers = new Map([
    ['max-forwards', ['70']],
    ['from', [dialog.local]],
    ['to', [dialog.remote]],
    ['call-id', [dialog.callId]],
    ['cseq', [`${seq ?? dialog.localSeq} ${method}`]],
  ]);
  const [first, ...others] = dialog.routes;
  const firstUri = first === undefined ? undefined : parseNameAddr(first)?.uri;
  if (firstUri === undefined) return { kind: 'request', method, uri: dialog.target, headers, body: '' };
  if (parseUri(firstUri)?.params.has('lr')) {
    headers.set('route', [...dialog.routes]);
    return { kind: 'request', method, uri: dialog.target, headers, body: '' };
  }
  // A strict router of RFC 2543 wants itself as the address, and the target at the end (section 12.2.1.1).
  headers.set('route', [...others, `<${dialog.target}>`]);
  return { kind: 'request', method, uri: firstUri, headers, body: '' };
}

/** The URI whose host a request is sent to. */
export function nextHopOf(request: SipRequest): string {
  const route = headerList(request, 'route')[0];
  const uri = route === undefined ? undefined : parseNameAddr(route)?.uri;
  return uri !== undefined && parseUri(uri)?.params.has('lr') ? uri : request.uri;
}

function contactOf(message: SipRequest | SipResponse): string | undefined {
  const value = header(message, 'contact');
  return value === undefined ? undefined : parseNameAddr(value)?.uri;
}
