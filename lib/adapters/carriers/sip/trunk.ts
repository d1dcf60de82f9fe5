import { parseUri, type SipUri } from './grammar.ts';

/** Where calls go out, as SIP_TRUNK_URI names it. */
export type Trunk = {
  /** Where requests are sent. */
  uri: string;
  /** How a number is called there, and how ours is shown. */
  addressOf(number: string): string;
  callerOf(number: string): string;
};

/** Throws where the text is no SIP URI. */
export function readTrunk(text: string): Trunk {
  const uri = parseUri(text);
  if (!uri) throw new Error('must be a SIP address such as sip:host:5060;transport=udp');
  const port = uri.port === undefined ? '' : `:${uri.port}`;
  return {
    uri: text,
    addressOf: (number) => `${uri.scheme}:${number}@${uri.host}${port}${transportOf(uri)}`,
    // Without port and transport: an identity is no place.
    callerOf: (number) => `${uri.scheme}:${number}@${uri.host}`,
  };
}

function transportOf(uri: SipUri): string {
  const transport = uri.params.get('transport');
  return transport === undefined ? '' : `;transport=${transport}`;
}
