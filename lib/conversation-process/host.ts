import type { CallSinks, ConversationResult, KnowledgeHit, UseWorkspaceTool } from '#lib/engine/plan.ts';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { Carrier, CarrierNews, IncomingAnswer, IncomingCall, PlacedCall } from '#lib/ports/carrier.ts';
import type { HearCarrierState } from './conversations.ts';
import type { Journals } from './journal.ts';
import type { CallReport, ConversationOrder, DeclinedLine } from './protocol.ts';
import type { CallSupervisor } from './watchers.ts';

/** What is stored of a call: it listens to the conversation and answers what that needs of the database. */
export type ConversationClient = Pick<CallSinks, 'flush' | 'failed' | 'extendUsage'> & {
  /** Never waits and never throws. `at`: when it happened. */
  report(report: CallReport, at: Date): void;
  searchKnowledge(query: string): Promise<KnowledgeHit[]>;
  /** Here are the secrets that it needs. */
  useWorkspaceTool: UseWorkspaceTool;
  /** Commits that somebody is called whom the call is handed to, and gives the reference; undefined: nobody may be. */
  beginTransfer(to: string): Promise<string | undefined>;
  /** Aborts with the service or with the lease: the agent says goodbye. */
  signal: AbortSignal;
};

export type RunningConversation = {
  /** Resolves when the carrier was asked for the leg, whatever it answers. Rejects where it was not asked. */
  asked: Promise<void>;
  /**
   * How it ended. Rejects with `ConversationLost` where its process died, with the conversation's own fault otherwise. The
   * recording's body must be read, or ended with `return()`.
   */
  result: Promise<ConversationResult>;
  /** Removes what was kept of the conversation outside the database; called when all of it is stored. */
  forget(): Promise<void>;
};

/** Whether a call that a carrier brings is taken; `onNamed` hears its id before its line is asked for. Never rejects. */
export type TakeFromCarrier = (
  carrier: CarrierKind,
  call: IncomingCall,
  onNamed?: (callId: string) => void,
) => Promise<IncomingAnswer>;

/** Where conversations run: in processes of their own, or in this one (docs/decisions/0170). */
export type ConversationHost = {
  /** Resolves as soon as a conversation can be run; rejects with the signal's reason. */
  ready(signal: AbortSignal): Promise<void>;
  has(carrier: CarrierKind): boolean;
  run(order: ConversationOrder, client: ConversationClient): RunningConversation;
  /**
   * Hands a connection with all that came on it to the process in which its call is, or will be, run. Rejects, with the
   * connection as it was, where there is none.
   */
  handOver(carrier: CarrierKind, callId: string, connection: WebConnection): Promise<void>;
  /** The same for a call that is named by its carrier's reference, and is run here already or is about to be. */
  handOverLine(carrier: CarrierKind, reference: string, connection: WebConnection): Promise<void>;
  /** Lets connections of a call that was taken here wait for its order, however long that takes; what it returns ends that. */
  expectLine(reference: string): () => void;
  /** Lets carriers bring calls that come in: `take` is asked for each, `onState` hears how they are. Called once. */
  listen(take: TakeFromCarrier, onState: HearCarrierState): Promise<void>;
  /** Hangs up on a caller whose call was taken and cannot be run. */
  decline(line: DeclinedLine): void;
  /** A call that this host runs now; undefined where another process has it, or nobody. */
  supervisor(callId: string): CallSupervisor | undefined;
  /** What conversations left whose process died, on this machine. */
  journals: Journals;
  /** See `Carrier.lookup`. */
  lookup(carrier: CarrierKind, reference: string, placed?: PlacedCall): ReturnType<Carrier['lookup']>;
  /** Tells whoever runs the call what its carrier's servers said of it. See `Carrier.receive`. */
  tell(carrier: CarrierKind, reference: string, news: CarrierNews): Promise<string | undefined>;
  /** Ends what runs conversations; the conversations have ended before. */
  stop(): Promise<void>;
};

/** The process that ran the conversation is gone. What it told is in its journal. */
export class ConversationLost extends Error {
  constructor(callId: string) {
    super(`The process that ran call ${callId} is gone`);
    this.name = 'ConversationLost';
  }
}

/** The engine's sinks, as reports. */
export function sinksOver(
  report: (report: CallReport) => void,
  rest: Pick<CallSinks, 'flush' | 'failed' | 'extendUsage'>,
): CallSinks {
  return {
    ...rest,
    ringing: (atMs) => report({ type: 'ringing', atMs }),
    answered: (atMs, by, trace) => report({ type: 'answered', atMs, by, trace }),
    turn: (turn) => report({ type: 'turn', turn }),
    toolUse: (use) => report({ type: 'tool_use', use }),
    event: (name, data) => report({ type: 'event', name, data }),
  };
}
