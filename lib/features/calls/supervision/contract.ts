import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId } from '#lib/http/schemas.ts';
import { internationalNumber, personNumber } from '#lib/phone-number-schemas.ts';

const callParams = z.object({ callId: pathId });

/** What the dashboard's form asks for. */
export const transferForm = z.strictObject({ to: internationalNumber });

export const callOrder = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('end') }),
  z.strictObject({
    kind: z.literal('transfer'),
    to: personNumber.describe('Who takes the call over'),
  }),
]);

export const orderCall = defineOperation({
  id: 'orderCall',
  method: 'POST',
  path: '/dashboard/calls/{callId}/orders',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'End or transfer a call in progress',
  description: 'The agent says so first: goodbye, or that it hands over.',
  params: callParams,
  body: callOrder,
  response: enveloped(z.null()),
  status: 200,
});

export const callSupervisionOperations = [orderCall] as const;

/** The WebSocket on which a call is listened to; a browser sends the workspace in the query. */
export const LISTENING_SOCKET_PATH = /^\/api\/dashboard\/calls\/([^/?]+)\/listen$/;

export function listeningSocketPath(workspaceId: string, callId: string): string {
  return `/api/dashboard/calls/${encodeURIComponent(callId)}/listen?${new URLSearchParams({ workspaceId })}`;
}

/** What listening asks of a caller, as for an operation; the answer is a WebSocket, so it is in no list of operations. */
export const listenToCall = defineOperation({
  id: 'listenToCall',
  method: 'GET',
  path: '/dashboard/calls/{callId}/listen',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Listen to a call in progress',
  params: callParams,
  status: 200,
});

/** Closed with it: this call cannot be listened to; the message before says why. */
export const LISTENING_REFUSED = 4403;
/** Closed with it: who listens may not any more. */
export const LISTENING_REVOKED = 4401;

/**
 * What is told beside the sound. The sound itself comes in binary messages: 16-bit little-endian PCM at 16 kHz, two channels
 * interleaved, the agent left and the human right, in real time.
 */
export const listeningMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening') }),
  /** The call is over. */
  z.object({ type: z.literal('ended') }),
  z.object({ type: z.literal('refused'), reason: z.string() }),
]);
export type ListeningMessage = z.output<typeof listeningMessage>;

/** What a side is saying just now; replaces what it was before, and comes on the stream of a call beside its events. */
export const liveWords = z.object({
  type: z.literal('words'),
  speaker: z.enum(['agent', 'human']),
  text: z.string(),
});
export type SpokenWords = Pick<z.output<typeof liveWords>, 'speaker' | 'text'>;
