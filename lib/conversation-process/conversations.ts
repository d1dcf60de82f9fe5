import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CallPlan, CallSinks, ConversationResult, KnowledgeHit } from '#lib/engine/plan.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { Carrier, Leg } from '#lib/ports/carrier.ts';
import type { ConversationOrder } from './host.ts';

/** A connection that asked to become a WebSocket; `head` is what came on it after the request. */
export type Connection = {
  request: { method: string; url: string; headers: IncomingHttpHeaders };
  socket: Duplex;
  head: Buffer;
};

/** Takes connections of one kind, in the process in which their call lives. `params`: what the parent found out about it. */
export type Door = (params: unknown, connection: Connection) => void;

/** What a process needs to run conversations: carriers, models and engine. It has no database. */
export type Conversations = {
  carriers: readonly CarrierKind[];
  /** Asks the carrier for the leg, at once. */
  open(order: ConversationOrder): Promise<Leg>;
  run(conversation: {
    plan: CallPlan;
    leg: Leg;
    sinks: CallSinks;
    searchKnowledge: (query: string) => Promise<KnowledgeHit[]>;
    signal: AbortSignal;
    /** The recording's two files begin with it; undefined: they have no name, and are gone with the process. */
    recordingPath: string | undefined;
  }): Promise<ConversationResult>;
  lookup(carrier: CarrierKind, reference: string): ReturnType<Carrier['lookup']>;
  doors: Readonly<Record<string, Door>>;
  close(): Promise<void>;
};

/** Opens the leg, runs the conversation on it, and leaves nobody on an open line when that fails. */
export async function converse(
  conversations: Conversations,
  order: ConversationOrder,
  options: Omit<Parameters<Conversations['run']>[0], 'plan' | 'leg'> & {
    onAsked(): void;
    onAccepted(): void;
  },
): Promise<ConversationResult> {
  const opened = conversations.open(order);
  options.onAsked();
  const leg = await opened;
  try {
    if (order.opening === 'dial') options.onAccepted();
    return await conversations.run({ ...options, plan: order.plan, leg });
  } catch (error) {
    await leg.hangUp().catch(() => undefined);
    throw error;
  }
}
