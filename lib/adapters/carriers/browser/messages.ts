import { z } from 'zod';
import type { Caption } from '#lib/ports/carrier.ts';

/** What a browser or app may say besides its audio. */
const clientMessage = z.discriminatedUnion('type', [
  /** A turn that was typed. */
  z.object({ type: z.literal('text'), text: z.string().trim().min(1).max(2_000) }),
  /** Words that were recognised over there: so far, and for good. */
  z.object({ type: z.literal('interim'), text: z.string().max(2_000) }),
  z.object({ type: z.literal('recognized'), text: z.string().trim().min(1).max(2_000) }),
  z.object({ type: z.literal('digit'), digit: z.string().regex(/^[0-9*#]$/) }),
  z.object({ type: z.literal('hangup') }),
]);
export type ClientMessage = z.output<typeof clientMessage>;

export type ServerMessage =
  /**
   * First on each connection. `understandsSpeech`: whether words are made of the audio here. `ticket`: with which to come
   * back once.
   */
  | { type: 'ready'; conversationId: string; understandsSpeech: boolean; ticket?: string }
  /** What was sent and not played yet is to be dropped: the agent was interrupted. */
  | { type: 'clear' }
  | Caption
  | { type: 'ended' };

/** Undefined for what is no message of this protocol: a later client may know more. */
export function readClientMessage(text: string): ClientMessage | undefined {
  try {
    const message = clientMessage.safeParse(JSON.parse(text));
    return message.success ? message.data : undefined;
  } catch {
    return undefined;
  }
}
