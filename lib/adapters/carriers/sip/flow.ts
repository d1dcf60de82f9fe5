/** How SIP messages travel (RFC 3261, section 18). Messages are bytes here; nothing is known of what is in them. */
export type Protocol = 'udp' | 'tcp' | 'tls';
export type Address = { address: string; port: number };
export type Destination = Address & {
  protocol: Protocol;
  /** The name in the certificate that a TLS peer has to show. */
  serverName?: string | undefined;
};

/** Contents of PEM files. */
export type TlsFiles = {
  certificate: string;
  key: string;
  /** Whom certificates of others have to be signed by; left out: whom Node trusts (NODE_EXTRA_CA_CERTS adds to it). */
  authority?: string;
};

/** A way to one peer: the peer's address and port over UDP, a connection otherwise. */
export type Flow = {
  protocol: Protocol;
  /** Whether what is sent arrives, or the connection breaks: nothing is repeated then. */
  isReliable: boolean;
  remote: Address;
  /** What the peer can reach this service at, for Via and Contact. */
  local: Address;
  /** The address of this machine that it was opened on, or `0.0.0.0` or `::` for all of them. */
  bound: string;
  send(bytes: Buffer): void;
  /** The same way to another port of the peer; a connection stays itself. */
  toPort(port: number): Flow;
};

/** What each kind of endpoint offers. */
export type Listener = {
  protocol: Protocol;
  address: string;
  port: number;
  flowTo(destination: Destination): Promise<Flow>;
  close(): Promise<void>;
};

export type LocalFor = (remote: string, bound: string, port: number) => Address;
