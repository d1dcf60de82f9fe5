import type { WebConnection } from './web-connection.ts';

/** A request that a carrier's servers make of ours, below `/api/carriers/<carrier>/`. */
export type CarrierRequest = {
  /** The first part of the path, and the call's reference where the path goes on. */
  topic: string;
  reference: string | undefined;
  /** Path and query, as they were asked for. */
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
};

export type CarrierReply = { status: number; contentType?: string; body?: string };

/** The door for a carrier whose servers call ours over HTTP and WebSockets. */
export type CarrierWeb = {
  /** Path below `PUBLIC_URL` that is entered at the carrier for calls that come in. */
  incomingPath: string;
  /** Never rejects; a request that is not the carrier's gets 403. */
  reply(request: CarrierRequest): Promise<CarrierReply>;
  /** Whether a request to become a WebSocket is the carrier's. */
  isGenuine(request: WebConnection['request']): boolean;
};
