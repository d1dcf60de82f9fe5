import type {
  CallPlan,
  CallSinks,
  ConversationResult,
  KnowledgeHit,
  UseWorkspaceTool,
} from '#lib/engine/plan.ts';
import type { Supervision } from '#lib/engine/supervision.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { BrowserCarrier } from '#lib/ports/browser-carrier.ts';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import type { OpenSpokenLeg, RunConversationOptions } from '#lib/engine/run-conversation.ts';
import type {
  Carrier,
  CarrierNews,
  CarrierState,
  Carriers,
  ControlEvent,
  Leg,
  MediaLeg,
  PlacedCall,
  TakeIncoming,
} from '#lib/ports/carrier.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { PlayedCall } from '#lib/ports/simulated-person.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { tellTrace } from '#lib/trace/outgoing.ts';
import type { ConversationOrder, DeclinedLine } from './protocol.ts';

/** What calls are run with. */
export type ConversationParts = {
  carriers: Carriers;
  /** The line of a simulated person who calls in from `from`, and waits to be answered. */
  simulateCaller(caller: { reference: string; from: string }): Leg;
  /** The line of a person who is played by a script or by the model. Left out: nobody is played. */
  playPerson?(call: PlayedCall, languageModel: LanguageModel | undefined): Leg;
  /** Calls over WebSockets. */
  browser: BrowserCarrier;
  /** Undefined: what people say is not understood. */
  transcriber: Transcriber | undefined;
  openSpokenLeg: OpenSpokenLeg;
  speech: SpeechSynthesizer & { close(): Promise<void> };
  /** Undefined: the agents are run by the local brain. */
  languageModel: LanguageModel | undefined;
  /** Asked on a call where `languageModel` fails. */
  fallbackModel: LanguageModel | undefined;
  /** Hears and speaks by itself on calls with sound. Left out: no such model is configured. */
  realtime?: RunConversationOptions['realtime'];
};

export type HearCarrierState = (carrier: CarrierKind, state: CarrierState) => void;

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
    useWorkspaceTool: UseWorkspaceTool;
    /** Whose line it is; whom the call is handed to is called over the same. */
    carrier: CarrierKind;
    beginTransfer: (to: string) => Promise<string | undefined>;
    signal: AbortSignal;
    supervision: Supervision;
    /** The recording's two files begin with it; undefined: they have no name, and are gone with the process. */
    recordingPath: string | undefined;
  }): Promise<ConversationResult>;
  lookup(carrier: CarrierKind, reference: string, placed?: PlacedCall): ReturnType<Carrier['lookup']>;
  /** See `Carrier.receive`. */
  tell(carrier: CarrierKind, reference: string, news: CarrierNews): Promise<string | undefined>;
  /** Takes a connection of a call that is, or will be, opened here. Rejects where it is none that the carrier can take. */
  connect(carrier: CarrierKind, callId: string, connection: WebConnection): Promise<void>;
  /** Lets each carrier bring calls, where it can, and tell its state. Rejects where one cannot listen. */
  listen(takeFrom: (carrier: CarrierKind) => TakeIncoming, onState: HearCarrierState): Promise<void>;
  decline(line: DeclinedLine): Promise<void>;
  close(): Promise<void>;
};

type Conversing = Omit<Parameters<Conversations['run']>[0], 'plan' | 'leg' | 'carrier'> & {
  onAsked(): void;
  onAccepted(): void;
};

/** Opens the leg, runs the conversation on it, and leaves nobody on an open line when that fails. */
export async function converse(
  conversations: Conversations,
  order: ConversationOrder,
  options: Conversing,
): Promise<ConversationResult> {
  return tellTrace(order.trace, () => converseInTrace(conversations, order, options));
}

async function converseInTrace(
  conversations: Conversations,
  order: ConversationOrder,
  options: Conversing,
): Promise<ConversationResult> {
  const opened = conversations.open(order);
  options.onAsked();
  const leg = await opened;
  try {
    if (order.opening === 'dial') options.onAccepted();
    const sinks: CallSinks = {
      ...options.sinks,
      answered: (atMs, by) => options.sinks.answered(atMs, by, leg.trace?.()),
    };
    return await conversations.run({ ...options, sinks, plan: order.plan, carrier: order.carrier, leg });
  } catch (error) {
    await leg.hangUp().catch(() => undefined);
    throw error;
  }
}

/** Told of a call when somebody answers to whom it is to be handed over: `reference`, and `line`, which hangs up on them. */
export const TRANSFER_ANSWERED = 'transfer.answered';

/** The same leg; `onAnswered` is called before anybody else hears of the answer. */
export function hearAnswer(leg: MediaLeg, onAnswered: () => void): MediaLeg {
  async function* told(): AsyncGenerator<ControlEvent> {
    for await (const event of leg.events) {
      if (event.type === 'answered') onAnswered();
      yield event;
    }
  }
  return { ...leg, events: told() };
}
