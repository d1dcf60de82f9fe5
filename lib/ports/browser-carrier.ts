import type { MediaLeg } from './carrier.ts';
import type { WebConnection } from './web-connection.ts';

/** Closed with it: there is no such call, or it is over. Nothing comes of connecting again. */
export const NO_SUCH_CALL = 4404;

/** Calls over WebSockets. They only come in: a browser cannot be dialled. */
export type BrowserCarrier = {
  /**
   * The leg of a call whose connection came or is about to. OUTBOUND: the agent opens as if it had called, and the
   * browser has answered by connecting. Rejects where no connection comes.
   */
  open(reference: string, direction: 'INBOUND' | 'OUTBOUND'): Promise<MediaLeg>;
  /**
   * Takes a connection: of a call that begins, or of one that lost its connection. That of a call that is over, or that
   * nobody opens, is closed with `NO_SUCH_CALL`. Rejects where it is no WebSocket.
   */
  connect(reference: string, connection: WebConnection): Promise<void>;
};
